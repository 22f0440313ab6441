// The default options, and options set by name.
#include <stddef.h>

#include "check.h"

// The library's defaults are those of the header; a caller of another version gets only the members that its struct
// has.
static void defaults(void) {
  const orlop_options expected = ORLOP_OPTIONS_INIT;
  struct {
    orlop_options known;
    char unknown[16];
  } given;
  memset(&given, 0xFF, sizeof given);
  orlop_options_init(&given.known, sizeof given.known);
  CHECK(given.known.size == sizeof given.known);
  CHECK(given.known.max_parallel_builds == 4 && given.known.rate_limit == UINT32_MAX &&
        given.known.require_cluster == 1);
  CHECK(given.known.storage.size == 7 && memcmp(given.known.storage.data, "memory:", 7) == 0);
  CHECK(given.known.step_deadline_ms == expected.step_deadline_ms && given.known.start_ms == expected.start_ms);
  CHECK(given.known.driver == NULL && given.known.store == NULL && given.known.snapshot.data == NULL);
  CHECK((unsigned char)given.unknown[0] == 0xFF);

  memset(&given, 0xFF, sizeof given);
  orlop_options_init(&given.known, offsetof(orlop_options, brand));
  CHECK(given.known.size == offsetof(orlop_options, brand));
  CHECK(given.known.durability == ORLOP_DURABILITY_AUTOMATIC);
  CHECK(given.known.max_parallel_builds == UINT32_MAX);  // not written

  memset(&given, 0xFF, sizeof given);
  orlop_options_init(&given.known, sizeof given);
  CHECK(given.known.size == sizeof given && given.unknown[0] == 0 && given.unknown[15] == 0);
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &given.known));
  OK(orlop_close(engine));
  orlop_options_init(NULL, sizeof given);
}

static orlop_options options = ORLOP_OPTIONS_INIT;

static void set(const char *name, const char *value) { OK(orlop_options_set(&options, name, value)); }

// The message holds each of the two texts.
static void refused(const char *name, const char *value, const char *first, const char *second) {
  orlop_error *error = orlop_options_set(&options, name, value);
  CHECK(orlop_error_code(error) == ORLOP_ERROR_MISUSE);
  const int is_said =
      strstr(orlop_error_message(error), first) != NULL && strstr(orlop_error_message(error), second) != NULL;
  if (!is_said) fprintf(stderr, "%s = %s: %s\n", name, value, orlop_error_message(error));
  CHECK(is_said);
  orlop_error_free(error);
}

static void by_name(void) {
  set("max_parallel_deploys", "64");
  CHECK(options.max_parallel_deploys == 64);
  set("step_deadline", "1h30m");
  CHECK(options.step_deadline_ms == 5400000);
  set("cancel_deadline", "250ms");
  CHECK(options.cancel_deadline_ms == 250);
  set("busy", "reject");
  CHECK(options.busy == ORLOP_BUSY_REJECT);
  set("simulation", "true");
  CHECK(options.simulation == 1);
  set("require_cluster", "false");
  CHECK(options.require_cluster == 0);
  set("start", "2030-06-01T12:00:00Z");
  CHECK(options.start_ms == INT64_C(1906545600000));
  CHECK(options.seeded == 0);
  set("seed", "18446744073709551615");
  CHECK(options.seeded == 1 && options.seed == UINT64_MAX);
  set("rate_limit", "0");
  CHECK(options.rate_limit == 0);
  set("mmap_size", "2147418112");
  CHECK(options.mmap_size == UINT64_C(2147418112));
  set("brand", "acme");
  set("storage", "memory:");
  set("kubernetes_versions", "1.30, 1.31");
  set("webhook_allow", "10.0.0.0/8");
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  int64_t now = 0;
  OK(orlop_now(engine, &now));
  CHECK(now == INT64_C(1906545600000));
  OK(orlop_close(engine));
}

