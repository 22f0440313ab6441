// Ports: optional interfaces that a host implements besides the driver. port_structs.h has their structs and says how
// the engine behaves without each of them.
//
// The engine calls a port on a thread that is inside a call of the engine, with no lock held. From inside a port only
// orlop_now and orlop_error_new may be called; any other call on this engine returns ORLOP_ERROR_MISUSE. The engine
// frees an error that a port returns. release() is called once, after the last call, when the engine no longer exists;
// not if orlop_open failed; it may be NULL. Texts from the engine are valid until the function returns; texts to the
// engine are copied before that.
//
// Time. The engine starts no thread and cannot interrupt a port: the request that led to the call waits until the
// function returns. No transaction is open and no lock is held meanwhile, so that requests of other threads continue.
#ifndef ORLOP_PORTS_H
#define ORLOP_PORTS_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- External systems ----

// A question to systems outside of the engine. orlop/questions.h and docs/reference/external-systems.md list all
// questions, each with the schema of its input and of its answer. The struct and its texts are valid until ask()
// returns.
typedef struct orlop_ask {
  size_t size;
  orlop_engine *engine;  // for orlop_answer and orlop_answer_error; as in orlop_step (driver.h)
  uint64_t id;           // unique among the asks of the engine
  orlop_text question;   // its name, such as "list_branches"
  orlop_text input;      // a JSON object; it may contain secrets, such as the token of a git repository
  int64_t timeout_ms;    // time limit of the answer, the option port_timeout; a later answer is dropped
} orlop_ask;

// Answers a question with JSON text of at most 4 MiB. An answer that does not match the schema of the question fails
// the request with 502 and a message that names the question and the field. Only the first answer to an ask counts; a
// further or late one is dropped. Errors: MISUSE (the engine was opened without options.external_systems), CLOSED,
// FOREIGN_HANDLE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_answer(orlop_engine *engine, uint64_t ask, orlop_text answer);

// Ends a question without an answer. ORLOP_ERROR_UNANSWERED: the systems do not know this question, as if it was not in
// `questions` of the port. ORLOP_ERROR_EXTERNAL_TIMEOUT: the request fails with 504. Any other code: the request fails
// with 502 and the reason. Errors: as for orlop_answer.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_answer_error(orlop_engine *engine, uint64_t ask, orlop_code code,
                                                        orlop_text reason);

// Sets the virtual time that an answer takes, 0 or more milliseconds; call it before the answer. The clock of the
// simulation advances by it while the request waits, at most by the option port_timeout, after which the request fails
// with 504. A question of a tick is answered without delay. Errors: INVALID (a negative time), MISUSE (not a
// simulation, or as for orlop_answer), CLOSED, FOREIGN_HANDLE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_answer_takes(orlop_engine *engine, uint64_t ask, int64_t virtual_ms);

// A rule of the scripted external systems of a simulation.
typedef struct orlop_external_rule {
  size_t size;          // sizeof(orlop_external_rule)
  orlop_text question;  // its name
  // Condition on the input, a JSON object of its members: text is a pattern (* matches any text, ? one byte), other
  // values must be equal; empty: any input.
  orlop_text where;
  orlop_text answer;  // JSON; empty if `error` is set
  orlop_text error;   // reason of the failure; empty: the question is answered
  int64_t delay_ms;   // virtual time that the answer takes, 0 or more
  uint32_t times;     // number of asks to which the rule applies; 0: no limit
} orlop_external_rule;

#define ORLOP_EXTERNAL_RULE_INIT \
  { sizeof(orlop_external_rule), {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0 }

// Adds a rule. If several match, the last added one applies; if none matches, the question is not answered. A delay
// advances the clock of the simulation while the request waits, at most by the option port_timeout, after which the
// request fails with 504. Only for simulations without options.external_systems. Errors: INVALID (unknown question, or
// an answer that does not match its schema), MISUSE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_external_rule_add(orlop_engine *engine, const orlop_external_rule *rule);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_external_rules_clear(orlop_engine *engine);

// ---- Webhook messages ----

// Reports the result of an attempt to deliver a message. `status`: the receiver's HTTP status, 0 if there was no
// answer; 200 to 299 is a success. `text`: the reason of a failure, or the beginning of the answer (at most 4 KiB).
// Does not access the store and may be called from any thread and from inside deliver(). Errors: INVALID (a status
// outside of 0 to 599), CLOSED, FOREIGN_HANDLE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_report_delivery(orlop_engine *engine, orlop_id delivery, int32_t status,
                                                           orlop_text text);

// A rule of the scripted receivers of a simulation.
typedef struct orlop_receiver {
  size_t size;      // sizeof(orlop_receiver)
  orlop_text url;   // pattern: * matches any text, ? one byte; empty: any
  int32_t status;   // HTTP status of the answer, 100 to 599; 0: the receiver cannot be reached
  orlop_text text;  // the beginning of its answer, or the reason of the failure
  uint32_t times;   // number of messages to which the rule applies; 0: no limit
} orlop_receiver;

#define ORLOP_RECEIVER_INIT \
  { sizeof(orlop_receiver), {NULL, 0}, 200, {NULL, 0}, 0 }

// Adds a rule. If several match, the last added one applies; if none matches, the answer is 200. Only for simulations
// without options.webhook_sender. Errors: INVALID, MISUSE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_receiver_add(orlop_engine *engine, const orlop_receiver *receiver);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_receivers_clear(orlop_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
