// What a host may implement: the structs of the ports. Part of orlop.h, which includes it; ports.h and driver.h say when they are called, and have the
// functions that answer and report. Generated from core/base/options/ports: do not edit.
#ifndef ORLOP_PORT_STRUCTS_H
#define ORLOP_PORT_STRUCTS_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

struct orlop_ask;
struct orlop_cancellation;
struct orlop_delivery;
struct orlop_step;
struct orlop_subjects;

// Weight of a message.
typedef int32_t orlop_log_level;
enum {
  ORLOP_LOG_ERROR = 1,  // something does not work until an operator acts
  ORLOP_LOG_WARNING = 2,  // something failed and is repeated or counted as failed: a tick that could not be stored, a port that failed
  ORLOP_LOG_INFO = 3  // a rare normal event: steps that are resumed after the engine was opened
};

// A message to the receiver of an organization's webhook, to be sent by POST. It and its texts are valid until the
// function that is given it returns. Later versions append members; `size` says which members exist.
typedef struct orlop_delivery {
  size_t size;
  orlop_engine *engine;  // for reports from any thread, as in orlop_step (driver.h)
  orlop_id id;  // Stored before the message is handed over; the same in every attempt.
  orlop_id webhook;  // The webhook.
  orlop_id organization;  // The organization of the webhook.
  uint32_t attempt;  // Number of the attempt, from 1.
  orlop_text url;  // URL of the receiver.
  const orlop_header *headers;  // Headers to send, the signature among them.
  size_t header_count;
  orlop_text body;  // JSON.
} orlop_delivery;

// Receives messages that are not events. There are few: none for a request, a step or an event.
typedef struct orlop_log {
  size_t size;    // sizeof(orlop_log)
  void *context;  // given to each function
  // Receives one sentence without secrets. Called from several threads at once, possibly with locks of the engine held:
  // it returns soon, and calls no function of this engine.
  void (*write)(void *context, orlop_log_level level, orlop_text message);
  void (*release)(void *context);  // called once, when the engine is gone; may be NULL
} orlop_log;

#define ORLOP_LOG_INIT \
  { sizeof(orlop_log), NULL, NULL, NULL }

// Executes steps: driver.h has the contract.
typedef struct orlop_driver {
  size_t size;    // sizeof(orlop_driver)
  void *context;  // given to each function
  // Accepts a step and returns NULL. An error (of orlop_error_new or of another function) fails the step with its
  // message and is freed by the engine; with ORLOP_ERROR_TRY_LATER the step waits and is offered again.
  orlop_error *(*start)(void *context, const struct orlop_step *step);
  // Cancels a step. The driver reports ORLOP_REPORT_CANCELED, or the step's own result if that is earlier. May be NULL:
  // steps then run to their end.
  void (*cancel)(void *context, const struct orlop_cancellation *cancellation);
  void (*release)(void *context);  // called once, when the engine is gone; may be NULL
  // Asks for what is seen of deployed workloads, every options.observe_interval. The driver answers with reports
  // ORLOP_REPORT_RUNNING_STATE, now or later, and returns at once. May be NULL: running states are only what the driver
  // reports unasked.
  void (*observe)(void *context, const struct orlop_subjects *subjects);
} orlop_driver;

#define ORLOP_DRIVER_INIT \
  { sizeof(orlop_driver), NULL, NULL, NULL, NULL, NULL }

// A source of time. now() is called on the thread that called the engine, and must be safe on any; it must not call the
// engine (ORLOP_ERROR_MISUSE). INT64_MIN: it cannot tell, and the engine keeps the last instant. It may jump:
// deadlines, pauses, leases and rate limits are measured by monotonic(), and the times of events never go back.
typedef struct orlop_clock {
  size_t size;    // sizeof(orlop_clock)
  void *context;  // given to each function
  // The instant in milliseconds since 1970-01-01T00:00:00Z.
  int64_t (*now)(void *context);
  void (*release)(void *context);  // called once, when the engine is gone; may be NULL
  // Milliseconds since some instant, which never jump; rules as for now(). NULL: the steady clock of the system. A
  // clock that a test moves by hand gives both.
  int64_t (*monotonic)(void *context);
} orlop_clock;

#define ORLOP_CLOCK_INIT \
  { sizeof(orlop_clock), NULL, NULL, NULL, NULL }

// A random source. Ids are made from it. Rules as for the clock.
typedef struct orlop_random_source {
  size_t size;    // sizeof(orlop_random_source)
  void *context;  // given to each function
  // 64 random bits.
  uint64_t (*draw)(void *context);
  void (*release)(void *context);  // called once, when the engine is gone; may be NULL
} orlop_random_source;

#define ORLOP_RANDOM_SOURCE_INIT \
  { sizeof(orlop_random_source), NULL, NULL, NULL }

// Answers questions: about git repositories, container registries, clouds, logs, tokens of people, policies. A question
// that is not answered is answered from a built-in catalog where there is one; other requests that need it fail with
// 501.
typedef struct orlop_external_systems {
  size_t size;    // sizeof(orlop_external_systems)
  void *context;  // given to each function
  // Accepts a question and returns NULL. The answer is given with orlop_answer or orlop_answer_error, from any thread:
  // before ask() returns, or later. The request that needs it waits for it; requests of other threads continue. An
  // error that is returned counts as given to orlop_answer_error. Called from several threads at once.
  orlop_error *(*ask)(void *context, const struct orlop_ask *ask);
  void (*release)(void *context);  // called once, when the engine is gone; may be NULL
  // Names of the questions that it answers, separated by commas, at least one: ask() is called for these only.
  orlop_text questions;
} orlop_external_systems;

#define ORLOP_EXTERNAL_SYSTEMS_INIT \
  { sizeof(orlop_external_systems), NULL, NULL, NULL, {NULL, 0} }

// Sends the messages of webhooks.
typedef struct orlop_webhook_sender {
  size_t size;    // sizeof(orlop_webhook_sender)
  void *context;  // given to each function
  // Accepts a message and returns at once; the result is reported with `report_delivery`, from any thread. An error
  // counts as a failed attempt with its message. NULL: accepted.
  orlop_error *(*deliver)(void *context, const struct orlop_delivery *delivery);
  void (*release)(void *context);  // called once, when the engine is gone; may be NULL
} orlop_webhook_sender;

#define ORLOP_WEBHOOK_SENDER_INIT \
  { sizeof(orlop_webhook_sender), NULL, NULL, NULL }

#ifdef __cplusplus
}
#endif

#endif