static void empty_values(void) {
  refused("storage", "", "storage must be 1 to 4096 bytes", "not \"\"");
  refused("brand", "", "brand must be 1 to 32 lower case letters", "not \"\"");
  orlop_engine *none = NULL;
  orlop_options empty = ORLOP_OPTIONS_INIT;
  empty.storage = ORLOP_TEXT("");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&none, &empty));
  empty.storage = (orlop_text){NULL, 0};
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&none, &empty));
  empty = (orlop_options)ORLOP_OPTIONS_INIT;
  empty.snapshot = ORLOP_TEXT("");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&none, &empty));
  empty = (orlop_options)ORLOP_OPTIONS_INIT;
  empty.secret_key = ORLOP_TEXT("");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&none, &empty));
  empty = (orlop_options)ORLOP_OPTIONS_INIT;
  empty.kubernetes_versions = ORLOP_TEXT("1.31,");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&none, &empty));
  empty = (orlop_options)ORLOP_OPTIONS_INIT;
  empty.webhook_allow = ORLOP_TEXT(" ");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&none, &empty));
  CHECK(none == NULL);
}

static void what_is_wrong_is_named(void) {
  const orlop_options before = options;
  refused("max_paralel_builds", "4", "no option named \"max_paralel_builds\"", "\"max_parallel_builds\"");
  refused("port_timeout", "0s", "port_timeout must be 1ms to 366d", "not \"0s\"");
  refused("max_parallel_builds", "0", "max_parallel_builds must be 1 to 100000", "not \"0\"");
  refused("max_parallel_builds", "-1", "1 to 100000", "not \"-1\"");
  refused("max_parallel_builds", "4 ", "1 to 100000", "not \"4 \"");
  refused("max_parallel_builds", "", "1 to 100000", "not \"\"");
  refused("history_kept", "4294967296", "20 to 4294967295", "not \"4294967296\"");
  refused("seed", "18446744073709551616", "0 to 18446744073709551615", "not \"18446744073709551616\"");
  refused("step_deadline", "90", "1ms to 366d, such as 30s", "not \"90\"");
  refused("step_deadline", "367d", "1ms to 366d", "not \"367d\"");
  refused("step_deadline", "0s", "1ms to 366d", "not \"0s\"");
  refused("step_deadline", "99999999999999999999d", "1ms to 366d", "not");
  refused("busy", "wait", "one of queue, reject", "not \"wait\"");
  refused("require_cluster", "yes", "true or false", "not \"yes\"");
  refused("start", "noon", "1970-01-01T00:00:00.001Z to 9999", "not \"noon\"");
  refused("brand", "Acme", "1 to 32 lower case letters", "\"Acme\"");
  refused("webhook_allow", "10.0.0.0/40", "webhook_allow", "\"10.0.0.0/40\"");
  refused("platform_ips", "example.com", "platform_ips", "\"example.com\"");
  refused("secret_key", "0123", "secret_key is not text", "options.secret_key");
  refused("driver", "mine", "driver is not text", "options.driver");
  refused("size", "1", "no option named \"size\"", "\"size\"");  // a member of the struct that is not an option
  refused("storge", "memory:", "no option named \"storge\"", "the nearest known one is \"storage\"");
  FAILS(ORLOP_ERROR_MISUSE, orlop_options_set(NULL, "busy", "queue"));
  FAILS(ORLOP_ERROR_MISUSE, orlop_options_set(&options, NULL, "queue"));
  FAILS(ORLOP_ERROR_MISUSE, orlop_options_set(&options, "busy", NULL));
  CHECK(memcmp(&before, &options, sizeof options) == 0);

  // Texts that enter events and records must be UTF-8.
  orlop_options bytes = ORLOP_OPTIONS_INIT;
  orlop_engine *engine = NULL;
  bytes.engine_name = ORLOP_TEXT("deployer \xff");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &bytes));
  bytes.engine_name = ORLOP_TEXT("deployer \xe2\x82\xac");
  bytes.kubernetes_versions = ORLOP_TEXT("1.32,1.\xff");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &bytes));

  // As from a caller whose struct ends before the member.
  options.size = offsetof(orlop_options, mmap_size);
  refused("catalogs", "open", "too small for catalogs", "ORLOP_OPTIONS_INIT");
}

int main(void) {
  defaults();
  by_name();
  what_is_wrong_is_named();
  empty_values();
  return 0;
}
