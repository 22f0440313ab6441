// Callers older and newer than the library, and options out of their bounds.
#include <stddef.h>

#include "check.h"

static orlop_engine *engine;

static void opens(const orlop_options *options) {
  OK(orlop_open(&engine, options));
  CHECK(engine != NULL);
  OK(orlop_close(engine));
  engine = NULL;
}

static void refused(orlop_code code, const orlop_options *options) {
  FAILS(code, orlop_open(&engine, options));
  CHECK(engine == NULL);
}

static void sizes(void) {
  opens(NULL);
  // The struct of an older caller has fewer members: the library does not read beyond them.
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.start_ms = -1;
  refused(ORLOP_ERROR_MISUSE, &options);
  options.size = offsetof(orlop_options, start_ms);
  opens(&options);
  options.size = offsetof(orlop_options, log);
  opens(&options);

  options.size = 0;
  refused(ORLOP_ERROR_MISUSE, &options);
  options.size = sizeof(size_t);
  refused(ORLOP_ERROR_MISUSE, &options);
  options.size = SIZE_MAX;
  refused(ORLOP_ERROR_MISUSE, &options);

  // The struct of a newer caller may have members that this library does not have, if they are zero.
  struct {
    orlop_options known;
    uint64_t unknown;
  } newer = {ORLOP_OPTIONS_INIT, 0};
  newer.known.size = sizeof newer;
  opens(&newer.known);
  newer.unknown = 1;
  refused(ORLOP_ERROR_MISUSE, &newer.known);
}

static int64_t now_of(void *context) { return *(int64_t *)context; }
static uint64_t draw_of(void *context) { return ++*(uint64_t *)context; }

static void bounds(void) {
  orlop_options options = ORLOP_OPTIONS_INIT;
#define REFUSED(member, value)                   \
  do {                                           \
    options = (orlop_options)ORLOP_OPTIONS_INIT; \
    options.member = value;                      \
    refused(ORLOP_ERROR_MISUSE, &options);       \
  } while (0)
  REFUSED(durability, 3);
  REFUSED(durability, -1);
  REFUSED(busy, 2);
  REFUSED(brand, ORLOP_TEXT("Upper"));
  REFUSED(brand, ORLOP_TEXT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
  REFUSED(storage, ORLOP_TEXT("a\0b"));
  REFUSED(storage.data, NULL);
  REFUSED(max_parallel_builds, 100001);
  REFUSED(step_deadline_ms, -5);
  REFUSED(cancel_deadline_ms, INT64_MAX);
  REFUSED(history_kept, 19);
  REFUSED(start_ms, INT64_MAX);
  REFUSED(max_parallel_builds, 0);
  REFUSED(brand, ORLOP_TEXT(""));
  REFUSED(catalogs, 2);
  REFUSED(mmap_size, UINT64_C(2147418113));
  REFUSED(kubernetes_versions, ORLOP_TEXT("1.30,"));
  REFUSED(kubernetes_versions, ORLOP_TEXT("1.30,1.31,1.30"));

  options = (orlop_options)ORLOP_OPTIONS_INIT;
  options.storage = ORLOP_TEXT("tape:drive");
  refused(ORLOP_ERROR_INVALID, &options);
  options.storage = ORLOP_TEXT("sqlite:/no/such/folder/platform.db");
  refused(ORLOP_ERROR_STORAGE_FAILED, &options);
}

static int released;
static void count_release(void *context) {
  (void)context;
  ++released;
}

static void sources(void) {
  int64_t time = 1767225600000;
  uint64_t draws = 0;
  const orlop_clock clock = {sizeof clock, &time, now_of, count_release, NULL};
  const orlop_random_source random_source = {sizeof random_source, &draws, draw_of, count_release};
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.clock = &clock;
  options.random_source = &random_source;
  OK(orlop_open(&engine, &options));
  int64_t now = 0;
  OK(orlop_now(engine, &now));
  CHECK(now == time);
  time = INT64_MIN;
  OK(orlop_now(engine, &now));
  CHECK(now == 1767225600000);
  char id[37];
  create(engine, id, "/organization%s", "", "{\"name\":\"acme\",\"plan\":\"FREE\"}");
  CHECK(draws > 0);
  FAILS(ORLOP_ERROR_MISUSE, orlop_advance(engine, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_run_until_idle(engine, NULL));
  CHECK(released == 0);
  OK(orlop_close(engine));
  CHECK(released == 2);
  engine = NULL;

  options.simulation = 1;
  refused(ORLOP_ERROR_MISUSE, &options);
  options.clock = NULL;
  refused(ORLOP_ERROR_MISUSE, &options);
  options.simulation = 0;
  options.seeded = 1;
  refused(ORLOP_ERROR_MISUSE, &options);
  CHECK(released == 2);  // a struct that was not taken over is not released

  const orlop_clock silent = {sizeof silent, NULL, NULL, NULL, NULL};
  options = (orlop_options)ORLOP_OPTIONS_INIT;
  options.clock = &silent;
  refused(ORLOP_ERROR_MISUSE, &options);
  const orlop_driver idle = ORLOP_DRIVER_INIT;
  options.clock = NULL;
  options.driver = &idle;
  refused(ORLOP_ERROR_MISUSE, &options);
}

static void macros(void) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", ORLOP_VERSION_MAJOR, ORLOP_VERSION_MINOR, ORLOP_VERSION_PATCH);
  CHECK(strcmp(text, ORLOP_VERSION) == 0);
  CHECK(strcmp(orlop_version(), ORLOP_VERSION) == 0);
  CHECK(ORLOP_VERSION_NUMBER == ORLOP_VERSION_MAJOR * 1000000 + ORLOP_VERSION_MINOR * 1000 + ORLOP_VERSION_PATCH);
#if ORLOP_VERSION_NUMBER < 1000
#error "the preprocessor must be able to compare it"
#endif
}

// A request is versioned like any other struct.
static void requests(void) {
  engine = open_simulation(NULL);
  orlop_reply *reply = NULL;
  struct {
    orlop_request known;
    uint64_t unknown;
  } newer = {ORLOP_REQUEST_INIT, 0};
  newer.known.method = ORLOP_TEXT("GET");
  newer.known.path = ORLOP_TEXT("/organization");
  newer.known.size = sizeof newer;
  OK(orlop_dispatch(&reply, engine, &newer.known));
  CHECK(orlop_reply_status(reply) == 200);
  orlop_reply_free(reply);
  reply = NULL;
  newer.unknown = 1;
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, &newer.known));
  newer.unknown = 0;
  newer.known.size = 0;  // the size of a caller that did not use the macro
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, &newer.known));
  newer.known.size = offsetof(orlop_request, query);
  newer.known.body.size = 5;  // a member that an older caller does not have
  OK(orlop_dispatch(&reply, engine, &newer.known));
  orlop_reply_free(reply);
  OK(orlop_close(engine));
  engine = NULL;
}

int main(void) {
  macros();
  requests();
  sizes();
  bounds();
  sources();
  return 0;
}
