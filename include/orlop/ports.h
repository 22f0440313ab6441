// Ports: what the engine asks of the world beside its driver. Each is optional; without one the engine answers as said here.
//
// Calls come on a thread that is inside a call of the engine, with no lock held. From inside a call orlop_now and orlop_error_new are
// allowed on this engine; any other call on it gives ORLOP_ERROR_MISUSE. An error that a function of a port returns is freed by the
// engine. release() is called once, when the engine is gone and will call the port no more; not if orlop_open failed; it may be NULL.
// Texts that the engine gives live until the function returns, those that it is given are copied before that.
//
// Time. The engine starts no thread and so ends no call: the request that led to the call waits as long as the function takes. No
// transaction is open and no lock is held meanwhile, so that other threads' requests go on. A function that asks over a network keeps a
// deadline of its own, 5 s say, and returns an error when it has passed.
#ifndef ORLOP_PORTS_H
#define ORLOP_PORTS_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- What operators should know --------------------------------------------------------------------------------------------

typedef int32_t orlop_log_level;
enum {
  ORLOP_LOG_ERROR = 1,    // something does not work until somebody acts
  ORLOP_LOG_WARNING = 2,  // something failed, and is tried again or counted as failed: a tick that could not be stored, a port that failed
  ORLOP_LOG_INFO = 3      // something that happens now and then, and is as it should be: steps that go on after the engine was opened
};

// Where the engine says what its feed cannot hold. Few messages: none for a request, a step or an event.
typedef struct orlop_log {
  size_t size;    // sizeof(orlop_log)
  void *context;  // given to each function
  // One sentence, never with a secret in it. Called from any number of threads at once, maybe with the engine's locks held: it returns soon,
  // and calls nothing of this engine but orlop_error_new.
  void (*write)(void *context, orlop_log_level level, orlop_text message);
  void (*release)(void *context);
} orlop_log;

// ---- Who asks --------------------------------------------------------------------------------------------------------------

// Whom a token proves.
typedef struct orlop_identity {
  size_t size;         // sizeof(orlop_identity)
  orlop_text subject;  // never the same for two people; 1 to 255 bytes
  orlop_text email;    // empty if it is not known
  orlop_text name;     // for people; empty if it is not known
} orlop_identity;

// Checks the tokens that the engine has not issued: the JWT of people. Without a token authenticator every such token is refused.
typedef struct orlop_token_authenticator {
  size_t size;    // sizeof(orlop_token_authenticator)
  void *context;  // given to each function
  // Calls accept(accepted, identity) once and returns NULL if `token` holds at `now_ms`; else returns an error. With the code
  // ORLOP_ERROR_DRIVER_FAILED it cannot tell, and orlop_dispatch fails with that error; with any other code the token is refused.
  // Called from any number of threads at once.
  orlop_error *(*verify)(void *context, orlop_text token, int64_t now_ms,
                         void (*accept)(void *accepted, const orlop_identity *identity), void *accepted);
  void (*release)(void *context);
} orlop_token_authenticator;

// Evaluates requests by the policies of policy API tokens. Without a policy evaluator such a token is refused everything.
typedef struct orlop_policy_evaluator {
  size_t size;    // sizeof(orlop_policy_evaluator)
  void *context;  // given to each function
  // Sets *allowed to other than 0 if `policy` allows what `input` tells of: a JSON object of `method`, `path`, `token` (its name), `role`
  // (its name) and `organization_id`. Returns NULL, or an error, which refuses: with the code
  // ORLOP_ERROR_DRIVER_FAILED it cannot tell, and orlop_dispatch fails with that error. Called from any number of threads at once.
  orlop_error *(*allows)(void *context, orlop_text policy, orlop_text input, int32_t *allowed);
  void (*release)(void *context);
} orlop_policy_evaluator;

// ---- Git providers ---------------------------------------------------------------------------------------------------------

// Whether a repository has a hook that tells the platform of its events.
typedef int32_t orlop_hook_presence;
enum {
  ORLOP_HOOK_UNKNOWN = 0,  // the check was impossible
  ORLOP_HOOK_ABSENT = 1,
  ORLOP_HOOK_PRESENT = 2
};

