// The driver: the host's code that does the work of a deployment. The engine plans the work as steps and passes them to
// the driver. The driver executes them (calls a cloud, runs a build, applies a chart) and reports the results.
//
// A driver must follow these rules.
//  - start() accepts a step and returns at once. The driver does the work elsewhere and reports it with orlop_report,
//    from any thread.
//  - start() returns ORLOP_ERROR_TRY_LATER for a step that it cannot accept at the moment: the step does not fail, and
//    start() is called with it again after 1 s, then after 2 s, 4 s, up to 60 s. A refused step that is canceled ends
//    without a call of cancel().
//  - Every step ends with one report: ORLOP_REPORT_SUCCEEDED, _UNCHANGED (a success that needed no work: the subject
//    runs the step's configuration already), _FAILED, _CREDENTIALS_REFUSED (clusters), or _CANCELED
//    after cancel(). Reports about an ended step are dropped. A step that has not ended at its deadline fails. The
//    deadline is `start_deadline` after the first call of start(); once the driver has reported that the step began
//    (ORLOP_REPORT_STARTED, _BUILD_STARTED, _BUILT, _EXECUTING, _RECAP_STARTED), it is `step_deadline` after the last
//    such report.
//  - The step's id is an idempotency key. It is stored before start() is called and never changes. After a crash the
//    engine calls start() again with the same id and `resumed` set. For a step that runs or has ended, start() must
//    start nothing new; the driver reports the end of an ended step again.
// A driver may also report the start of phases, progress and log lines of a step, and at any time the running state of
// a workload. One with observe() is asked for it every options.observe_interval.
//
// Calls are made one at a time, on a thread that is inside orlop_tick (or orlop_advance, orlop_run_until_idle).
// Requests and reports of other threads continue meanwhile; other ticks wait. From inside a call only orlop_report,
// orlop_interrupt, orlop_now and orlop_error_new, and in a simulation orlop_call_at and orlop_call_cancel, may be
// called; any other call on this engine returns ORLOP_ERROR_MISUSE.
#ifndef ORLOP_DRIVER_H
#define ORLOP_DRIVER_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// One unit of work. The struct and its texts are valid until start() returns. Later versions append members; `size`
// says which members exist.
typedef struct orlop_step {
  size_t size;
  // A handle of the engine, the same in every step. It may be used from any thread and after start() has returned. It
  // does not keep the engine open: after orlop_close has closed the last handle of orlop_open and orlop_share, every
  // call with it returns ORLOP_ERROR_CLOSED. The engine owns it: orlop_close refuses it with ORLOP_ERROR_MISUSE.
  orlop_engine *engine;
  orlop_id id;
  orlop_step_kind kind;
  int32_t resumed;      // 1: started again, after the engine was opened or took the step over
  orlop_action action;  // action of the request; distinguishes an uninstall from a delete
  uint32_t attempt;     // from 1
  orlop_id subject;     // the service or cluster that the step acts on
  orlop_id owner;       // environment of the service, or organization of the cluster
  orlop_id organization;
  orlop_id request;          // deployment request that the step belongs to
  int64_t started_at_ms;     // instant at which the step was stored
  int64_t deadline_ms;       // instant at which the step fails unless the driver reports that it began
  orlop_text kind_name;      // "build", "deploy", "cluster_create" …
  orlop_text family;         // family of the subject: "container", "cluster" …
  orlop_text name;           // name of the subject
  orlop_text configuration;  // resolved configuration of the subject with its secrets: a JSON object
  // Of a step that makes a release if it succeeds: digest of the part of the configuration that changes what runs
  // ("sha256:" and 64 hexadecimal digits). Empty for any other step.
  orlop_text digest;
  uint32_t release;  // number of the newest release of the service; 0: it has none
  // 1: the service runs that release, as far as the engine knows, the digests are equal, and it is not built from git,
  // or its commit is the one that is asked for.
  int32_t unchanged;
} orlop_step;

