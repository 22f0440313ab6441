// Drivers of several kinds: one that answers at once, one that answers from its own thread, one that refuses, one that
// calls back into the engine.
#include <pthread.h>

#include "check.h"

// Context of the drivers: engine and recorded calls.
typedef struct actor {
  orlop_engine *engine;
  int starts;
  int cancels;
  int releases;
  orlop_id last_step;
  orlop_step_kind last_kind;
  char last_name[32];
  int has_configuration;
} actor;

static void note(actor *self, const orlop_step *step) {
  ++self->starts;
  CHECK(step->size == sizeof *step);
  CHECK(step->attempt == 1 && step->started_at_ms > 0 && step->deadline_ms > step->started_at_ms);
  self->last_step = step->id;
  self->last_kind = step->kind;
  snprintf(self->last_name, sizeof self->last_name, "%.*s", (int)step->name.size, step->name.data);
  self->has_configuration = step->configuration.size > 2 && strstr(step->configuration.data, "POSTGRESQL") != NULL;
  CHECK(strcmp(step->kind_name.data, "deploy") != 0 || step->kind == ORLOP_STEP_DEPLOY);
  CHECK(strcmp(step->family.data, "database") == 0);
}

static void count_release(void *context) { ++((actor *)context)->releases; }
static void count_cancel(void *context, const orlop_cancellation *cancellation) {
  actor *self = context;
  CHECK(cancellation->size == sizeof *cancellation && cancellation->engine != NULL);
  CHECK(memcmp(&cancellation->step, &self->last_step, sizeof self->last_step) == 0);
  CHECK(cancellation->mode == ORLOP_CANCEL_INTERRUPTIBLE || cancellation->mode == ORLOP_CANCEL_FORCE);
  ++self->cancels;
}

static orlop_error *say(orlop_engine *engine, orlop_id step, orlop_report_kind kind, const char *text) {
  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  report.step = step;
  report.kind = kind;
  report.text = text_of(text);
  return orlop_report(engine, &report);
}

static orlop_driver driver_of(actor *self, orlop_error *(*start)(void *, const orlop_step *)) {
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.context = self;
  driver.start = start;
  driver.cancel = count_cancel;
  driver.release = count_release;
  return driver;
}

// ---- Answers before it returns ----

static orlop_error *start_and_succeed(void *context, const orlop_step *step) {
  actor *self = context;
  note(self, step);
  OK(say(self->engine, step->id, ORLOP_REPORT_STARTED, ""));
  OK(say(self->engine, step->id, ORLOP_REPORT_LOG_LINE, "pulling \xff image"));  // invalid UTF-8 is repaired, not
                                                                                 // refused
  return say(self->engine, step->id, ORLOP_REPORT_SUCCEEDED, "");
}

static void answers_at_once(void) {
  actor self = {0};
  const orlop_driver driver = driver_of(&self, start_and_succeed);
  self.engine = open_simulation(&driver);
  const platform made = create_platform(self.engine);
  deploy(self.engine, &made);
  OK(orlop_run_until_idle(self.engine, NULL));
  CHECK(self.starts == 1 && self.last_kind == ORLOP_STEP_DEPLOY && self.has_configuration);
  CHECK(strcmp(self.last_name, "orders") == 0);
  CHECK(status_holds(self.engine, &made, "\"DEPLOYED\""));
  const orlop_rule rule = ORLOP_RULE_INIT;
  FAILS(ORLOP_ERROR_MISUSE, orlop_rule_add(self.engine, &rule));
  FAILS(ORLOP_ERROR_MISUSE, orlop_rules_clear(self.engine));
  CHECK(self.releases == 0);
  OK(orlop_close(self.engine));
  CHECK(self.releases == 1);
}

// ---- Refuses ----

static orlop_error *refuse(void *context, const orlop_step *step) {
  note(context, step);
  return orlop_error_new(ORLOP_ERROR_NONE, ORLOP_TEXT("the region has no room left"));
}

static void refuses(void) {
  actor self = {0};
  const orlop_driver driver = driver_of(&self, refuse);
  self.engine = open_simulation(&driver);
  const platform made = create_platform(self.engine);
  deploy(self.engine, &made);
  OK(orlop_run_until_idle(self.engine, NULL));
  CHECK(self.starts == 1);
  CHECK(status_holds(self.engine, &made, "\"DEPLOYMENT_ERROR\""));
  orlop_buffer *events = NULL;
  OK(orlop_events(&events, self.engine, 0, 1000));
  CHECK(strstr(orlop_buffer_text(events).data, "the region has no room left") != NULL);
  orlop_buffer_free(events);
  OK(orlop_close(self.engine));
}

// ---- Calls back in ----

