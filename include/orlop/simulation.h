// Simulation: virtual time and the scripted driver. orlop.h includes this header.
//
// The functions for virtual time, saved states and capacity need an engine that was opened with options.simulation; on
// others they return ORLOP_ERROR_MISUSE.
#ifndef ORLOP_SIMULATION_H
#define ORLOP_SIMULATION_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// Advances virtual time by `duration_ms` (0 or more), and ticks at every instant at which work is due.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_advance(orlop_engine *engine, int64_t duration_ms);

// Advances virtual time from one due instant to the next until no deployment or other work is left. Periodic work, such
// as the deployment rules of environments and the evaluation of alert rules, is done when it is due, but is not waited
// for. `passed_ms` (may be NULL): the virtual time that passed. Only for the scripted driver and for drivers that
// report in virtual time (before start() returns, or by orlop_call_at): with others the deadlines of their steps would
// pass at once.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_run_until_idle(orlop_engine *engine, int64_t *passed_ms);

// Result of orlop_run_until_ended.
typedef int32_t orlop_run_end;
enum {
  ORLOP_RUN_ENDED = 0,  // the deployment has succeeded, failed or was canceled
  // the deployment has not ended, and no work is due: its driver has not reported yet, or a step is held
  ORLOP_RUN_IDLE = 1,
  ORLOP_RUN_LATE = 2  // `timeout_ms` has passed
};
// Advances virtual time from one due instant to the next until the deployment request with this id has ended and all
// work of that instant is done. `timeout_ms`: maximum of virtual time; -1: no limit. Errors: NOT_FOUND (there is no
// such request, or it is no longer kept).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_run_until_ended(orlop_run_end *end, orlop_engine *engine,
                                                           orlop_id deployment, int64_t timeout_ms);

// Calls `callback(context)` when virtual time reaches `at_ms`, on the thread that advances it, under the rules of a
// driver callback: it may call orlop_report, orlop_now, orlop_interrupt, orlop_call_at and orlop_call_cancel. A driver
// can so work in virtual time: its start() schedules a callback, which reports the end of the step. Callbacks that are
// due at one instant are called in the order of these calls. May be called from a driver. Callbacks that have not been
// called are dropped when the engine is closed; orlop_state_restore keeps them. `at_ms`: at most the instant
// 9999-12-31T23:59:59.999Z; an instant in the past means now.
//
// Against endless loops, the functions that advance time fail with DRIVER_FAILED after a million callbacks at one
// instant, and when 500 deployments of one environment or cluster have begun at one instant within 5,000 ticks.
typedef void (*orlop_callback)(void *context);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_call_at(orlop_engine *engine, int64_t at_ms, orlop_callback callback,
                                                   void *context);
// Cancels the pending callbacks of orlop_call_at with this function and context, for example of a canceled step, so
// that orlop_run_until_idle does not advance time for them. `canceled` (may be NULL): their number. May be called
// wherever orlop_call_at may.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_call_cancel(orlop_engine *engine, orlop_callback callback, void *context,
                                                       size_t *canceled);

// Replaces the seed of the options for the ids and random durations from now on, for example to run again from a saved
// state with other random values. Running steps keep their random values.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_reseed(orlop_engine *engine, uint64_t seed);

// Saves the present state of a simulation in memory: its store, clock, seed, rules, faults and running steps. `state`
// is its number. Saving costs almost nothing; the cost of restoring depends on what has changed since. Errors: CONFLICT
// (the store is not in memory).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_state_save(uint64_t *state, orlop_engine *engine);
// Restores a saved state. Later states and events are gone; the numbers of these events are used again. Errors:
// NOT_FOUND, CONFLICT (the state is gone, or the store is not in memory), STORAGE_BUSY (a request is being answered).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_state_restore(orlop_engine *engine, uint64_t state);
// Writes the snapshot that orlop_snapshot would have returned in the saved state.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_state_snapshot(orlop_buffer **snapshot, orlop_engine *engine,
                                                          uint64_t state);
ORLOP_API ORLOP_CHECKED orlop_error *orlop_state_drop(orlop_engine *engine, uint64_t state);

// Opens a second simulation, in memory, that continues independently from the present state of `engine`: contents,
// clock, seed, rules, faults and running steps. Running steps keep their rules; rules that are added to the fork apply
// to steps that begin later. The options are those of orlop_open: `simulation` must be set, `storage` must be
// "memory:", `store` and `snapshot` are left out, `seed` and `start` are ignored. Ports are those of the options:
// without a webhook sender the messages of the fork go to scripted receivers. If the store of `engine` is in memory,
// the two share their rows; other stores are copied by a snapshot. Errors: those of orlop_open, MISUSE (the options).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_fork(orlop_engine **fork, orlop_engine *engine,
                                                const orlop_options *options);

// Events that the feed of a simulation keeps. This does not change the course of the simulation; with fewer events it
// is faster, and reports, traces and consumers have less to read.
typedef int32_t orlop_recorded;
enum {
  ORLOP_RECORDED_ALL = 0,
  ORLOP_RECORDED_STATES = 1,  // creation, changes and deletion of resources, state changes, and deployments
  ORLOP_RECORDED_NONE = 2
};
// Sets which events are kept from now on; saved states and snapshots contain the setting. A store that is not in memory
// also keeps the last event of each commit that creates ids, because ids are counted in the feed. Errors: INVALID.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_record_events(orlop_engine *engine, orlop_recorded recorded);

