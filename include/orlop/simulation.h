// Simulation: virtual time and the scripted driver. orlop.h includes this header.
//
// The functions on time need an engine that was opened with options.simulation; on others they return
// ORLOP_ERROR_MISUSE.
#ifndef ORLOP_SIMULATION_H
#define ORLOP_SIMULATION_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// Advances virtual time by `duration_ms` (0 or more), and ticks at every instant at which something is due.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_advance(orlop_engine *engine, int64_t duration_ms);

// Advances virtual time from one due instant to the next until nothing is under way. What goes on for ever, such as the
// deployment rules of environments and the evaluation of alert rules, does what is due meanwhile, and is not waited
// for. `passed_ms` (may be NULL): the virtual time that passed. Only for the scripted driver and for drivers that
// report before start() returns: with other drivers the deadlines of their steps would pass at once.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_run_until_idle(orlop_engine *engine, int64_t *passed_ms);

// How a wait for a deployment came to its end.
typedef int32_t orlop_run_end;
enum {
  ORLOP_RUN_ENDED = 0,  // the deployment has ended, well or not
  // Nothing is left to be done, and it has not: its driver has not reported yet, or a step is held.
  ORLOP_RUN_IDLE = 1,
  ORLOP_RUN_LATE = 2  // the time has passed
};
// Advances virtual time from one due instant to the next until the deployment request with this id has ended, and what
// happens at that instant is over. `timeout_ms`: the virtual time that it may take; -1: any. Errors: NOT_FOUND (there
// is no such request, or it is no longer kept).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_run_until_ended(orlop_run_end *end, orlop_engine *engine,
                                                           orlop_id deployment, int64_t timeout_ms);

// Calls `callback(context)` when virtual time comes to `at_ms`, from the thread that advances it, in a place where a
// driver may be called: it may call orlop_report, orlop_now, orlop_interrupt and orlop_call_at. With it a driver works
// in virtual time: its start() notes when the step ends, and the callback reports it. What is due at one instant is
// called in the order of these calls. May be called from a driver. Callbacks that have not been called are dropped when
// the engine is closed; orlop_state_restore keeps them. `at_ms`: at most that of 9999-12-31T23:59:59.999Z; one that has
// passed is now. What moves time fails with DRIVER_FAILED after a million calls that ask for another one at the same
// instant, and where 500 deployments of one environment or cluster have begun at one instant in 5,000 ticks: what its
// driver does requests the next one at once.
typedef void (*orlop_callback)(void *context);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_call_at(orlop_engine *engine, int64_t at_ms, orlop_callback callback,
                                                   void *context);
// Takes back the calls of orlop_call_at with this callback and context that have not been made, such as that of a step
// that was canceled: orlop_run_until_idle does not move time on for them. `canceled` (may be NULL): their number. May
// be called wherever orlop_call_at may.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_call_cancel(orlop_engine *engine, orlop_callback callback, void *context,
                                                       size_t *canceled);

// Ids and random durations follow from this seed from now on, in the place of that of the options: after going back to
// a saved state, the same course with other random values. Steps that run keep what was drawn for them.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_reseed(orlop_engine *engine, uint64_t seed);

// Saved states, to which a simulation in memory goes back in place: its store, clock, seed, rules, faults and running
// steps. Saving one costs nothing, going back what has changed since. Notes the present state; `state` is its number.
// Errors: CONFLICT (the store is not in memory).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_state_save(uint64_t *state, orlop_engine *engine);
// Goes back to it. States that were saved later are gone. Events after it are gone too, and their numbers are given
// again. Errors: NOT_FOUND, CONFLICT (the state is gone, or the store is not in memory), STORAGE_BUSY (a request is
// being answered).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_state_restore(orlop_engine *engine, uint64_t state);
// What orlop_snapshot answered then.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_state_snapshot(orlop_buffer **snapshot, orlop_engine *engine,
                                                          uint64_t state);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_state_drop(orlop_engine *engine, uint64_t state);

// Opens a second simulation, in memory, that goes on from the present state of `engine` by itself, as that one would:
// contents, clock, seed, rules, faults and running steps. Steps that run keep their rules; rules that are added to the
// fork apply to steps that begin from then on. The options are those of orlop_open, with `simulation`: `storage` is
// "memory:", `store` and `snapshot` are left out, `seed` and `start` do not count; ports are those of the options:
// without a webhook sender the messages of the fork go to scripted receivers. In memory the two share their rows; other
// stores are copied by a snapshot. Errors: those of orlop_open, of options MISUSE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_fork(orlop_engine **fork, orlop_engine *engine,
                                                const orlop_options *options);

// What the feed of a simulation keeps. A simulation does the same whatever that is; without events it is faster, and
// reports, traces and consumers have less to read.
typedef int32_t orlop_recorded;
enum {
  ORLOP_RECORDED_ALL = 0,
  ORLOP_RECORDED_STATES = 1,  // what was created, edited and deleted, changes of states, and deployments
  ORLOP_RECORDED_NONE = 2
};
// Says what is kept from now on; saved states and snapshots keep it. A store that is not in memory keeps the last event
// of each commit that gives ids, too: it counts them by its feed. Errors: INVALID.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_record_events(orlop_engine *engine, orlop_recorded recorded);

