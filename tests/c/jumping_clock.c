// A wall clock that jumps ten years forward and back: running steps continue, events stay in order, callers stay within
// their limits; only the monotonic clock passes deadlines.
#include "check.h"

#define TEN_YEARS (INT64_C(10) * 365 * 86400 * 1000)
#define HOUR (INT64_C(3600) * 1000)

typedef struct times {
  int64_t wall;
  int64_t measured;
} times;

static int64_t now_of(void *context) { return ((times *)context)->wall; }
static int64_t monotonic_of(void *context) { return ((times *)context)->measured; }

// Keeps the step until the test ends it.
typedef struct holder {
  int starts;
  orlop_id step;
} holder;

static orlop_error *hold(void *context, const orlop_step *step) {
  holder *self = context;
  ++self->starts;
  self->step = step->id;
  return NULL;
}

static orlop_engine *open_with(times *clock_times, const orlop_driver *driver, uint32_t rate_limit) {
  orlop_clock clock = {sizeof clock, clock_times, now_of, NULL, monotonic_of};
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.clock = &clock;
  options.driver = driver;
  options.require_cluster = 0;
  options.rate_limit = rate_limit;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  return engine;
}

static void say(orlop_engine *engine, const holder *held, orlop_report_kind kind) {
  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  report.step = held->step;
  report.kind = kind;
  OK(orlop_report(engine, &report));
}

static void tick_often(orlop_engine *engine) {
  for (int turn = 0; turn < 10; ++turn) OK(orlop_tick(engine, NULL));
}

// The step begins, the clock jumps, and the step ends.
static void fails_no_running_step(int64_t jump) {
  times clock = {INT64_C(1767225600000), 1000};
  holder held = {0};
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.context = &held;
  driver.start = hold;
  orlop_engine *engine = open_with(&clock, &driver, 0);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  tick_often(engine);
  CHECK(held.starts == 1);
  say(engine, &held, ORLOP_REPORT_STARTED);
  tick_often(engine);
  clock.wall += jump;
  tick_often(engine);
  CHECK(held.starts == 1 && status_holds(engine, &made, "\"DEPLOYING\""));
  say(engine, &held, ORLOP_REPORT_SUCCEEDED);
  tick_often(engine);
  CHECK(held.starts == 1 && status_holds(engine, &made, "\"DEPLOYED\""));
  OK(orlop_close(engine));
}

// Deadlines are measured by the monotonic clock.
static void passes_deadlines_by_the_other_clock(void) {
  times clock = {INT64_C(1767225600000), 1000};
  holder held = {0};
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.context = &held;
  driver.start = hold;
  orlop_engine *engine = open_with(&clock, &driver, 0);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  tick_often(engine);
  say(engine, &held, ORLOP_REPORT_STARTED);
  tick_often(engine);
  clock.measured += 48 * HOUR;
  tick_often(engine);
  CHECK(status_holds(engine, &made, "\"DEPLOYMENT_ERROR\""));
  OK(orlop_close(engine));
}

static int status_outside(orlop_engine *engine) {
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = text_of("GET");
  request.path = text_of("/organization");
  request.untrusted = 1;
  orlop_reply *reply = NULL;
  OK(orlop_dispatch(&reply, engine, &request));
  const int status = orlop_reply_status(reply);
  orlop_reply_free(reply);
  return status;
}

// A jump neither opens another window for a caller nor locks it for years.
static void limits_by_the_other_clock(int64_t jump) {
  times clock = {INT64_C(1767225600000), 1000};
  orlop_engine *engine = open_with(&clock, NULL, 3);
  for (int asked = 0; asked < 3; ++asked) CHECK(status_outside(engine) == 200);
  CHECK(status_outside(engine) == 429);
  clock.wall += jump;
  CHECK(status_outside(engine) == 429);
  clock.measured += HOUR + 1000;
  CHECK(status_outside(engine) == 200);
  OK(orlop_close(engine));
}

int main(void) {
  for (int sign = -1; sign <= 1; sign += 2) {
    fails_no_running_step(sign * TEN_YEARS);
    limits_by_the_other_clock(sign * TEN_YEARS);
  }
  passes_deadlines_by_the_other_clock();
  return 0;
}