typedef struct orlop_repository {
  size_t size;
  orlop_text provider;  // "GITHUB", "GITLAB", "BITBUCKET"
  orlop_text url;
  orlop_text token;     // of the git token that the service uses; empty if it uses none
} orlop_repository;

// Looks at repositories. Without one, and when it returns an error, the status of a hook is UNABLE_TO_VERIFY.
typedef struct orlop_git_provider {
  size_t size;    // sizeof(orlop_git_provider)
  void *context;  // given to each function
  // Calls answer(answered, presence, events, event_count) once and returns NULL. `events`: what the hook tells of, in the provider's
  // words; ORLOP_HOOK_PRESENT only. Called from any number of threads at once.
  orlop_error *(*find_hook)(void *context, const orlop_repository *repository,
                            void (*answer)(void *answered, orlop_hook_presence presence, const orlop_text *events,
                                           size_t event_count),
                            void *answered);
  void (*release)(void *context);
} orlop_git_provider;

// What the git provider of a simulation says of repositories. An empty pattern fits any; in one * stands for any text, ? for one byte.
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

// Of several that fit, the one added last answers; where none fits, the check is impossible. For simulations that were given no git provider.
// Errors: INVALID, MISUSE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_hook_add(orlop_engine *engine, const orlop_hook *hook);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_hooks_clear(orlop_engine *engine);

// ---- Messages to receivers -------------------------------------------------------------------------------------------------

// One message to the receiver of an organization's webhook. It and its texts live until deliver() returns.
typedef struct orlop_delivery {
  size_t size;
  orlop_engine *engine;     // for orlop_report_delivery; as in orlop_step (driver.h)
  orlop_id id;              // stored before it is handed over; the same in every attempt
  orlop_id webhook;
  orlop_id organization;
  uint32_t attempt;         // from 1
  orlop_text url;           // to be sent there by POST
  const orlop_header *headers;  // to be sent along, the signature among them
  size_t header_count;
  orlop_text body;          // JSON
} orlop_delivery;

// Carries messages out. Without a webhook sender they stay in the outbox, and go out when an engine with one opens the store.
typedef struct orlop_webhook_sender {
  size_t size;    // sizeof(orlop_webhook_sender)
  void *context;  // given to each function
  // Takes a message on and returns at once; the answer is orlop_report_delivery, from any thread. NULL: taken. An error counts as an attempt
  // that failed with its message.
  orlop_error *(*deliver)(void *context, const orlop_delivery *delivery);
  void (*release)(void *context);
} orlop_webhook_sender;

// Tells how the attempt to deliver went: the receiver's HTTP status, 0 if it gave none; `text`: why it gave none, or how its answer
// begins (4 KiB at most). 200 to 299 is a success. Never blocks on the store, so that it may be called from anywhere, inside deliver()
// too. Errors: INVALID (a status out of 0 to 599), CLOSED, FOREIGN_HANDLE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_report_delivery(orlop_engine *engine, orlop_id delivery, int32_t status, orlop_text text);

// What receivers answer in a simulation, whose own webhook sender gets its answers at once.
typedef struct orlop_receiver {
  size_t size;      // sizeof(orlop_receiver)
  orlop_text url;   // pattern, as in orlop_hook
  int32_t status;   // 0 to 599; 0: it cannot be reached
  orlop_text text;  // how its answer begins, or why it cannot be reached
  uint32_t times;   // how many messages are answered so before this is used up; 0: no bound
} orlop_receiver;

#define ORLOP_RECEIVER_INIT \
  { sizeof(orlop_receiver), {NULL, 0}, 200, {NULL, 0}, 0 }

// Of several that fit, the one added last answers; where none fits, 200 does. For simulations that were given no webhook sender.
// Errors: INVALID, MISUSE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_receiver_add(orlop_engine *engine, const orlop_receiver *receiver);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_receivers_clear(orlop_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
