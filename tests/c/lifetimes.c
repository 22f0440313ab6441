// Handles that end in any order, on any thread, and in a child after fork().
#include <pthread.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void ends_in_any_order(void) {
  orlop_engine *first = open_simulation(NULL);
  orlop_engine *second = NULL;
  OK(orlop_share(&second, first));
  CHECK(second != first);
  const platform made = create_platform(first);
  orlop_buffer *events = NULL;
  OK(orlop_events(&events, second, 0, 100));
  OK(orlop_close(first));
  FAILS(ORLOP_ERROR_CLOSED, orlop_tick(first, NULL));
  deploy(second, &made);  // the engine lives on under its other handle
  OK(orlop_run_until_idle(second, NULL));
  CHECK(status_holds(second, &made, "\"DEPLOYED\""));
  orlop_reply *reply = dispatch(second, "GET", "/organization", "");
  OK(orlop_close(second));
  CHECK(orlop_buffer_text(events).size > 2 && orlop_reply_body(reply).size > 2);
  orlop_buffer_free(events);
  orlop_reply_free(reply);
}

static void *wait_for_ever(void *engine) {
  orlop_error *error = orlop_wait(engine, -1, NULL);
  // The engine was closed before the wait began, or during it.
  CHECK(error == NULL || orlop_error_code(error) == ORLOP_ERROR_CLOSED);
  orlop_error_free(error);
  return NULL;
}

static void closing_ends_a_wait(void) {
  for (int round = 0; round < 50; ++round) {
    orlop_engine *engine = open_simulation(NULL);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_for_ever, engine) == 0);
    OK(orlop_close(engine));
    CHECK(pthread_join(thread, NULL) == 0);
  }
}

static void interrupting_ends_a_wait(void) {
  orlop_engine *engine = open_simulation(NULL);
  int32_t ready = 1;
  OK(orlop_interrupt(engine));
  OK(orlop_wait(engine, -1, &ready));  // interrupts the next wait, because none was under way
  CHECK(ready == 0);
  OK(orlop_wait(engine, 0, &ready));
  CHECK(ready == 0);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_wait(engine, -1, &ready));
  CHECK(ready == 1);
  OK(orlop_close(engine));
}

static void draining_in_parts_keeps_running_steps(void) {
  orlop_engine *engine = open_simulation(NULL);
  const platform made = create_platform(engine);
  orlop_reply_free(dispatch(engine, "POST", "/-/sim/rules", "{\"step\":\"deploy\",\"after\":\"1h\"}"));
  deploy(engine, &made);
  OK(orlop_tick(engine, NULL));
  int32_t drained = 1;
  OK(orlop_begin_drain(engine, 0, &drained));
  CHECK(drained == 0);
  OK(orlop_begin_drain(engine, 10, NULL));
  OK(orlop_run_until_idle(engine, NULL));
  OK(orlop_begin_drain(engine, -1, &drained));
  CHECK(drained == 1);
  CHECK(status_holds(engine, &made, "\"DEPLOYED\""));
  OK(orlop_drain(engine, 0, &drained));
  CHECK(drained == 1);
  FAILS(ORLOP_ERROR_MISUSE, orlop_begin_drain(engine, -2, &drained));
  OK(orlop_close(engine));
  FAILS(ORLOP_ERROR_CLOSED, orlop_begin_drain(engine, 0, &drained));
}

static void *use_until_closed(void *engine) {
  for (;;) {
    orlop_request request = ORLOP_REQUEST_INIT;
    request.method = ORLOP_TEXT("GET");
    request.path = ORLOP_TEXT("/organization");
    orlop_reply *reply = NULL;
    orlop_error *error = orlop_dispatch(&reply, engine, &request);
    orlop_reply_free(reply);
    if (error != NULL) {
      CHECK(orlop_error_code(error) == ORLOP_ERROR_CLOSED);
      orlop_error_free(error);
      return NULL;
    }
  }
}

static void closing_under_use(void) {
  for (int round = 0; round < 20; ++round) {
    orlop_engine *engine = open_simulation(NULL);
    pthread_t threads[3];
    for (int place = 0; place < 3; ++place) CHECK(pthread_create(&threads[place], NULL, use_until_closed, engine) == 0);
    for (int calls = 0; calls < 50; ++calls) orlop_reply_free(dispatch(engine, "GET", "/organization", ""));
    OK(orlop_close(engine));
    for (int place = 0; place < 3; ++place) CHECK(pthread_join(threads[place], NULL) == 0);
  }
}

// After fork() the child finds no table of handles locked, while other threads use the engine.
static void a_child_may_not_use_it(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_engine *busy = open_simulation(NULL);
  orlop_reply *reply = dispatch(engine, "GET", "/organization", "");
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, use_until_closed, busy) == 0);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      FAILS(ORLOP_ERROR_FOREIGN_HANDLE, orlop_tick(engine, NULL));
      FAILS(ORLOP_ERROR_FOREIGN_HANDLE, orlop_close(engine));
      CHECK(orlop_reply_status(reply) == 200);
      orlop_engine *own = open_simulation(NULL);
      OK(orlop_tick(own, NULL));
      OK(orlop_close(own));
      _exit(0);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  OK(orlop_close(busy));
  CHECK(pthread_join(thread, NULL) == 0);
  OK(orlop_tick(engine, NULL));
  orlop_reply_free(reply);
  OK(orlop_close(engine));
}

// A slot is reused, and no old handle refers to it.
static void numbers_never_come_back(void) {
  orlop_error *old[64];
  for (int place = 0; place < 64; ++place) {
    old[place] = orlop_error_new(ORLOP_ERROR_CONFLICT, ORLOP_TEXT("taken"));
    orlop_error_free(old[place]);
  }
  for (int place = 0; place < 64; ++place) CHECK(orlop_error_code(old[place]) == ORLOP_ERROR_CLOSED);
}

int main(void) {
  ends_in_any_order();
  closing_ends_a_wait();
  interrupting_ends_a_wait();
  draining_in_parts_keeps_running_steps();
  closing_under_use();
  a_child_may_not_use_it();
  numbers_never_come_back();
  return 0;
}
