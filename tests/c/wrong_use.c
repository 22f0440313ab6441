// NULL, closed, foreign and freed handles, arguments out of bounds: each returns an error that names the cause, and
// none crashes.
#include "check.h"

static int64_t passed;
static orlop_run_end end;
static int32_t ready;
static uint64_t number;
static orlop_buffer *buffer;
static orlop_reply *reply;
static orlop_engine *other;

// Calls every function that takes an engine with this one.
static void all_fail(orlop_code code, orlop_engine *engine) {
  const orlop_request request = ORLOP_REQUEST_INIT;
  const orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  const orlop_rule rule = ORLOP_RULE_INIT;
  FAILS(code, orlop_share(&other, engine));
  FAILS(code, orlop_dispatch(&reply, engine, &request));
  FAILS(code, orlop_tick(engine, &passed));
  FAILS(code, orlop_wait(engine, 0, &ready));
  FAILS(code, orlop_interrupt(engine));
  FAILS(code, orlop_now(engine, &passed));
  FAILS(code, orlop_events(&buffer, engine, 0, 10));
  FAILS(code, orlop_last_event(engine, &number));
  FAILS(code, orlop_advance(engine, 1));
  FAILS(code, orlop_run_until_idle(engine, &passed));
  FAILS(code, orlop_run_until_ended(&end, engine, (orlop_id){{1}}, -1));
  FAILS(code, orlop_reseed(engine, 7));
  FAILS(code, orlop_fork(&other, engine, NULL));
  FAILS(code, orlop_rule_add(engine, &rule));
  FAILS(code, orlop_rules_clear(engine));
  FAILS(code, orlop_report(engine, &report));
  CHECK(other == NULL && reply == NULL && buffer == NULL);
}

static void handles(void) {
  orlop_engine *engine = open_simulation(NULL);
  all_fail(ORLOP_ERROR_MISUSE, NULL);
  long stranger = 0;
  all_fail(ORLOP_ERROR_FOREIGN_HANDLE, (orlop_engine *)&stranger);
  all_fail(ORLOP_ERROR_FOREIGN_HANDLE, (orlop_engine *)(uintptr_t)1);
  orlop_reply *answer = dispatch(engine, "GET", "/organization", "");
  all_fail(ORLOP_ERROR_FOREIGN_HANDLE, (orlop_engine *)answer);
  FAILS(ORLOP_ERROR_FOREIGN_HANDLE, orlop_close((orlop_engine *)answer));
  orlop_reply_free(answer);

  OK(orlop_close(engine));
  all_fail(ORLOP_ERROR_CLOSED, engine);
  FAILS(ORLOP_ERROR_CLOSED, orlop_close(engine));
  OK(orlop_close(NULL));

  // A new engine does not make the closed handle valid again.
  orlop_engine *next = open_simulation(NULL);
  CHECK(next != engine);
  FAILS(ORLOP_ERROR_CLOSED, orlop_close(engine));
  OK(orlop_close(next));
}

static void replies(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_reply *answer = dispatch(engine, "GET", "/organization", "");
  CHECK(orlop_reply_status(answer) == 200);
  CHECK(orlop_reply_body(answer).size > 0 && orlop_reply_body(answer).data[orlop_reply_body(answer).size] == 0);
  CHECK(orlop_reply_header_find(answer, ORLOP_TEXT("content-TYPE")).size > 0);
  CHECK(orlop_reply_header_find(answer, ORLOP_TEXT("X-None")).data == NULL);
  CHECK(orlop_reply_header(answer, orlop_reply_header_count(answer)).name.size == 0);
  OK(orlop_close(engine));
  CHECK(orlop_reply_status(answer) == 200);  // it outlives its engine
  orlop_reply_free(answer);
  orlop_reply_free(answer);
  orlop_reply_free(NULL);
  const orlop_reply *strangers[3] = {NULL, answer, (const orlop_reply *)(uintptr_t)64};
  for (int place = 0; place < 3; ++place) {
    CHECK(orlop_reply_status(strangers[place]) == 0);
    CHECK(orlop_reply_body(strangers[place]).size == 0);
    CHECK(orlop_reply_header_count(strangers[place]) == 0);
    CHECK(orlop_reply_header(strangers[place], 0).value.size == 0);
    CHECK(orlop_reply_header_find(strangers[place], ORLOP_TEXT("a")).data == NULL);
    CHECK(orlop_buffer_text((const orlop_buffer *)strangers[place]).size == 0);
  }
  orlop_buffer_free(NULL);
  orlop_buffer_free((orlop_buffer *)answer);
}

