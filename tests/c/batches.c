// Several requests in one transaction.
#include "orlop/batch.h"

#include <pthread.h>

#include "check.h"

static orlop_request request_of(const char *method, const char *path, const char *body) {
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = (orlop_text){method, strlen(method)};
  request.path = (orlop_text){path, strlen(path)};
  request.body = (orlop_text){body, strlen(body)};
  return request;
}

static orlop_reply *ask(orlop_batch *batch, const char *method, const char *path, const char *body) {
  const orlop_request request = request_of(method, path, body);
  orlop_reply *reply = NULL;
  OK(orlop_batch_dispatch(&reply, batch, &request));
  return reply;
}

static int status_of(orlop_batch *batch, const char *method, const char *path, const char *body) {
  orlop_reply *reply = ask(batch, method, path, body);
  const int status = orlop_reply_status(reply);
  orlop_reply_free(reply);
  return status;
}

static size_t organizations_of(orlop_engine *engine) {
  orlop_reply *reply = dispatch(engine, "GET", "/organization", "");
  size_t count = 0;
  char pointer[32];
  do snprintf(pointer, sizeof pointer, "/results/%zu", count);
  while (orlop_reply_find(reply, pointer).data != NULL && ++count);
  orlop_reply_free(reply);
  return count;
}

static void takes_effect_together(void) {
  orlop_engine *engine = open_simulation(NULL);
  uint64_t before = 0, after = 0;
  OK(orlop_last_event(engine, &before));
  orlop_batch *batch = NULL;
  OK(orlop_batch_begin(&batch, engine));
  orlop_reply *made = ask(batch, "POST", "/organization", "{\"name\":\"acme\",\"plan\":\"FREE\"}");
  CHECK(orlop_reply_status(made) == 201);
  char path[128];
  snprintf(path, sizeof path, "/organization/%s/project", orlop_reply_find(made, "/id").data);
  CHECK(status_of(batch, "POST", path, "{\"name\":\"shop\"}") == 200);
  orlop_reply *listed = ask(batch, "GET", path, "");
  CHECK(orlop_reply_find(listed, "/results/0/name").size == 4);
  orlop_reply_free(listed);
  CHECK(status_of(batch, "GET", "/organization/00000000-0000-0000-0000-000000000001", "") ==
        404);  // does not end the batch
  OK(orlop_batch_commit(batch));
  FAILS(ORLOP_ERROR_MISUSE, orlop_batch_commit(batch));
  orlop_reply *unused = NULL;
  const orlop_request request = request_of("GET", "/organization", "");
  FAILS(ORLOP_ERROR_MISUSE, orlop_batch_dispatch(&unused, batch, &request));
  orlop_batch_free(batch);
  FAILS(ORLOP_ERROR_CLOSED, orlop_batch_commit(batch));
  CHECK(organizations_of(engine) == 1);
  OK(orlop_last_event(engine, &after));
  CHECK(after >= before + 2);
  orlop_reply_free(made);
  OK(orlop_close(engine));
}

static void leaves_nothing(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_batch *batch = NULL;
  OK(orlop_batch_begin(&batch, engine));
  CHECK(status_of(batch, "POST", "/organization", "{\"name\":\"acme\",\"plan\":\"FREE\"}") == 201);
  orlop_batch_free(batch);  // rolls back: there was no commit
  CHECK(organizations_of(engine) == 0);

  OK(orlop_batch_begin(&batch, engine));
  CHECK(status_of(batch, "POST", "/organization", "{\"name\":\"acme\",\"plan\":\"FREE\"}") == 201);
  CHECK(status_of(batch, "POST", "/organization", "{\"name\":5}") == 400);
  orlop_reply *reply = NULL;
  const orlop_request request = request_of("GET", "/organization", "");
  FAILS(ORLOP_ERROR_CONFLICT, orlop_batch_dispatch(&reply, batch, &request));
  orlop_error *error = orlop_batch_commit(batch);
  CHECK(orlop_error_code(error) == ORLOP_ERROR_CONFLICT &&
        strstr(orlop_error_message(error), "request 2, POST /organization, was refused with 400") != NULL);
  orlop_error_free(error);
  orlop_batch_free(batch);
  CHECK(organizations_of(engine) == 0);
  OK(orlop_close(engine));
}

static void *use_elsewhere(void *context) {
  orlop_batch *batch = context;
  orlop_reply *reply = NULL;
  const orlop_request request = request_of("GET", "/organization", "");
  FAILS(ORLOP_ERROR_MISUSE, orlop_batch_dispatch(&reply, batch, &request));
  FAILS(ORLOP_ERROR_MISUSE, orlop_batch_commit(batch));
  return NULL;
}

static void *create_elsewhere(void *context) {
  orlop_reply *reply = dispatch(context, "POST", "/organization", "{\"name\":\"second\",\"plan\":\"FREE\"}");
  CHECK(orlop_reply_status(reply) == 201);
  orlop_reply_free(reply);
  return NULL;
}