// How a step of the scripted driver ends.
typedef int32_t orlop_outcome;
enum {
  ORLOP_OUTCOME_USUAL = 0,                // it succeeds, or fails if `fails` is not empty
  ORLOP_OUTCOME_CREDENTIALS_REFUSED = 1,  // the credentials of a cluster are refused; any other step fails
  ORLOP_OUTCOME_SILENCE = 2               // it is never reported; its deadline fails it
};

// Simulations are also controlled by requests, which orlop_dispatch answers: GET, POST, PUT and DELETE /-/sim/rules,
// GET and POST /-/sim/clock, POST /-/sim/state (sets any state of a service or cluster, holds and releases), GET, POST
// and DELETE /-/sim/capacity, /-/sim/faults, /-/sim/externals, /-/sim/domains and /-/sim/sources, GET and PUT
// /-/sim/snapshot. Rules in JSON can do more than the struct below: conditions on what lies above a service,
// probabilities, random durations, lost contact, crashes (the guide on simulation lists their members).

// A rule of the scripted driver. It works on every engine without a driver of the host's, simulation or not. Times
// count from the instant at which the step was stored. In each member except `size`, 0 or an empty text is the default.
typedef struct orlop_rule {
  size_t size;  // sizeof(orlop_rule)
  // The steps to which the rule applies: those that match all of these members. The default matches every step.
  orlop_text kind;   // family of the subject: "container", "cluster" …
  orlop_text step;   // orlop_step.kind_name: "build", "deploy", "cluster_create" …
  orlop_text name;   // name of the subject; * matches any text, ? one byte
  uint32_t attempt;  // from 1
  // The result.
  uint32_t times;    // number of steps to which the rule applies; 0: no limit
  int64_t after_ms;  // duration of the step
  orlop_text fails;  // the step fails with this reason
  orlop_outcome outcome;
  orlop_running_state running;  // running state that is reported after a success; ORLOP_RUNNING_NONE: none
  orlop_text outputs;           // outputs of a job that succeeds: a JSON object
  int64_t delay_ms;             // delay before it starts; `after_ms` counts from there
  int64_t jitter_ms;            // random addition to `after_ms`, 0 to this
  int64_t cancel_after_ms;      // duration of a cancellation
} orlop_rule;

#define ORLOP_RULE_INIT \
  { sizeof(orlop_rule), {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0, {NULL, 0}, 0, 0, {NULL, 0}, 0, 0, 0 }

// Adds a rule. If several rules match a step, the most specific one applies, the last added one of those that are
// equally specific; without a matching rule the step succeeds at once. Steps that have started keep their result.
// Errors: INVALID (unknown kind, step or state, a negative time), MISUSE (the engine has a driver of the host's).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_rule_add(orlop_engine *engine, const orlop_rule *rule);
// Removes all rules.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_rules_clear(orlop_engine *engine);

// What a cluster of a simulation has room for. A cluster without a capacity has room for everything. In each member
// except `size`, `nodes`, `cpu_milli` and `memory_mb`, 0 is the default.
typedef struct orlop_capacity {
  size_t size;                  // sizeof(orlop_capacity)
  uint32_t nodes;               // number of nodes, at least
  uint32_t nodes_max;           // number up to which it grows for what waits for room; 0: as `nodes`
  int64_t cpu_milli;            // of each node: thousandths of a core, 1 to 1000000
  int64_t memory_mb;            // of each node: MB, 1 to 67108864
  uint32_t pods;                // of each node: instances; 0: 110
  double price;                 // of a node, for an hour
  int64_t scale_up_after_ms;    // from the need of a further node to its readiness; 0: two minutes
  int64_t scale_down_after_ms;  // for which a node is empty before it goes; 0: ten minutes
  int64_t reschedule_after_ms;  // from the loss of a node until its instances may start on others; 0: one minute
  int64_t start_after_ms;       // from the start of such an instance until it runs; 0: ten seconds
} orlop_capacity;

#define ORLOP_CAPACITY_INIT \
  { sizeof(orlop_capacity), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

// Sets the capacity of the cluster with this id. A service whose instances have no room waits in WAITING_RUNNING until
// there is some, or until its deadline. Changes are events "cluster.capacity_changed". Errors: INVALID, NOT_FOUND (no
// such cluster), CONFLICT (the driver is the host's).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_capacity_set(orlop_engine *engine, orlop_text cluster,
                                                        const orlop_capacity *capacity);
// Loses this many nodes of it (1 or more), the oldest first; they are back after `back_after_ms`. 0: they are gone, and
// replaced up to `nodes`. Errors: as above; CONFLICT (the cluster has no capacity).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_nodes_lose(orlop_engine *engine, orlop_text cluster, uint32_t nodes,
                                                      int64_t back_after_ms);
// Gives every cluster room for everything again.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_capacity_clear(orlop_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