static void errors(void) {
  CHECK(orlop_error_code(NULL) == ORLOP_ERROR_NONE);
  CHECK(strcmp(orlop_error_name(NULL), "none") == 0 && strcmp(orlop_error_message(NULL), "") == 0);
  orlop_error *error = orlop_error_new(ORLOP_ERROR_CONFLICT, ORLOP_TEXT("taken"));
  CHECK(orlop_error_code(error) == ORLOP_ERROR_CONFLICT);
  CHECK(strcmp(orlop_error_name(error), "conflict") == 0 && strcmp(orlop_error_message(error), "taken") == 0);
  orlop_error_free(error);
  orlop_error_free(error);
  orlop_error_free(NULL);
  CHECK(orlop_error_code(error) == ORLOP_ERROR_CLOSED);
  CHECK(strlen(orlop_error_message(error)) > 10);
  CHECK(orlop_error_code((orlop_error *)(uintptr_t)8) == ORLOP_ERROR_FOREIGN_HANDLE);

  const orlop_code odd[3] = {ORLOP_ERROR_NONE, 9999, -1};
  for (int place = 0; place < 3; ++place)
    FAILS(ORLOP_ERROR_DRIVER_FAILED, orlop_error_new(odd[place], ORLOP_TEXT("of the driver")));
  const orlop_text broken = {NULL, 3};
  FAILS(ORLOP_ERROR_MISUSE, orlop_error_new(ORLOP_ERROR_CONFLICT, broken));

  // Invalid UTF-8 is replaced; a quoted part of an argument ends at a character boundary.
  const orlop_text bytes = {"a\xff b\0c", 6};
  error = orlop_error_new(ORLOP_ERROR_CONFLICT, bytes);
  CHECK(strcmp(orlop_error_message(error), "a\xef\xbf\xbd b?c") == 0);
  orlop_error_free(error);
  char euros[301];
  for (int place = 0; place < 300; place += 3) memcpy(euros + place, "\xe2\x82\xac", 4);
  orlop_id id;
  error = orlop_id_parse(&id, text_of(euros));
  CHECK(strstr(orlop_error_message(error), "\xe2\x82\xac\"") != NULL &&
        strstr(orlop_error_message(error), "\xef\xbf\xbd") == NULL);
  orlop_error_free(error);

  error = orlop_error_new(ORLOP_ERROR_OUT_OF_MEMORY, ORLOP_TEXT("x"));
  orlop_error_free(error);
  CHECK(orlop_error_code(error) == ORLOP_ERROR_OUT_OF_MEMORY);  // the preallocated error is never freed
}

static void arguments(void) {
  orlop_engine *engine = open_simulation(NULL);
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(NULL, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_share(NULL, engine));
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_now(engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events(NULL, engine, 0, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events(&buffer, engine, 0, 0));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events(&buffer, engine, 0, 10001));
  FAILS(ORLOP_ERROR_MISUSE, orlop_last_event(engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_wait(engine, -2, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_advance(engine, -1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_advance(engine, INT64_MAX));
  FAILS(ORLOP_ERROR_MISUSE, orlop_run_until_ended(NULL, engine, (orlop_id){{1}}, -1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_run_until_ended(&end, engine, (orlop_id){{1}}, -2));
  FAILS(ORLOP_ERROR_MISUSE, orlop_run_until_ended(&end, engine, (orlop_id){{1}}, INT64_MAX));
  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_run_until_ended(&end, engine, (orlop_id){{1}}, -1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_rule_add(engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_report(engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_describe(NULL, ORLOP_TEXT("openapi")));
  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_describe(&buffer, ORLOP_TEXT("horoscope")));
  OK(orlop_tick(engine, NULL));
  OK(orlop_wait(engine, 0, NULL));
  OK(orlop_run_until_idle(engine, NULL));

  orlop_request request = ORLOP_REQUEST_INIT;
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(NULL, engine, &request));
  request.body.size = 5;
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, &request));
  request.body.size = 0;
  request.header_count = 1;
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, &request));
  request.header_count = 0;
  OK(orlop_dispatch(&reply, engine, &request));  // a reply refuses an empty request, not an error
  CHECK(orlop_reply_status(reply) >= 400);
  orlop_reply_free(reply);
  reply = NULL;

  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  FAILS(ORLOP_ERROR_INVALID, orlop_report(engine, &report));
  report.kind = 99;
  FAILS(ORLOP_ERROR_INVALID, orlop_report(engine, &report));
  report.kind = ORLOP_REPORT_RUNNING_STATE;
  FAILS(ORLOP_ERROR_INVALID, orlop_report(engine, &report));
  report.kind = ORLOP_REPORT_SUCCEEDED;
  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_report(engine, &report));  // no step has this id
  report.kind = ORLOP_REPORT_RUNNING_STATE;
  report.running = ORLOP_RUNNING_RUNNING;
  OK(orlop_report(engine, &report));  // no service has this id: dropped
  OK(orlop_tick(engine, NULL));
  OK(orlop_close(engine));
}

