// Reports that are too long, or that cannot be read: the end of a step always arrives, as a failure if necessary.
#include "check.h"

// A driver that calls `send` inside start().
typedef struct actor {
  orlop_engine *engine;
  void (*send)(orlop_engine *engine, orlop_id step);
} actor;

static orlop_error *start(void *context, const orlop_step *step) {
  const actor *self = context;
  self->send(self->engine, step->id);
  return NULL;
}

static orlop_step_report report_of(orlop_id step, orlop_report_kind kind, orlop_text text) {
  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  report.step = step;
  report.kind = kind;
  report.text = text;
  return report;
}

// Deploys a database with this driver; checks its last state, and that the feed contains `text`.
static void deploys_to(void (*send)(orlop_engine *, orlop_id), const char *state, const char *text) {
  actor self = {NULL, send};
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.context = &self;
  driver.start = start;
  self.engine = open_simulation(&driver);
  const platform made = create_platform(self.engine);
  deploy(self.engine, &made);
  OK(orlop_advance(self.engine, 1000));  // far less than a step's deadline
  orlop_buffer *events = NULL;
  OK(orlop_events(&events, self.engine, 0, 1000));
  CHECK(strstr(orlop_buffer_text(events).data, text) != NULL);
  orlop_buffer_free(events);
  CHECK(status_holds(self.engine, &made, state));
  OK(orlop_close(self.engine));
}

static char *letters(size_t count) {
  char *text = malloc(count);
  CHECK(text != NULL);
  memset(text, 'x', count);
  return text;
}

// ---- Too long ----

static void fail_at_length(orlop_engine *engine, orlop_id step) {
  char *text = letters(70000);
  const orlop_step_report report = report_of(step, ORLOP_REPORT_FAILED, (orlop_text){text, 70000});
  OK(orlop_report(engine, &report));
  free(text);
}

static void talk_at_length(orlop_engine *engine, orlop_id step) {
  char *text = letters(5000000);
  orlop_step_report report = report_of(step, ORLOP_REPORT_LOG_LINE, (orlop_text){text, 5000000});
  OK(orlop_report(engine, &report));
  report.kind = ORLOP_REPORT_PROGRESS;
  OK(orlop_report(engine, &report));
  report = report_of(step, ORLOP_REPORT_SUCCEEDED, (orlop_text){NULL, 0});
  OK(orlop_report(engine, &report));
  free(text);
}

// Reports a JSON object of exactly `size` bytes.
static void put_out(orlop_engine *engine, orlop_id step, size_t size) {
  char *text = letters(size);
  memcpy(text, "{\"a\":\"", 6);
  memcpy(text + size - 2, "\"}", 2);
  const orlop_step_report report = report_of(step, ORLOP_REPORT_SUCCEEDED, (orlop_text){text, size});
  OK(orlop_report(engine, &report));
  free(text);
}

static void put_out_all(orlop_engine *engine, orlop_id step) { put_out(engine, step, 1048576); }
static void put_out_too_much(orlop_engine *engine, orlop_id step) { put_out(engine, step, 1048577); }

// ---- Unreadable ----

static void succeed_in_prose(orlop_engine *engine, orlop_id step) {
  const orlop_step_report report = report_of(step, ORLOP_REPORT_SUCCEEDED, ORLOP_TEXT("all is well"));
  OK(orlop_report(engine, &report));
}

static void succeed_with_a_list(orlop_engine *engine, orlop_id step) {
  const orlop_step_report report = report_of(step, ORLOP_REPORT_SUCCEEDED, ORLOP_TEXT("[1]"));
  OK(orlop_report(engine, &report));
}

static void succeed_with_no_text(orlop_engine *engine, orlop_id step) {
  const orlop_step_report report = report_of(step, ORLOP_REPORT_SUCCEEDED, (orlop_text){NULL, 7});
  FAILS(ORLOP_ERROR_MISUSE, orlop_report(engine, &report));
}

static void report_an_unknown_kind(orlop_engine *engine, orlop_id step) {
  orlop_step_report report = report_of(step, ORLOP_REPORT_SUCCEEDED, (orlop_text){NULL, 0});
  report.kind = 99;
  FAILS(ORLOP_ERROR_INVALID, orlop_report(engine, &report));
}

// An unreadable log line does not end the step.
static void talk_of_nothing(orlop_engine *engine, orlop_id step) {
  orlop_step_report report = report_of(step, ORLOP_REPORT_LOG_LINE, (orlop_text){NULL, 7});
  FAILS(ORLOP_ERROR_MISUSE, orlop_report(engine, &report));
  report.kind = ORLOP_REPORT_RUNNING_STATE;
  FAILS(ORLOP_ERROR_MISUSE, orlop_report(engine, &report));
  report = report_of(step, ORLOP_REPORT_SUCCEEDED, (orlop_text){NULL, 0});
  OK(orlop_report(engine, &report));
}

int main(void) {
  deploys_to(fail_at_length, "\"DEPLOYMENT_ERROR\"", "x\xE2\x80\xA6 [4512 more bytes]\"");
  deploys_to(talk_at_length, "\"DEPLOYED\"", "x\xE2\x80\xA6 [4934512 more bytes]\"");
  deploys_to(put_out_all, "\"DEPLOYED\"", "\"DEPLOYED\"");
  deploys_to(put_out_too_much, "\"DEPLOYMENT_ERROR\"",
             "the outputs of the step have 1048577 bytes; at most 1048576 are allowed");
  deploys_to(succeed_in_prose, "\"DEPLOYMENT_ERROR\"", "the outputs of the step must be a JSON object");
  deploys_to(succeed_with_a_list, "\"DEPLOYMENT_ERROR\"", "the outputs of the step must be a JSON object");
  deploys_to(succeed_with_no_text, "\"DEPLOYMENT_ERROR\"",
             "the driver's report cannot be read: report.text has a size");
  deploys_to(report_an_unknown_kind, "\"DEPLOYMENT_ERROR\"", "the driver's report cannot be read: report.kind must be");
  deploys_to(talk_of_nothing, "\"DEPLOYED\"", "\"DEPLOYED\"");
  return 0;
}
