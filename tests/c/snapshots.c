// A snapshot opens another engine; secrets are sealed under the host's key.
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char key[33] = "an example of a key of 32 bytes.";
static const char other_key[33] = "another one, just as long as it.";

static orlop_engine *opened(const orlop_options *options) {
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, options));
  return engine;
}

static void post(orlop_engine *engine, orlop_text path, orlop_text body) {
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = ORLOP_TEXT("POST");
  request.path = path;
  request.body = body;
  orlop_reply *reply = NULL;
  OK(orlop_dispatch(&reply, engine, &request));
  CHECK(orlop_reply_status(reply) < 300);
  orlop_reply_free(reply);
}

static orlop_buffer *events_of(orlop_engine *engine) {
  orlop_buffer *events = NULL;
  OK(orlop_events(&events, engine, 0, 1000));
  return events;
}

static int is_same(const orlop_buffer *left, const orlop_buffer *right) {
  const orlop_text one = orlop_buffer_text(left);
  const orlop_text two = orlop_buffer_text(right);
  return one.size == two.size && memcmp(one.data, two.data, one.size) == 0;
}

static void a_snapshot_opens_another_engine(void) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.simulation = 1;
  options.seed = 5;
  orlop_engine *first = opened(&options);
  post(first, ORLOP_TEXT("/organization"), ORLOP_TEXT("{\"name\":\"acme\",\"plan\":\"FREE\"}"));
  OK(orlop_advance(first, 5000));
  orlop_buffer *snapshot = NULL;
  OK(orlop_snapshot(&snapshot, first));
  options.snapshot = orlop_buffer_text(snapshot);
  orlop_engine *second = opened(&options);
  orlop_buffer_free(snapshot);
  int64_t now[2] = {0, 1};
  OK(orlop_now(first, &now[0]));
  OK(orlop_now(second, &now[1]));
  CHECK(now[0] == now[1]);
  post(first, ORLOP_TEXT("/organization"), ORLOP_TEXT("{\"name\":\"umbrella\",\"plan\":\"FREE\"}"));
  post(second, ORLOP_TEXT("/organization"), ORLOP_TEXT("{\"name\":\"umbrella\",\"plan\":\"FREE\"}"));
  orlop_buffer *events[2] = {events_of(first), events_of(second)};
  CHECK(is_same(events[0], events[1]));
  orlop_buffer_free(events[0]);
  orlop_buffer_free(events[1]);
  OK(orlop_close(first));
  OK(orlop_close(second));
}

static void what_is_wrong_is_said(void) {
  orlop_engine *engine = NULL;
  orlop_buffer *snapshot = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_snapshot(&snapshot, NULL));
  engine = opened(NULL);
  FAILS(ORLOP_ERROR_MISUSE, orlop_snapshot(NULL, engine));
  OK(orlop_snapshot(&snapshot, engine));
  OK(orlop_close(engine));
  FAILS(ORLOP_ERROR_CLOSED, orlop_snapshot(&snapshot, engine));
  orlop_buffer_free(snapshot);

  orlop_options options = ORLOP_OPTIONS_INIT;
  engine = NULL;
  options.snapshot = ORLOP_TEXT("{\"orlop_snapshot\":");
  FAILS(ORLOP_ERROR_INVALID, orlop_open(&engine, &options));
  options.snapshot = (orlop_text){NULL, 7};
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  options.snapshot = (orlop_text){NULL, 0};
  options.secret_key = ORLOP_TEXT("short");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  options.secret_key = (orlop_text){NULL, 32};
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  options.secret_key = (orlop_text){NULL, 0};
  options.previous_secret_keys = (orlop_text){other_key, 32};
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  options.secret_key = (orlop_text){key, 32};
  options.previous_secret_keys.size = 31;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  options.previous_secret_keys = (orlop_text){NULL, 32};
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  CHECK(engine == NULL);
}

// The snapshot of a sealed store holds its secrets sealed, and opens only with the store's key or with the next one.
static void secrets_travel_sealed(void) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.secret_key = (orlop_text){key, 32};
  orlop_engine *engine = opened(&options);
  post(engine, ORLOP_TEXT("/organization"), ORLOP_TEXT("{\"name\":\"acme\",\"plan\":\"FREE\"}"));
  orlop_buffer *snapshot = NULL;
  OK(orlop_snapshot(&snapshot, engine));
  OK(orlop_close(engine));
  engine = NULL;
  options.snapshot = orlop_buffer_text(snapshot);
  options.secret_key = (orlop_text){NULL, 0};
  FAILS(ORLOP_ERROR_STORAGE_SEALED, orlop_open(&engine, &options));
  options.secret_key = (orlop_text){other_key, 32};
  FAILS(ORLOP_ERROR_STORAGE_SEALED, orlop_open(&engine, &options));
  options.previous_secret_keys = (orlop_text){key, 32};
  OK(orlop_close(opened(&options)));
  orlop_buffer_free(snapshot);
}

