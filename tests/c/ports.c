// The struct of each port: its size, its functions, and when it is released.
#include <stdlib.h>

#include "check.h"
#include "orlop/ports.h"

static int releases;
static void count_release(void *context) {
  CHECK(context == &releases);
  ++releases;
}

static void write_nothing(void *context, orlop_log_level level, orlop_text message) {
  (void)context, (void)level, (void)message;
}
static orlop_error *accept_step(void *context, const orlop_step *step) { return (void)context, (void)step, NULL; }
static int64_t at_noon(void *context) { return (void)context, 1767268800000; }
static uint64_t draw_next(void *context) {
  static uint64_t state = 1;
  (void)context;
  return state = state * 6364136223846793005u + 1442695040888963407u;
}
static orlop_error *keep_ask(void *context, const orlop_ask *ask) { return (void)context, (void)ask, NULL; }

static char last_message[256];
static void write_down(void *context, orlop_log_level level, orlop_text message) {
  (void)context;
  CHECK(level == ORLOP_LOG_WARNING);
  snprintf(last_message, sizeof last_message, "%s", message.data);
}

static int deliveries;
static orlop_error *refuse_delivery(void *context, const orlop_delivery *delivery) {
  (void)context;
  CHECK(delivery->size == sizeof *delivery && delivery->attempt > 0 && delivery->header_count > 0);
  ++deliveries;
  return orlop_error_new(ORLOP_ERROR_UNANSWERED, ORLOP_TEXT("the queue is full"));
}

// Opens with these options and expects `code`; closes the engine if that succeeds.
static void tries(orlop_code code, const orlop_options *options, int released) {
  orlop_engine *engine = NULL;
  releases = 0;
  FAILS(code, orlop_open(&engine, options));
  if (code == ORLOP_ERROR_NONE) {
    CHECK(releases == 0);
    OK(orlop_close(engine));
  }
  CHECK(releases == released);
}

// Checks every port: `given` has the port's first function, which is the member `required`.
#define CHECK_PORT(name, required, function)                                    \
  do {                                                                          \
    struct {                                                                    \
      orlop_##name port;                                                        \
      char later[16];                                                           \
    } given;                                                                    \
    memset(&given, 0, sizeof given);                                            \
    orlop_options options = ORLOP_OPTIONS_INIT;                                 \
    const orlop_##name initial = first_##name;                                  \
    CHECK(initial.size == sizeof initial && initial.required == NULL);          \
    given.port = initial;                                                       \
    given.port.context = &releases;                                             \
    given.port.release = count_release;                                         \
    options.name = &given.port;                                                 \
    tries(ORLOP_ERROR_MISUSE, &options, 0); /* the required function is NULL */ \
    given.port.required = function;                                             \
    tries(ORLOP_ERROR_NONE, &options, 1);                                       \
    given.port.size = offsetof(orlop_##name, required); /* too small for it */  \
    tries(ORLOP_ERROR_MISUSE, &options, 0);                                     \
    given.port.size = 0;                                                        \
    tries(ORLOP_ERROR_MISUSE, &options, 0);                                     \
    given.port.size = (size_t)-1;                                               \
    tries(ORLOP_ERROR_MISUSE, &options, 0);                                     \
    given.port.size = sizeof given; /* a later version, no new member set */    \
    tries(ORLOP_ERROR_NONE, &options, 1);                                       \
    given.later[15] = 1;                                                        \
    tries(ORLOP_ERROR_MISUSE, &options, 0);                                     \
    given.port.size = sizeof given.port;                                        \
    options.storage = ORLOP_TEXT("sqlite:/no/such/folder/platform.db");         \
    tries(ORLOP_ERROR_STORAGE_FAILED, &options, 0); /* not taken over */        \
    options.storage = ORLOP_TEXT("memory:");                                    \
    given.port.release = NULL;                                                  \
    tries(ORLOP_ERROR_NONE, &options, 0);                                       \
  } while (0)

#define first_log ORLOP_LOG_INIT
#define first_driver ORLOP_DRIVER_INIT
#define first_clock ORLOP_CLOCK_INIT
#define first_random_source ORLOP_RANDOM_SOURCE_INIT
#define first_webhook_sender ORLOP_WEBHOOK_SENDER_INIT
#define first_external_systems                                                \
  {                                                                           \
    sizeof(orlop_external_systems), NULL, NULL, NULL, { "list_branches", 13 } \
  }

static void structs_are_checked(void) {
  CHECK_PORT(log, write, write_nothing);
  CHECK_PORT(driver, start, accept_step);
  CHECK_PORT(clock, now, at_noon);
  CHECK_PORT(random_source, draw, draw_next);
  CHECK_PORT(external_systems, ask, keep_ask);
  CHECK_PORT(webhook_sender, deliver, refuse_delivery);
}

static void a_refusal_is_logged(void) {
  orlop_log log = ORLOP_LOG_INIT;
  log.write = write_down;
  orlop_webhook_sender webhook_sender = ORLOP_WEBHOOK_SENDER_INIT;
  webhook_sender.deliver = refuse_delivery;
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.simulation = 1;
  options.log = &log;
  options.webhook_sender = &webhook_sender;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  const platform made = create_platform(engine);
  char id[37];
  create(engine, id, "/organization/%s/webhook", made.organization,
         "{\"kind\":\"STANDARD\",\"target_url\":\"https://hooks.example.com/"
         "x\",\"target_secret\":\"hush\",\"events\":[\"DEPLOYMENT_STARTED\"]}");
  deploy(engine, &made);
  OK(orlop_advance(engine, 0));
  CHECK(deliveries == 1);
  CHECK(strcmp(last_message, "the webhook sender failed: the queue is full") == 0);
  OK(orlop_close(engine));
}

int main(void) {
  structs_are_checked();
  a_refusal_is_logged();
  return 0;
}