// End of a step of the scripted driver.
typedef int32_t orlop_outcome;
enum {
  ORLOP_OUTCOME_USUAL = 0,                // the step succeeds, or fails if `fails` is not empty
  ORLOP_OUTCOME_CREDENTIALS_REFUSED = 1,  // the credentials of a cluster are refused; any other step fails
  ORLOP_OUTCOME_SILENCE = 2               // the driver never reports; the step fails at its deadline
};

// Simulations are also controlled by requests, which orlop_dispatch answers: GET, POST, PUT and DELETE /-/sim/rules,
// GET and POST /-/sim/clock, POST /-/sim/state (sets any state of a service or cluster, holds and releases), GET, POST
// and DELETE /-/sim/capacity, /-/sim/faults, /-/sim/externals, /-/sim/domains and /-/sim/sources, GET and PUT
// /-/sim/snapshot. Rules in JSON can do more than the struct below: conditions on the environment, project and so on
// above a service, probabilities, random durations, lost contact, crashes (docs/guide/simulation.md lists their
// members).

// A rule of the scripted driver. Applies on every engine without options.driver, also outside of a simulation. Times
// count from the instant at which the step was stored. In each member except `size`, 0 or an empty text is the default.
typedef struct orlop_rule {
  size_t size;  // sizeof(orlop_rule)
  // Conditions: the rule applies to the steps that match all of these members. The default matches every step.
  orlop_text kind;   // family of the subject: "container", "cluster" …
  orlop_text step;   // orlop_step.kind_name: "build", "deploy", "cluster_create" …
  orlop_text name;   // name of the subject; * matches any text, ? one byte
  uint32_t attempt;  // from 1
  // The result.
  uint32_t times;    // maximum of steps to which the rule applies; 0: no limit
  int64_t after_ms;  // duration of the step
  orlop_text fails;  // the step fails with this reason
  orlop_outcome outcome;
  orlop_running_state running;  // running state that is reported after a success; ORLOP_RUNNING_NONE: none
  orlop_text outputs;           // outputs of a job that succeeds: a JSON object
  int64_t delay_ms;             // delay before it starts; `after_ms` counts from there
  int64_t jitter_ms;            // `after_ms` is extended by a random time from 0 to this
  int64_t cancel_after_ms;      // duration of a cancellation
} orlop_rule;

#define ORLOP_RULE_INIT \
  { sizeof(orlop_rule), {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0, {NULL, 0}, 0, 0, {NULL, 0}, 0, 0, 0 }

// Adds a rule. If several rules match a step, the most specific one applies, among equally specific ones the last
// added; without a matching rule the step succeeds at once. Steps that have started keep their result. Errors: INVALID
// (unknown kind, step or state, a negative time), MISUSE (the engine has options.driver).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_rule_add(orlop_engine *engine, const orlop_rule *rule);
// Removes all rules.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_rules_clear(orlop_engine *engine);

// Nodes of a cluster of a simulation. A cluster without a capacity is not limited. In each member except `size`,
// `nodes`, `cpu_milli` and `memory_mb`, 0 is the default.
typedef struct orlop_capacity {
  size_t size;                  // sizeof(orlop_capacity)
  uint32_t nodes;               // minimum number of nodes
  uint32_t nodes_max;           // maximum number of nodes, added for instances that wait for room; 0: as `nodes`
  int64_t cpu_milli;            // CPU of each node: thousandths of a core, 1 to 1000000
  int64_t memory_mb;            // memory of each node: MB, 1 to 67108864
  uint32_t pods;                // maximum of instances on each node; 0: 110
  double price;                 // price of a node per hour
  int64_t scale_up_after_ms;    // time until a further node that is needed is ready; 0: two minutes
  int64_t scale_down_after_ms;  // time after which an empty node is removed; 0: ten minutes
  int64_t reschedule_after_ms;  // time after the loss of a node until its instances may start on others; 0: one minute
  int64_t start_after_ms;       // time from the start of such an instance until it runs; 0: ten seconds
} orlop_capacity;

#define ORLOP_CAPACITY_INIT \
  { sizeof(orlop_capacity), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

// Sets the capacity of the cluster with this id. A service whose instances have no room waits in WAITING_RUNNING until
// there is room, or until its deadline. Each change is an event "cluster.capacity_changed". Errors: INVALID, NOT_FOUND
// (no such cluster), CONFLICT (the engine has options.driver).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_capacity_set(orlop_engine *engine, orlop_text cluster,
                                                        const orlop_capacity *capacity);
// Removes this many nodes of the cluster (1 or more), the oldest first. They come back after `back_after_ms`; 0: they
// do not come back, and are replaced up to `nodes` of the capacity. Errors: as above; CONFLICT (the cluster has no
// capacity).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_nodes_lose(orlop_engine *engine, orlop_text cluster, uint32_t nodes,
                                                      int64_t back_after_ms);
// Removes the capacity limits of all clusters.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_capacity_clear(orlop_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
