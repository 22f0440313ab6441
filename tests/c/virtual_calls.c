// Calls in virtual time: what a callback may do, and calls that are withdrawn.
#include "check.h"

typedef struct caller {
  orlop_engine *engine;
  orlop_id step;
  int calls;
  int ends_steps;
  int calls_in;
} caller;

static void on_time(void *context) {
  caller *self = context;
  ++self->calls;
  if (self->calls_in) {
    int64_t now = 0;
    OK(orlop_now(self->engine, &now));
    OK(orlop_interrupt(self->engine));
    FAILS(ORLOP_ERROR_MISUSE, orlop_advance(self->engine, 1));
    FAILS(ORLOP_ERROR_MISUSE, orlop_run_until_idle(self->engine, NULL));
    FAILS(ORLOP_ERROR_MISUSE, orlop_tick(self->engine, NULL));
    uint64_t state = 0;
    FAILS(ORLOP_ERROR_MISUSE, orlop_state_save(&state, self->engine));
    FAILS(ORLOP_ERROR_MISUSE, orlop_capacity_clear(self->engine));
    FAILS(ORLOP_ERROR_MISUSE, orlop_close(self->engine));
  }
  if (!self->ends_steps) return;
  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  report.step = self->step;
  report.kind = ORLOP_REPORT_SUCCEEDED;
  OK(orlop_report(self->engine, &report));
}

static orlop_error *start(void *context, const orlop_step *step) {
  caller *self = context;
  self->step = step->id;
  return orlop_call_at(step->engine, step->started_at_ms + 3000000, on_time, self);
}

static void cancel(void *context, const orlop_cancellation *cancellation) {
  size_t canceled = 0;
  OK(orlop_call_cancel(cancellation->engine, on_time, context, &canceled));
  CHECK(canceled == 1);
  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  report.step = cancellation->step;
  report.kind = ORLOP_REPORT_CANCELED;
  OK(orlop_report(cancellation->engine, &report));
}

static orlop_engine *open_with(caller *self) {
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.context = self;
  driver.start = start;
  driver.cancel = cancel;
  return self->engine = open_simulation(&driver);
}

static void a_callback_does_what_a_driver_may(void) {
  caller self = {.calls_in = 1, .ends_steps = 1};
  orlop_engine *engine = open_with(&self);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_run_until_idle(engine, NULL));
  CHECK(self.calls == 1 && status_holds(engine, &made, "\"DEPLOYED\""));
  OK(orlop_close(engine));
}

static void a_canceled_step_takes_its_call_back(void) {
  caller self = {.ends_steps = 1};
  orlop_engine *engine = open_with(&self);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_advance(engine, 60000));
  char path[128];
  snprintf(path, sizeof path, "/environment/%s/cancelDeployment", made.environment);
  orlop_reply_free(dispatch(engine, "POST", path, ""));
  int64_t passed = -1;
  OK(orlop_run_until_idle(engine, &passed));
  CHECK(passed == 0 && self.calls == 0 && status_holds(engine, &made, "\"CANCELED\""));
  OK(orlop_close(engine));
}

static void calls_are_taken_back_by_callback_and_context(void) {
  caller one = {.engine = open_simulation(NULL)}, two = {.engine = one.engine};
  int64_t now = 0;
  OK(orlop_now(one.engine, &now));
  OK(orlop_call_at(one.engine, now + 1, on_time, &one));
  OK(orlop_call_at(one.engine, now + 2, on_time, &one));
  OK(orlop_call_at(one.engine, now + 2, on_time, &two));
  size_t canceled = 0;
  OK(orlop_call_cancel(one.engine, on_time, &one, &canceled));
  CHECK(canceled == 2);
  OK(orlop_call_cancel(one.engine, on_time, &one, NULL));
  OK(orlop_advance(one.engine, 5));
  CHECK(one.calls == 0 && two.calls == 1);
  OK(orlop_call_cancel(one.engine, on_time, &two, &canceled));
  CHECK(canceled == 0);
  FAILS(ORLOP_ERROR_MISUSE, orlop_call_cancel(one.engine, NULL, &one, &canceled));
  OK(orlop_close(one.engine));
  FAILS(ORLOP_ERROR_CLOSED, orlop_call_cancel(one.engine, on_time, &one, &canceled));
}

// The clock never reaches it: a wait for it would not end.
static void a_call_after_the_last_instant_is_refused(void) {
  caller self = {.engine = open_simulation(NULL)};
  FAILS(ORLOP_ERROR_MISUSE, orlop_call_at(self.engine, INT64_MAX, on_time, &self));
  OK(orlop_run_until_idle(self.engine, NULL));
  OK(orlop_call_at(self.engine, INT64_MIN, on_time, &self));
  OK(orlop_run_until_idle(self.engine, NULL));
  CHECK(self.calls == 1);
  OK(orlop_close(self.engine));
}

static void again(void *context) {
  caller *self = context;
  ++self->calls;
  OK(orlop_call_at(self->engine, 0, again, self));
}

static void calls_that_ask_for_the_same_instant_for_ever_are_ended(void) {
  caller self = {.engine = open_simulation(NULL)};
  OK(orlop_call_at(self.engine, 0, again, &self));
  FAILS(ORLOP_ERROR_DRIVER_FAILED, orlop_run_until_idle(self.engine, NULL));
  FAILS(ORLOP_ERROR_DRIVER_FAILED, orlop_advance(self.engine, 1));
  FAILS(ORLOP_ERROR_DRIVER_FAILED, orlop_tick(self.engine, NULL));
  OK(orlop_call_cancel(self.engine, again, &self, NULL));
  OK(orlop_run_until_idle(self.engine, NULL));
  OK(orlop_close(self.engine));
}

// More calls at one instant than steps that can end at one instant.
static void many_calls_at_one_instant_are_made(void) {
  caller self = {.engine = open_simulation(NULL)};
  for (int call = 0; call < 1500000; ++call) OK(orlop_call_at(self.engine, 0, on_time, &self));
  OK(orlop_run_until_idle(self.engine, NULL));
  CHECK(self.calls == 1500000);
  OK(orlop_close(self.engine));
}

int main(void) {
  a_callback_does_what_a_driver_may();
  a_canceled_step_takes_its_call_back();
  calls_are_taken_back_by_callback_and_context();
  a_call_after_the_last_instant_is_refused();
  calls_that_ask_for_the_same_instant_for_ever_are_ended();
  many_calls_at_one_instant_are_made();
  return 0;
}