static void belongs_to_its_thread(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_batch *batch = NULL, *second = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_batch_begin(NULL, engine));
  OK(orlop_batch_begin(&batch, engine));
  FAILS(ORLOP_ERROR_MISUSE, orlop_batch_begin(&second, engine));
  FAILS(ORLOP_ERROR_MISUSE, orlop_tick(engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_close(engine));
  orlop_reply *reply = NULL;
  orlop_request request = request_of("GET", "/organization", "");
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, &request));
  request.untrusted = 1;
  FAILS(ORLOP_ERROR_MISUSE, orlop_batch_dispatch(&reply, batch, &request));
  int64_t now = 0;
  OK(orlop_now(engine, &now));
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, use_elsewhere, batch) == 0);
  pthread_join(thread, NULL);
  CHECK(status_of(batch, "POST", "/organization", "{\"name\":\"first\",\"plan\":\"FREE\"}") == 201);
  CHECK(pthread_create(&thread, NULL, create_elsewhere, engine) == 0);  // the thread waits for the end of the batch
  OK(orlop_batch_commit(batch));
  pthread_join(thread, NULL);
  CHECK(organizations_of(engine) == 2);
  orlop_batch_free(batch);
  OK(orlop_close(engine));
}

static void ends_with_its_engine(void) {
  orlop_engine *engine = open_simulation(NULL), *second = NULL;
  OK(orlop_share(&second, engine));
  orlop_batch *batch = NULL;
  OK(orlop_batch_begin(&batch, engine));
  orlop_batch_free(batch);
  OK(orlop_close(second));
  OK(orlop_close(engine));
  FAILS(ORLOP_ERROR_CLOSED, orlop_batch_begin(&batch, engine));
  orlop_batch_free(NULL);
}

// Requests that do not create by name refuse names, the description, the feed and the control of a simulation included.
static void refuses_names(orlop_engine *engine) {
  const orlop_text names[] = {ORLOP_TEXT("a")};
  const char *const requests[][3] = {
      {"GET", "/openapi.json", ""},
      {"GET", "/-/events", ""},
      {"DELETE", "/-/events?through=1", ""},
      {"PUT", "/-/events/consumers/audit", ""},
      {"GET", "/-/sim/clock", ""},
      {"POST", "/-/sim/rules", "{\"step\":\"deploy\",\"after\":\"1m\"}"},
      {"DELETE", "/-/sim/faults?x=1", ""},
      {"GET", "/organization", ""},
      {"POST", "/-/sim/record", "{\"record\":\"none\"}"},
  };
  for (size_t at = 0; at < sizeof requests / sizeof requests[0]; ++at) {
    orlop_request request = request_of(requests[at][0], requests[at][1], requests[at][2]);
    request.names = names;
    request.name_count = 1;
    orlop_reply *reply = NULL;
    OK(orlop_dispatch(&reply, engine, &request));
    CHECK(orlop_reply_status(reply) == 400 &&
          strstr(orlop_reply_body(reply).data, "does not create resources by their names alone") != NULL);
    orlop_reply_free(reply);
    request.name_count = 0;
    OK(orlop_dispatch(&reply, engine, &request));
    CHECK(orlop_reply_status(reply) < 300);
    orlop_reply_free(reply);
  }
}

static void creates_by_names(void) {
  orlop_engine *engine = open_simulation(NULL);
  const platform made = create_platform(engine);
  char path[128];
  snprintf(path, sizeof path, "/environment/%s/database", made.environment);
  const orlop_text names[] = {ORLOP_TEXT("a"), ORLOP_TEXT("b"), ORLOP_TEXT("c"), {NULL, 3}};
  orlop_request request = request_of("POST", path, "{\"type\":\"REDIS\",\"version\":\"7\",\"mode\":\"CONTAINER\"}");
  request.names = names;
  request.name_count = 3;
  orlop_reply *reply = NULL;
  OK(orlop_dispatch(&reply, engine, &request));
  CHECK(orlop_reply_status(reply) == 201);
  CHECK(orlop_reply_find(reply, "/2").size == 36 && orlop_reply_find(reply, "/3").data == NULL);
  orlop_reply_free(reply);
  OK(orlop_dispatch(&reply, engine, &request));
  CHECK(orlop_reply_status(reply) == 409 && strstr(orlop_reply_body(reply).data, "names[0]") != NULL);
  orlop_reply_free(reply);
  request.name_count = 4;
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, &request));
  request.names = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_dispatch(&reply, engine, &request));

  const orlop_text others[] = {ORLOP_TEXT("d"), ORLOP_TEXT("e")};
  request.names = others;
  request.name_count = 2;
  orlop_batch *batch = NULL;
  OK(orlop_batch_begin(&batch, engine));
  OK(orlop_batch_dispatch(&reply, batch, &request));
  CHECK(orlop_reply_status(reply) == 201);
  orlop_reply_free(reply);
  OK(orlop_batch_commit(batch));
  orlop_batch_free(batch);
  reply = dispatch(engine, "GET", path, "");
  CHECK(orlop_reply_find(reply, "/results/5/name").size == 1 && orlop_reply_find(reply, "/results/6").data == NULL);
  orlop_reply_free(reply);
  refuses_names(engine);
  OK(orlop_close(engine));
}

int main(void) {
  takes_effect_together();
  creates_by_names();
  leaves_nothing();
  belongs_to_its_thread();
  ends_with_its_engine();
  return 0;
}
