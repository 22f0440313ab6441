// Ports: optional interfaces that a host implements besides the driver. Each one says how the engine behaves without it.
//
// Calls are made on a thread that is inside a call of the engine, with no lock held. From inside a call only orlop_now and orlop_error_new may be called;
// any other call on this engine returns ORLOP_ERROR_MISUSE. The engine frees an error that a port returns. release() is called once, after the last
// call, when the engine no longer exists; not if orlop_open failed; it may be NULL. Texts from the engine are valid until the function returns;
// texts to the engine are copied before that.
//
// Time. The engine starts no thread and cannot end a call: the request that led to the call waits until the function returns. No transaction is open
// and no lock is held meanwhile, so that requests of other threads continue. A function that uses a network has a timeout of its own, such as 5 s, and
// returns an error after it.
#ifndef ORLOP_PORTS_H
#define ORLOP_PORTS_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Messages to operators -------------------------------------------------------------------------------------------------

typedef int32_t orlop_log_level;
enum {
  ORLOP_LOG_ERROR = 1,    // something does not work until an operator acts
  ORLOP_LOG_WARNING = 2,  // something failed and is repeated or counted as failed: a tick that could not be stored, a port that failed
  ORLOP_LOG_INFO = 3      // a rare normal event: steps that are resumed after the engine was opened
};

// Receives messages that are not events. There are few: none for a request, a step or an event.
typedef struct orlop_log {
  size_t size;    // sizeof(orlop_log)
  void *context;  // given to each function
  // One sentence without secrets. Called from several threads at once, possibly with locks of the engine held: it returns soon, and calls no function of this
  // engine except orlop_error_new.
  void (*write)(void *context, orlop_log_level level, orlop_text message);
  void (*release)(void *context);
} orlop_log;

// ---- Authentication --------------------------------------------------------------------------------------------------------

// The person that a token authenticates.
typedef struct orlop_identity {
  size_t size;         // sizeof(orlop_identity)
  orlop_text subject;  // unique for each person; 1 to 255 bytes
  orlop_text email;    // empty if unknown
  orlop_text name;     // display name; empty if unknown
} orlop_identity;

// Authenticates tokens that the engine did not issue, usually JWTs of people. Without a token authenticator every such token is refused.
typedef struct orlop_token_authenticator {
  size_t size;    // sizeof(orlop_token_authenticator)
  void *context;  // given to each function
  // If `token` is valid at `now_ms`, calls accept(accepted, identity) once and returns NULL; else returns an error. The code ORLOP_ERROR_DRIVER_FAILED means
  // that the token could not be checked: orlop_dispatch fails with that error. Any other code refuses the token. Called from several threads at once.
  orlop_error *(*verify)(void *context, orlop_text token, int64_t now_ms,
                         void (*accept)(void *accepted, const orlop_identity *identity), void *accepted);
  void (*release)(void *context);
} orlop_token_authenticator;

// Evaluates requests by the policies of policy API tokens. Without a policy evaluator such a token is refused everything.
typedef struct orlop_policy_evaluator {
  size_t size;    // sizeof(orlop_policy_evaluator)
  void *context;  // given to each function
  // Sets *allowed to other than 0 if `policy` allows the request `input`, a JSON object of `method`, `path`, `token` (name), `role` (name) and
  // `organization_id`. Returns NULL, or an error, which refuses the request; the code ORLOP_ERROR_DRIVER_FAILED means that the policy could not be evaluated, and
  // orlop_dispatch fails with that error. Called from several threads at once.
  orlop_error *(*allows)(void *context, orlop_text policy, orlop_text input, int32_t *allowed);
  void (*release)(void *context);
} orlop_policy_evaluator;

// ---- Git providers ---------------------------------------------------------------------------------------------------------

// Whether a repository has a webhook that sends its events to the platform.
typedef int32_t orlop_hook_presence;
enum {
  ORLOP_HOOK_UNKNOWN = 0,  // the check failed
  ORLOP_HOOK_ABSENT = 1,
  ORLOP_HOOK_PRESENT = 2
};

