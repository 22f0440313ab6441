// Simulations: virtual time, and the scripted driver. Part of orlop.h, which includes it.
//
// For engines opened with options.simulation; others answer ORLOP_ERROR_MISUSE.
#ifndef ORLOP_SIMULATION_H
#define ORLOP_SIMULATION_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// Moves virtual time on by `duration_ms` (0 or more), ticking at every instant that the engine wants on the way.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_advance(orlop_engine *engine, int64_t duration_ms);

// Moves virtual time from one wanted instant to the next until nothing is wanted any more. `passed_ms` (may be NULL):
// the virtual time that took. For the scripted driver, and for drivers that report before start() returns: any other
// would see its deadlines pass in no time.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_run_until_idle(orlop_engine *engine, int64_t *passed_ms);

// How a step of the scripted driver ends.
typedef int32_t orlop_outcome;
enum {
  ORLOP_OUTCOME_USUAL = 0,                // it succeeds; or fails, if `fails` is not empty
  ORLOP_OUTCOME_CREDENTIALS_REFUSED = 1,  // clusters: their credentials are refused; anything else fails
  ORLOP_OUTCOME_SILENCE = 2               // nothing is ever heard of it; its deadline ends it
};

// How the scripted driver answers a step. Works on every engine that was given no driver, simulation or not. Times count from the
// instant at which the step was stored. In each member but `size` 0 or an empty text is the default.
typedef struct orlop_rule {
  size_t size;                  // sizeof(orlop_rule)
  // Which steps: those that fit all of these. Left alone, each fits any.
  orlop_text kind;              // the family of what it is done to: "container", "cluster" …
  orlop_text step;              // "build", "deploy", "cluster_create" … as orlop_step.kind_name spells it
  orlop_text name;              // the resource's name; * stands for any text, ? for one byte
  uint32_t attempt;             // from 1
  // What happens.
  uint32_t times;               // how many steps the rule answers before it is used up; 0: no bound
  int64_t after_ms;             // how long the step takes
  orlop_text fails;             // the reason it fails with
  orlop_outcome outcome;
  orlop_running_state running;  // what the workload is said to do after a success; ORLOP_RUNNING_NONE: nothing is said
  orlop_text outputs;           // of a job that succeeds: a JSON object
  int64_t delay_ms;             // before it begins; `after_ms` counts from there
  int64_t jitter_ms;            // up to this much longer, by chance
  int64_t cancel_after_ms;      // how long a cancel takes
} orlop_rule;

#define ORLOP_RULE_INIT \
  { sizeof(orlop_rule), {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0, {NULL, 0}, 0, 0, {NULL, 0}, 0, 0, 0 }

// Adds a rule; of several that fit a step, the one added last answers; where none fits, the step succeeds at once. Steps that
// have started keep their answer.
// Errors: INVALID (no such kind, step or state, a negative time), MISUSE (the engine has a driver of the host's).
ORLOP_API ORLOP_CHECKED orlop_error *orlop_rule_add(orlop_engine *engine, const orlop_rule *rule);
// Removes all rules.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_rules_clear(orlop_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