// The snapshot of any store holds its secrets encrypted with the key that is passed for it.
static void secrets_travel_with_a_key_of_the_snapshot(void) {
  orlop_engine *engine = opened(NULL);
  post(engine, ORLOP_TEXT("/organization"), ORLOP_TEXT("{\"name\":\"acme\",\"plan\":\"FREE\"}"));
  orlop_buffer *snapshot = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_snapshot_with_secrets(&snapshot, engine, ORLOP_TEXT("")));
  FAILS(ORLOP_ERROR_MISUSE, orlop_snapshot_with_secrets(&snapshot, engine, (orlop_text){NULL, 0}));
  FAILS(ORLOP_ERROR_MISUSE, orlop_snapshot_with_secrets(&snapshot, engine, (orlop_text){NULL, 32}));
  FAILS(ORLOP_ERROR_MISUSE, orlop_snapshot_with_secrets(&snapshot, engine, (orlop_text){key, 31}));
  FAILS(ORLOP_ERROR_MISUSE, orlop_snapshot_with_secrets(NULL, engine, (orlop_text){key, 32}));
  OK(orlop_snapshot_with_secrets(&snapshot, engine, (orlop_text){key, 32}));
  OK(orlop_close(engine));
  engine = NULL;
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.snapshot = orlop_buffer_text(snapshot);
  FAILS(ORLOP_ERROR_STORAGE_SEALED, orlop_open(&engine, &options));
  options.secrets_key = (orlop_text){other_key, 32};
  FAILS(ORLOP_ERROR_STORAGE_SEALED, orlop_open(&engine, &options));
  options.secrets_key = ORLOP_TEXT("");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  options.secrets_key = (orlop_text){key, 32};
  OK(orlop_close(opened(&options)));
  options.snapshot = (orlop_text){NULL, 0};
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  orlop_buffer_free(snapshot);
}

// Imports an organization of one store into another one, and a second time under another name.
static void a_part_of_a_snapshot_is_imported(void) {
  orlop_engine *origin = opened(NULL);
  orlop_engine *target = opened(NULL);
  post(origin, ORLOP_TEXT("/organization"), ORLOP_TEXT("{\"name\":\"acme\",\"plan\":\"FREE\"}"));
  orlop_buffer *snapshot = NULL;
  OK(orlop_snapshot(&snapshot, origin));
  orlop_import_request request = ORLOP_IMPORT_REQUEST_INIT;
  FAILS(ORLOP_ERROR_MISUSE, orlop_import(NULL, target, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_import(NULL, target, &request));
  request.snapshot = orlop_buffer_text(snapshot);
  request.family = ORLOP_TEXT("organization");
  request.root = ORLOP_TEXT("Acme");
  FAILS(ORLOP_ERROR_MISUSE, orlop_import(NULL, NULL, &request));
  request.name = ORLOP_TEXT("");
  FAILS(ORLOP_ERROR_MISUSE, orlop_import(NULL, target, &request));
  request.name = (orlop_text){NULL, 0};
  request.secrets_key = (orlop_text){key, 31};
  FAILS(ORLOP_ERROR_MISUSE, orlop_import(NULL, target, &request));
  request.secrets_key = (orlop_text){NULL, 0};
  OK(orlop_import(NULL, target, &request));
  FAILS(ORLOP_ERROR_CONFLICT, orlop_import(NULL, target, &request));
  request.name = ORLOP_TEXT("twin");
  orlop_buffer *summary = NULL;
  OK(orlop_import(&summary, target, &request));
  CHECK(strstr(orlop_buffer_text(summary).data, "\"records\":1,\"new_ids\":{\"") != NULL);
  orlop_buffer_free(summary);
  request.root = ORLOP_TEXT("unknown");
  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_import(&summary, target, &request));
  orlop_buffer_free(snapshot);
  OK(orlop_close(origin));
  OK(orlop_close(target));
}

// A snapshot includes the rules.
static void a_rule_that_no_snapshot_can_hold_is_refused(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_rule rule = ORLOP_RULE_INIT;
  rule.fails = text_of("not \xff UTF-8");
  FAILS(ORLOP_ERROR_INVALID, orlop_rule_add(engine, &rule));
  rule.fails = text_of("");
  rule.name = text_of("\xff*");
  FAILS(ORLOP_ERROR_INVALID, orlop_rule_add(engine, &rule));
  rule.name = text_of("");
  rule.outputs = text_of("{");
  orlop_error *error = orlop_rule_add(engine, &rule);
  CHECK(strstr(orlop_error_message(error), "rule.outputs") != NULL);
  orlop_error_free(error);
  OK(orlop_close(engine));
}

int main(void) {
  a_snapshot_opens_another_engine();
  what_is_wrong_is_said();
  secrets_travel_sealed();
  secrets_travel_with_a_key_of_the_snapshot();
  a_part_of_a_snapshot_is_imported();
  a_rule_that_no_snapshot_can_hold_is_refused();
  return 0;
}