typedef struct orlop_repository {
  size_t size;
  orlop_text provider;  // "GITHUB", "GITLAB", "BITBUCKET"
  orlop_text url;
  orlop_text token;     // the service's git token; empty if it has none
} orlop_repository;

// Reads the webhooks of repositories. Without a git provider, and when it returns an error, the status of a webhook is UNABLE_TO_VERIFY.
typedef struct orlop_git_provider {
  size_t size;    // sizeof(orlop_git_provider)
  void *context;  // given to each function
  // Calls answer(answered, presence, events, event_count) once and returns NULL. `events`: the events of the webhook in the provider's spelling, with
  // ORLOP_HOOK_PRESENT only. Called from several threads at once.
  orlop_error *(*find_hook)(void *context, const orlop_repository *repository,
                            void (*answer)(void *answered, orlop_hook_presence presence, const orlop_text *events,
                                           size_t event_count),
                            void *answered);
  void (*release)(void *context);
} orlop_git_provider;

// A rule of the scripted git provider of a simulation. An empty pattern matches everything; * matches any text, ? one byte.
typedef struct orlop_hook {
  size_t size;           // sizeof(orlop_hook)
  orlop_text provider;   // pattern
  orlop_text url;        // pattern
  orlop_hook_presence presence;
  const orlop_text *events;
  size_t event_count;
} orlop_hook;

#define ORLOP_HOOK_INIT \
  { sizeof(orlop_hook), {NULL, 0}, {NULL, 0}, 0, NULL, 0 }

// Adds a rule. If several match, the last added one applies; without one the check fails. For simulations without a git provider of the host's.
// Errors: INVALID, MISUSE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_hook_add(orlop_engine *engine, const orlop_hook *hook);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_hooks_clear(orlop_engine *engine);

// ---- Webhook messages ------------------------------------------------------------------------------------------------------

// One message to the receiver of an organization's webhook. It and its texts are valid until deliver() returns.
typedef struct orlop_delivery {
  size_t size;
  orlop_engine *engine;     // for orlop_report_delivery; as in orlop_step (driver.h)
  orlop_id id;              // stored before deliver() is called; the same in every attempt
  orlop_id webhook;
  orlop_id organization;
  uint32_t attempt;         // from 1
  orlop_text url;           // the receiver, by POST
  const orlop_header *headers;  // headers to send, the signature among them
  size_t header_count;
  orlop_text body;          // JSON
} orlop_delivery;

// Sends messages. Without a webhook sender they stay in the outbox until an engine with one opens the store.
typedef struct orlop_webhook_sender {
  size_t size;    // sizeof(orlop_webhook_sender)
  void *context;  // given to each function
  // Accepts a message and returns NULL at once; the result is reported with orlop_report_delivery, from any thread. An error counts as a failed attempt with
  // its message.
  orlop_error *(*deliver)(void *context, const orlop_delivery *delivery);
  void (*release)(void *context);
} orlop_webhook_sender;

// Reports the result of an attempt: the receiver's HTTP status, 0 if there was no answer; `text`: the reason, or the beginning of the answer (at most 4 KiB). 200 to
// 299 is a success. Does not access the store and may be called from any thread and from inside deliver(). Errors: INVALID (a status outside of 0 to 599),
// CLOSED, FOREIGN_HANDLE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_report_delivery(orlop_engine *engine, orlop_id delivery, int32_t status, orlop_text text);

// A rule of the scripted receivers of a simulation.
typedef struct orlop_receiver {
  size_t size;      // sizeof(orlop_receiver)
  orlop_text url;   // pattern, as in orlop_hook
  int32_t status;   // 0 to 599; 0: it cannot be reached
  orlop_text text;  // the beginning of its answer, or the reason
  uint32_t times;   // number of messages to which the rule applies; 0: no limit
} orlop_receiver;

#define ORLOP_RECEIVER_INIT \
  { sizeof(orlop_receiver), {NULL, 0}, 200, {NULL, 0}, 0 }

// Adds a rule. If several match, the last added one applies; without one the answer is 200. For simulations without a webhook sender of the host's.
// Errors: INVALID, MISUSE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_receiver_add(orlop_engine *engine, const orlop_receiver *receiver);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_receivers_clear(orlop_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
