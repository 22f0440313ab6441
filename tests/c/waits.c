// Waits for one deployment in real time, the descriptor for events, and ports by name.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "orlop/feed.h"

#ifndef F_SETPIPE_SZ
#define F_SETPIPE_SZ 1031  // of Linux, and not of POSIX
#endif

// ---- A driver whose first step another thread ends ----

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_begun = PTHREAD_COND_INITIALIZER;
static orlop_engine *driven;  // the handle of the step
static orlop_id begun;
static int count;

static orlop_error *note(void *context, const orlop_step *step) {
  (void)context;
  pthread_mutex_lock(&mutex);
  driven = step->engine;
  begun = step->id;
  ++count;
  pthread_cond_signal(&has_begun);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *end_it(void *unused) {
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&has_begun, &mutex);
  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  report.step = begun;
  report.kind = ORLOP_REPORT_SUCCEEDED;
  OK(orlop_report(driven, &report));
  pthread_mutex_unlock(&mutex);
  return unused;
}

static orlop_engine *open_driven(const char *path) {
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.start = note;
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  OK(orlop_options_set(&options, "storage", path));
  OK(orlop_options_set_port(&options, "driver", &driver));
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  return engine;
}

static orlop_id deployment_of(orlop_engine *engine, const platform *made) {
  char path[128];
  snprintf(path, sizeof path, "/database/%s/deploy", made->database);
  orlop_reply *reply = dispatch(engine, "POST", path, "");
  CHECK(orlop_reply_status(reply) == 202);
  orlop_id request;
  OK(orlop_id_parse(&request, orlop_reply_find(reply, "/deployment_request_id")));
  orlop_reply_free(reply);
  return request;
}

static void waits_for_a_deployment(void) {
  orlop_engine *engine = open_driven("memory:");
  const platform made = create_platform(engine);
  const orlop_id request = deployment_of(engine, &made);
  int32_t ended = 7;
  OK(orlop_wait_ended(engine, request, 0, &ended));
  CHECK(ended == 0 && count == 1);  // the wait has ticked, and the step runs
  OK(orlop_interrupt(engine));
  OK(orlop_wait_ended(engine, request, -1, &ended));  // an interruption ends the wait
  CHECK(ended == 0);

  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, end_it, NULL) == 0);
  OK(orlop_wait_ended(engine, request, -1, &ended));
  CHECK(ended == 1);
  CHECK(status_holds(engine, &made, "\"DEPLOYED\""));
  CHECK(pthread_join(thread, NULL) == 0);
  OK(orlop_wait_ended(engine, request, 0, NULL));  // the deployment has ended already

  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_wait_ended(engine, (orlop_id){{1}}, 0, &ended));
  FAILS(ORLOP_ERROR_MISUSE, orlop_wait_ended(engine, request, -2, &ended));
  FAILS(ORLOP_ERROR_MISUSE, orlop_wait_ended(NULL, request, 0, &ended));
  OK(orlop_close(engine));
  FAILS(ORLOP_ERROR_CLOSED, orlop_wait_ended(engine, request, 0, &ended));

  engine = open_simulation(NULL);
  FAILS(ORLOP_ERROR_MISUSE, orlop_wait_ended(engine, request, 0, &ended));
  OK(orlop_close(engine));
}

// ---- Events ----

static int is_readable(int descriptor) {
  struct pollfd looked = {descriptor, POLLIN, 0};
  const int found = poll(&looked, 1, 0);
  CHECK(found >= 0);
  return found == 1 && (looked.revents & POLLIN) != 0;
}

static void read_all(int descriptor) {
  char bytes[64];
  while (read(descriptor, bytes, sizeof bytes) > 0) continue;
}

static void create_organization(orlop_engine *engine, int number) {
  char body[64];
  snprintf(body, sizeof body, "{\"name\":\"org %d\",\"plan\":\"FREE\"}", number);
  orlop_reply *reply = dispatch(engine, "POST", "/organization", body);
  CHECK(orlop_reply_status(reply) == 201);
  orlop_reply_free(reply);
}

static void shows_events_by_a_descriptor(void) {
  orlop_engine *engine = open_driven("memory:");
  int32_t descriptor = -1;
  OK(orlop_event_fd(engine, &descriptor));
  CHECK(descriptor >= 0 && !is_readable(descriptor));
  for (int round = 0; round < 3; ++round) {
    create_organization(engine, round);
    CHECK(is_readable(descriptor));
    read_all(descriptor);
    CHECK(!is_readable(descriptor));
  }
  int32_t again = -1;
  OK(orlop_event_fd(engine, &again));
  CHECK(again == descriptor);
  // More events than the pipe has bytes: writers do not wait for a reader.
  (void)fcntl(descriptor, F_SETPIPE_SZ, 4096);
  for (int number = 0; number < 5000; ++number) create_organization(engine, 100 + number);
  CHECK(is_readable(descriptor));
  read_all(descriptor);
  CHECK(!is_readable(descriptor));
  FAILS(ORLOP_ERROR_MISUSE, orlop_event_fd(engine, NULL));
  OK(orlop_close(engine));
  FAILS(ORLOP_ERROR_CLOSED, orlop_event_fd(engine, &descriptor));
}

// ---- Ports by name ----

static void sets_ports_by_name(void) {
  orlop_driver driver = ORLOP_DRIVER_INIT;
  orlop_options options = ORLOP_OPTIONS_INIT;
  OK(orlop_options_set_port(&options, "driver", &driver));
  CHECK(options.driver == &driver);
  OK(orlop_options_set_port(&options, "driver", NULL));
  CHECK(options.driver == NULL);
  FAILS(ORLOP_ERROR_MISUSE, orlop_options_set_port(&options, "drivers", &driver));
  FAILS(ORLOP_ERROR_MISUSE, orlop_options_set_port(&options, "busy", &driver));
  FAILS(ORLOP_ERROR_MISUSE, orlop_options_set_port(&options, NULL, &driver));
  FAILS(ORLOP_ERROR_MISUSE, orlop_options_set_port(NULL, "driver", &driver));
  options.size = sizeof options.size;
  FAILS(ORLOP_ERROR_MISUSE, orlop_options_set_port(&options, "driver", &driver));
}

int main(void) {
  waits_for_a_deployment();
  shows_events_by_a_descriptor();
  sets_ports_by_name();
  return 0;
}