static void refusals_are_short(void) {
  orlop_engine *engine = open_simulation(NULL);
  char name[70001];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = 0;
  char body[140100];
  snprintf(body, sizeof body, "{\"name\":\"acme\",\"plan\":\"FREE\",\"%s\":1}", name);
  char twice[140100];
  snprintf(twice, sizeof twice, "{\"%s\":1,\"%s\":1}", name, name);
  const char *requests[][3] = {{name, "/organization", ""},       {name, "/-/events", ""},
                               {name, "/-/events/consumers", ""}, {name, "/-/events/consumers/x", ""},
                               {"POST", "/organization", body},   {"POST", "/organization", twice}};
  for (size_t place = 0; place < sizeof requests / sizeof *requests; ++place) {
    orlop_reply *refused = dispatch(engine, requests[place][0], requests[place][1], requests[place][2]);
    CHECK(orlop_reply_status(refused) >= 400 && orlop_reply_body(refused).size < 2000);
    orlop_reply_free(refused);
  }
  orlop_error *error = orlop_describe(&buffer, text_of(name));
  CHECK(orlop_error_code(error) == ORLOP_ERROR_NOT_FOUND && strlen(orlop_error_message(error)) < 1000);
  orlop_error_free(error);
  OK(orlop_close(engine));
}

static void values(void) {
  orlop_id id;
  char text[37];
  OK(orlop_id_parse(&id, ORLOP_TEXT("0198C0DE-0000-7000-8000-00000000002A")));
  CHECK(id.bytes[0] == 0x01 && id.bytes[15] == 0x2a);
  orlop_id_format(id, text);
  CHECK(strcmp(text, "0198c0de-0000-7000-8000-00000000002a") == 0);
  FAILS(ORLOP_ERROR_INVALID, orlop_id_parse(&id, ORLOP_TEXT("0198c0de")));
  FAILS(ORLOP_ERROR_MISUSE, orlop_id_parse(NULL, ORLOP_TEXT("0198c0de")));
  orlop_id_format(id, NULL);

  int64_t instant = 0;
  char time[25];
  OK(orlop_time_parse(&instant, ORLOP_TEXT("2026-01-01T01:00:00+01:00")));
  CHECK(instant == 1767225600000);
  orlop_time_format(instant, time);
  CHECK(strcmp(time, "2026-01-01T00:00:00.000Z") == 0);
  orlop_time_format(INT64_MAX, time);
  CHECK(strcmp(time, "9999-12-31T23:59:59.999Z") == 0);
  orlop_time_format(INT64_MIN, time);
  CHECK(strcmp(time, "0000-01-01T00:00:00.000Z") == 0);
  FAILS(ORLOP_ERROR_INVALID, orlop_time_parse(&instant, ORLOP_TEXT("yesterday")));
  CHECK(strcmp(orlop_version(), "") != 0);
}

int main(void) {
  handles();
  replies();
  errors();
  arguments();
  refusals_are_short();
  values();
  return 0;
}
