// The engine reference that a driver receives with each step: it works like any other handle, on any thread, and does
// not keep the engine open.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "check.h"

typedef struct holder {
  orlop_engine *engine;  // from the steps
  orlop_id step;
  int starts;
  int releases;
  atomic_int calls;
} holder;

static orlop_error *report(orlop_engine *engine, const orlop_id *step, orlop_report_kind kind) {
  orlop_step_report given = ORLOP_STEP_REPORT_INIT;
  given.step = *step;
  given.kind = kind;
  return orlop_report(engine, &given);
}

static orlop_error *hold(void *context, const orlop_step *step) {
  holder *self = context;
  CHECK(step->engine != NULL && (self->engine == NULL || self->engine == step->engine));
  self->engine = step->engine;
  self->step = step->id;
  ++self->starts;
  orlop_buffer *buffer = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_snapshot(&buffer, step->engine));  // calls in a callback are refused, whichever
                                                                     // handle they use
  OK(orlop_interrupt(step->engine));
  return report(step->engine, &step->id, ORLOP_REPORT_STARTED);
}

static void count_release(void *context) { ++((holder *)context)->releases; }

static orlop_engine *open_with(holder *self) {
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.context = self;
  driver.start = hold;
  driver.release = count_release;
  return open_simulation(&driver);
}

static void serves_and_keeps_nothing_open(void) {
  holder self = {0};
  orlop_engine *engine = open_with(&self);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_tick(engine, NULL));
  CHECK(self.starts == 1 && self.engine != engine);
  int64_t now = 0;
  OK(orlop_now(self.engine, &now));
  OK(report(self.engine, &self.step, ORLOP_REPORT_SUCCEEDED));
  OK(orlop_run_until_idle(self.engine, NULL));
  CHECK(status_holds(self.engine, &made, "\"DEPLOYED\""));
  FAILS(ORLOP_ERROR_MISUSE, orlop_close(self.engine));
  CHECK(self.releases == 0);
  OK(orlop_close(engine));
  CHECK(self.releases == 1);  // only the reference was left
  FAILS(ORLOP_ERROR_CLOSED, report(self.engine, &self.step, ORLOP_REPORT_SUCCEEDED));
  FAILS(ORLOP_ERROR_CLOSED, orlop_close(self.engine));
}

static void a_share_made_from_it_keeps_the_engine_open(void) {
  holder self = {0};
  orlop_engine *engine = open_with(&self);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_tick(engine, NULL));
  orlop_engine *second = NULL;
  OK(orlop_share(&second, self.engine));
  OK(orlop_close(engine));
  OK(report(self.engine, &self.step, ORLOP_REPORT_SUCCEEDED));
  OK(orlop_run_until_idle(second, NULL));
  CHECK(status_holds(second, &made, "\"DEPLOYED\""));
  CHECK(self.releases == 0);
  OK(orlop_close(second));
  CHECK(self.releases == 1);
  FAILS(ORLOP_ERROR_CLOSED, orlop_share(&second, self.engine));
}

static void *report_until_closed(void *context) {
  holder *self = context;
  for (;;) {
    orlop_error *error = report(self->engine, &self->step, ORLOP_REPORT_PROGRESS);
    atomic_fetch_add(&self->calls, 1);
    if (error == NULL) continue;
    CHECK(orlop_error_code(error) == ORLOP_ERROR_CLOSED);
    orlop_error_free(error);
    return NULL;
  }
}

static void *wait_until_closed(void *context) {
  holder *self = context;
  orlop_error *error = NULL;
  while (error == NULL) error = orlop_wait(self->engine, -1, NULL);
  CHECK(orlop_error_code(error) == ORLOP_ERROR_CLOSED);
  orlop_error_free(error);
  return NULL;
}

// Calls through the reference return before close returns, so that release() never runs on a thread of the driver,
// which it may join.
static void closing_waits_for_calls_by_it(void) {
  for (int round = 0; round < 20; ++round) {
    holder self = {0};
    orlop_engine *engine = open_with(&self);
    const platform made = create_platform(engine);
    deploy(engine, &made);
    OK(orlop_tick(engine, NULL));
    pthread_t threads[3];
    CHECK(pthread_create(&threads[0], NULL, report_until_closed, &self) == 0);
    CHECK(pthread_create(&threads[1], NULL, report_until_closed, &self) == 0);
    CHECK(pthread_create(&threads[2], NULL, wait_until_closed, &self) == 0);
    while (atomic_load(&self.calls) < 100) sched_yield();
    OK(orlop_close(engine));
    CHECK(self.releases == 1);
    for (int place = 0; place < 3; ++place) CHECK(pthread_join(threads[place], NULL) == 0);
  }
}

int main(void) {
  serves_and_keeps_nothing_open();
  a_share_made_from_it_keeps_the_engine_open();
  closing_waits_for_calls_by_it();
  return 0;
}
