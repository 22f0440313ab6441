// The driver: the part of a platform that only its host can give. The engine decides what is to be done and when, and
// hands it over as steps; the driver does it (calls a cloud, runs a build, applies a chart) and reports what came of
// it.
//
// What a driver must do.
//  - start() takes a step on and returns at once; the work goes on elsewhere, and orlop_report tells of it from any thread.
//  - Every step ends with one report: ORLOP_REPORT_SUCCEEDED, _FAILED, _CREDENTIALS_REFUSED (clusters), or _CANCELED after
//    cancel(). Reports about a step that has ended are dropped. A step that is silent past its deadline has failed.
//  - The step's id is an idempotency key. It is stored before start() is called, and never changes: after a crash the engine asks
//    again with the same id and `resumed` set. Starting a step that the driver already runs, or has finished, must start nothing
//    new; what has finished is reported again.
// What it may do: report the start of phases, progress and log lines on the way, and the state of a running workload at
// any time.
//
// Calls come one at a time, on a thread that is inside orlop_tick (or orlop_advance, orlop_run_until_idle); requests and
// reports of other threads go on meanwhile, other ticks wait. From inside a call orlop_report, orlop_interrupt and
// orlop_now are allowed on this engine; any other call on it gives ORLOP_ERROR_MISUSE.
#ifndef ORLOP_DRIVER_H
#define ORLOP_DRIVER_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// One piece of work. It and its texts live until start() returns. Later versions append members; `size` tells which
// there are.
typedef struct orlop_step {
  size_t size;
  // A handle of the engine that hands this over, the same with every step. It serves from any thread, after start() has returned too, and
  // does not keep the engine open: once orlop_close has closed the last handle that orlop_open and orlop_share gave, every call with it
  // gives ORLOP_ERROR_CLOSED. It belongs to the engine: orlop_close refuses it with ORLOP_ERROR_MISUSE.
  orlop_engine *engine;
  orlop_id id;
  orlop_step_kind kind;
  int32_t resumed;            // 1: asked again after the engine was opened
  orlop_action action;        // what the request wants; tells an uninstall from a delete
  uint32_t attempt;           // from 1
  orlop_id subject;           // the service or cluster it is done to
  orlop_id owner;             // its environment (service) or organization (cluster)
  orlop_id organization;
  orlop_id request;           // the deployment request it belongs to
  int64_t started_at_ms;      // when it was stored
  int64_t deadline_ms;        // after which the engine counts it as failed
  orlop_text kind_name;       // "build", "deploy", "cluster_create" …
  orlop_text family;          // of the subject: "container", "cluster" …
  orlop_text name;            // of the subject
  orlop_text configuration;   // the subject's resolved configuration, secrets included: a JSON object
} orlop_step;

// Asks for the end of a step. It lives until cancel() returns. Later versions append members; `size` tells which there are.
typedef struct orlop_cancellation {
  size_t size;
  orlop_engine *engine;    // as in orlop_step
  orlop_id step;           // its id
  orlop_cancel_mode mode;  // ORLOP_CANCEL_INTERRUPTIBLE leaves a step alone that must run to its end; ORLOP_CANCEL_FORCE does not
} orlop_cancellation;

typedef struct orlop_driver {
  size_t size;    // sizeof(orlop_driver)
  void *context;  // given to each function
  // Takes a step on. NULL: taken. An error (orlop_error_new, or one that a call gave) counts as ORLOP_REPORT_FAILED with its
  // message, and is freed by the engine.
  orlop_error *(*start)(void *context, const orlop_step *step);
  // Asks for a step's end, to be answered with ORLOP_REPORT_CANCELED, or by its own outcome if that comes first. May be NULL: steps
  // then run to their end.
  void (*cancel)(void *context, const orlop_cancellation *cancellation);
  // Called once, when the engine is gone and will call the driver no more; not if orlop_open failed. May be NULL.
  void (*release)(void *context);
} orlop_driver;

#define ORLOP_DRIVER_INIT \
  { sizeof(orlop_driver), NULL, NULL, NULL, NULL }

// A driver's word about a step, or about a workload.
typedef struct orlop_step_report {
  size_t size;                  // sizeof(orlop_step_report)
  orlop_id step;                // ORLOP_REPORT_RUNNING_STATE: the service
  orlop_report_kind kind;
  orlop_running_state running;  // ORLOP_REPORT_RUNNING_STATE only
  // SUCCEEDED: outputs, a JSON object, or empty. FAILED, CREDENTIALS_REFUSED, CONTACT_LOST: the reason, one sentence.
  // PROGRESS, LOG_LINE: what to say. Bytes that are no UTF-8 are replaced by U+FFFD.
  // A reason, progress or log line of more than 64 KiB is cut at a character, and ends in a mark such as "… [4464 more bytes]".
  // Outputs of more than 1 MiB, or that are no JSON object, make the step fail, with a reason that says so.
  orlop_text text;
} orlop_step_report;

#define ORLOP_STEP_REPORT_INIT \
  { sizeof(orlop_step_report), {{0}}, 0, 0, {NULL, 0} }

// Takes a report down for the next tick, and ends an orlop_wait. Never blocks on the store, so that it may be called
// from anywhere. A running state is taken for any service, and dropped if there is none of that id. A report of an unknown kind, or an
// end whose text cannot be read, is an error to its caller and makes the step fail, so that no step waits for an end that was lost.
// Errors: INVALID (no such kind or state), MISUSE (a struct or text that cannot be read), OUT_OF_MEMORY (report again), CLOSED,
// FOREIGN_HANDLE, NOT_FOUND: this engine does not know the step. It knows those that
// were under way when it was opened, those that it handed to a driver since, and of these the last 65,536 that have ended. So the
// step was never handed over, belongs to another engine, or ended long ago or before the engine was opened: there is no use in reporting
// it here again.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_report(orlop_engine *engine, const orlop_step_report *report);

#ifdef __cplusplus
}
#endif

#endif