static orlop_error *call_everything(void *context, const orlop_step *step) {
  actor *self = context;
  note(self, step);
  orlop_engine *engine = self->engine;
  int64_t instant = 0;
  uint64_t number = 0;
  orlop_reply *reply = NULL;
  orlop_buffer *events = NULL;
  orlop_engine *second = NULL;
  const orlop_request request = ORLOP_REQUEST_INIT;
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, &request));
  FAILS(ORLOP_ERROR_MISUSE, orlop_tick(engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_wait(engine, 0, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_advance(engine, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_run_until_idle(engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events(&events, engine, 0, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_last_event(engine, &number));
  FAILS(ORLOP_ERROR_MISUSE, orlop_share(&second, engine));
  FAILS(ORLOP_ERROR_MISUSE, orlop_close(engine));
  OK(orlop_now(engine, &instant));
  OK(orlop_interrupt(engine));
  // Another engine may be used and closed.
  orlop_engine *other = open_simulation(NULL);
  OK(orlop_tick(other, NULL));
  OK(orlop_close(other));
  return say(engine, step->id, ORLOP_REPORT_SUCCEEDED, "");
}

static void calls_back_in(void) {
  actor self = {0};
  const orlop_driver driver = driver_of(&self, call_everything);
  self.engine = open_simulation(&driver);
  const platform made = create_platform(self.engine);
  deploy(self.engine, &made);
  OK(orlop_run_until_idle(self.engine, NULL));
  CHECK(status_holds(self.engine, &made, "\"DEPLOYED\""));
  OK(orlop_close(self.engine));
}

static orlop_engine *asked;
static int64_t now_that_calls(void *context) {
  (void)context;
  if (asked != NULL) {
    FAILS(ORLOP_ERROR_MISUSE, orlop_tick(asked, NULL));
    FAILS(ORLOP_ERROR_MISUSE, orlop_interrupt(asked));
  }
  return 1767225600000;
}

static void clock_calls_back_in(void) {
  const orlop_clock clock = {sizeof clock, NULL, now_that_calls, NULL, NULL};
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.clock = &clock;
  OK(orlop_open(&asked, &options));
  OK(orlop_tick(asked, NULL));
  orlop_reply_free(dispatch(asked, "POST", "/organization", "{\"name\":\"acme\",\"plan\":\"FREE\"}"));
  OK(orlop_close(asked));
  asked = NULL;
}

// ---- Reports nothing; is canceled ----

static orlop_error *start_only(void *context, const orlop_step *step) {
  note(context, step);
  return say(((actor *)context)->engine, step->id, ORLOP_REPORT_STARTED, "");
}

static void says_nothing(void) {
  actor self = {0};
  const orlop_driver driver = driver_of(&self, start_only);
  self.engine = open_simulation(&driver);
  const platform made = create_platform(self.engine);
  deploy(self.engine, &made);
  OK(orlop_advance(self.engine, 60000));
  CHECK(status_holds(self.engine, &made, "\"DEPLOYING\""));
  OK(orlop_advance(self.engine, 24 * 3600 * 1000));
  CHECK(status_holds(self.engine, &made, "\"DEPLOYMENT_ERROR\""));
  OK(orlop_close(self.engine));
}

static void is_canceled(void) {
  actor self = {0};
  const orlop_driver driver = driver_of(&self, start_only);
  self.engine = open_simulation(&driver);
  const platform made = create_platform(self.engine);
  deploy(self.engine, &made);
  OK(orlop_advance(self.engine, 1000));
  char path[128];
  snprintf(path, sizeof path, "/environment/%s/cancelDeployment", made.environment);
  orlop_reply *reply = dispatch(self.engine, "POST", path, "{\"force_cancel\":true}");
  CHECK(orlop_reply_status(reply) == 202);
  orlop_reply_free(reply);
  OK(orlop_tick(self.engine, NULL));
  CHECK(self.cancels == 1);
  OK(say(self.engine, self.last_step, ORLOP_REPORT_CANCELED, ""));
  OK(orlop_run_until_idle(self.engine, NULL));
  CHECK(status_holds(self.engine, &made, "\"CANCELED\""));
  OK(orlop_close(self.engine));
}

// ---- Answers from a thread of its own, in real time ----

typedef struct worker {
  actor actor;
  pthread_mutex_t mutex;
  pthread_cond_t called;
  orlop_id step;
  int has_step;
} worker;

static orlop_error *hand_over(void *context, const orlop_step *step) {
  worker *self = context;
  note(&self->actor, step);
  pthread_mutex_lock(&self->mutex);
  self->step = step->id;
  self->has_step = 1;
  pthread_cond_signal(&self->called);
  pthread_mutex_unlock(&self->mutex);
  return NULL;
}

static void *work(void *context) {
  worker *self = context;
  pthread_mutex_lock(&self->mutex);
  while (!self->has_step) pthread_cond_wait(&self->called, &self->mutex);
  pthread_mutex_unlock(&self->mutex);
  OK(say(self->actor.engine, self->step, ORLOP_REPORT_STARTED, ""));
  OK(say(self->actor.engine, self->step, ORLOP_REPORT_PROGRESS, "half way"));
  OK(say(self->actor.engine, self->step, ORLOP_REPORT_SUCCEEDED, "{\"host\":\"orders.example.com\"}"));
  return NULL;
}

static void answers_from_a_thread(void) {
  worker self = {.actor = {0}, .mutex = PTHREAD_MUTEX_INITIALIZER, .called = PTHREAD_COND_INITIALIZER};
  const orlop_driver driver = {sizeof driver, &self, hand_over, NULL, NULL, NULL};
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.driver = &driver;
  OK(orlop_open(&self.actor.engine, &options));
  const platform made = create_platform(self.actor.engine);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, work, &self) == 0);
  deploy(self.actor.engine, &made);
  for (int rounds = 0; !status_holds(self.actor.engine, &made, "\"DEPLOYED\""); ++rounds) {
    CHECK(rounds < 1000);
    int64_t next = 0;
    OK(orlop_tick(self.actor.engine, &next));
    OK(orlop_wait(self.actor.engine, next < 0 || next > 1000 ? 1000 : next, NULL));
  }
  CHECK(pthread_join(thread, NULL) == 0);
  OK(orlop_close(self.actor.engine));
}

int main(void) {
  answers_at_once();
  refuses();
  calls_back_in();
  clock_calls_back_in();
  says_nothing();
  is_canceled();
  answers_from_a_thread();
  return 0;
}