// Request to cancel a step. It is valid until cancel() returns. Later versions append members; `size` says which
// members exist.
typedef struct orlop_cancellation {
  size_t size;
  orlop_engine *engine;  // as in orlop_step
  orlop_id step;         // id of the step
  // ORLOP_CANCEL_INTERRUPTIBLE: do not cancel a step that must run to its end. ORLOP_CANCEL_FORCE: cancel every step.
  // ORLOP_CANCEL_LOST: another engine on the store has taken over the step, because this process did not tick for
  // options.lease_time_ms or left the step with orlop_drain; the driver of that engine executes it now. Stop working on
  // it, undo nothing and report nothing. The step may be one that was refused or has ended.
  orlop_cancel_mode mode;
} orlop_cancellation;

// Deployed services whose workloads the driver is asked to observe. Valid until observe() returns. Later versions
// append members; `size` says which members exist.
typedef struct orlop_subjects {
  size_t size;
  orlop_engine *engine;      // as in orlop_step
  orlop_id cluster;          // the cluster that all of them are deployed on; nil if it is not known
  const orlop_id *services;  // at most 1,000; more of one cluster come with further calls
  size_t service_count;
} orlop_subjects;

// A report of the driver about a step or a workload.
typedef struct orlop_step_report {
  size_t size;    // sizeof(orlop_step_report)
  orlop_id step;  // ORLOP_REPORT_RUNNING_STATE: the service
  orlop_report_kind kind;
  orlop_running_state running;  // ORLOP_REPORT_RUNNING_STATE only
  // SUCCEEDED: outputs, a JSON object or empty. FAILED, CREDENTIALS_REFUSED, CONTACT_LOST: the reason, one sentence.
  // PROGRESS, LOG_LINE: the text. RUNNING_STATE: what else is seen of the workload, a JSON object or empty, which
  // replaces what was reported before. Its members, all optional: `instances` (an object with `wanted`, `ready` and
  // `failing`), `restarts` (since the instances were made), `last_exit_code`, `reason` (cut at 4 KiB; no secrets: they
  // are not masked here) and `since` (RFC 3339).
  // Bytes that are not UTF-8 are replaced by U+FFFD. A reason, progress text or log line over 64 KiB is cut at a
  // character and ends in a mark such as "… [4464 more bytes]". Outputs of more than 1 MiB, or that are not a JSON
  // object, fail the step with a reason that says so.
  orlop_text text;
} orlop_step_report;

#define ORLOP_STEP_REPORT_INIT                          \
  {                                                     \
    sizeof(orlop_step_report), {{0}}, 0, 0, { NULL, 0 } \
  }

// Queues a report for the next tick, and ends an orlop_wait. May be called from any thread and from every driver
// callback. For a step that this engine runs it does not access the store. A report for a step of another engine on the
// same store is stored for that engine before the function returns, unless this engine had passed the step to its own
// driver before (STEP_LOST). A running state is accepted for every service, and dropped if no service has that id, or
// if it says what the last one said. A report of an unknown kind, or an end whose text cannot be read, returns an error
// and also fails the step, so that no step waits for a lost end.
//
// Errors: INVALID (unknown kind or state, an observation that is refused), MISUSE (a struct or text that cannot be
// read), OUT_OF_MEMORY (report again), CLOSED, FOREIGN_HANDLE, and:
//  - NOT_FOUND: the step would belong to this engine, which does not know it. An engine knows the steps that ran when
//    it took over their organizations, those that it has started since, and of these the last 65,536 that ended. The
//    step was never started, or ended before; do not report it again.
//  - STEP_LOST: another engine has taken over the step from this one; nothing was stored. Stop working on it. If the
//    work is done by a third party that reports its end once, report it to another engine on the store.
//  - STORAGE_…: a report for another engine could not be stored; report it again.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_report(orlop_engine *engine, const orlop_step_report *report);

#ifdef __cplusplus
}
#endif

#endif
