// Shared by the tests in C: a check that ends the program, and the first steps of most tests.
#ifndef ORLOP_TESTS_CHECK_H
#define ORLOP_TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orlop/driver.h"
#include "orlop/orlop.h"

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

// Checks that the call succeeds.
#define OK(call) check_code((call), ORLOP_ERROR_NONE, #call, __FILE__, __LINE__)
// Checks that the call fails with this code and a message of one sentence.
#define FAILS(code, call) check_code((call), (code), #call, __FILE__, __LINE__)

static inline void check_code(orlop_error *error, orlop_code code, const char *call, const char *file, int line) {
  if (orlop_error_code(error) != code) {
    fprintf(stderr, "%s:%d: %s gave %s (%s), not code %d\n", file, line, call, orlop_error_name(error),
            orlop_error_message(error), (int)code);
    exit(1);
  }
  if (error != NULL && strlen(orlop_error_message(error)) < 10) {
    fprintf(stderr, "%s:%d: %s failed without a sentence\n", file, line, call);
    exit(1);
  }
  orlop_error_free(error);
}

static inline orlop_text text_of(const char *text) {
  orlop_text view = {text, strlen(text)};
  return view;
}

static inline orlop_engine *open_simulation(const struct orlop_driver *driver) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.simulation = 1;
  options.seed = 7;
  options.driver = driver;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  return engine;
}

static inline orlop_reply *dispatch(orlop_engine *engine, const char *method, const char *path, const char *body) {
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = text_of(method);
  request.path = text_of(path);
  request.body = text_of(body);
  orlop_reply *reply = NULL;
  OK(orlop_dispatch(&reply, engine, &request));
  return reply;
}

// Creates a resource at `collection` (with %s for `parent`), and writes its id to `id`.
static inline void create(orlop_engine *engine, char id[37], const char *collection, const char *parent,
                          const char *body) {
  char path[256];
  snprintf(path, sizeof path, collection, parent);
  orlop_reply *reply = dispatch(engine, "POST", path, body);
  if (orlop_reply_status(reply) >= 300) fprintf(stderr, "POST %s: %s\n", path, orlop_reply_body(reply).data);
  CHECK(orlop_reply_status(reply) < 300);
  const char *found = strstr(orlop_reply_body(reply).data, "\"id\":\"");
  CHECK(found != NULL);
  memcpy(id, found + 6, 36);
  id[36] = 0;
  orlop_reply_free(reply);
}

typedef struct platform {
  char organization[37], cluster[37], project[37], environment[37], database[37];
} platform;

// Creates an environment with one database, not deployed yet.
static inline platform create_platform(orlop_engine *engine) {
  platform made;
  create(engine, made.organization, "/organization%s", "", "{\"name\":\"acme\",\"plan\":\"FREE\"}");
  create(engine, made.cluster, "/organization/%s/cluster", made.organization,
         "{\"name\":\"europe\",\"region\":\"eu-west-3\",\"cloud_provider\":\"AWS\"}");
  create(engine, made.project, "/organization/%s/project", made.organization, "{\"name\":\"shop\"}");
  create(engine, made.environment, "/project/%s/environment", made.project,
         "{\"name\":\"production\",\"mode\":\"PRODUCTION\"}");
  create(engine, made.database, "/environment/%s/database", made.environment,
         "{\"name\":\"orders\",\"type\":\"POSTGRESQL\",\"version\":\"16\",\"mode\":\"CONTAINER\"}");
  return made;
}

static inline void deploy(orlop_engine *engine, const platform *made) {
  char path[128];
  snprintf(path, sizeof path, "/environment/%s/deploy", made->environment);
  orlop_reply *reply = dispatch(engine, "POST", path, "");
  CHECK(orlop_reply_status(reply) == 202);
  orlop_reply_free(reply);
}

static inline int status_holds(orlop_engine *engine, const platform *made, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "/database/%s/status", made->database);
  orlop_reply *reply = dispatch(engine, "GET", path, "");
  CHECK(orlop_reply_status(reply) == 200);
  const int holds = strstr(orlop_reply_body(reply).data, text) != NULL;
  orlop_reply_free(reply);
  return holds;
}

#endif
