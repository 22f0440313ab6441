// Rules of requests in a simulation: requests of an environment wait in QUEUED, for a time or for other requests.
#include "check.h"

static int is_in(orlop_engine *engine, const char *database, const char *state) {
  char path[128];
  snprintf(path, sizeof path, "/database/%s/status", database);
  orlop_reply *reply = dispatch(engine, "GET", path, "");
  const int holds = strstr(orlop_reply_body(reply).data, state) != NULL;
  orlop_reply_free(reply);
  return holds;
}

static int status_of_rule(orlop_engine *engine, const char *rule) {
  orlop_reply *reply = dispatch(engine, "POST", "/-/sim/rules", rule);
  const int status = (int)orlop_reply_status(reply);
  orlop_reply_free(reply);
  return status;
}

int main(void) {
  orlop_engine *engine = open_simulation(NULL);
  const platform made = create_platform(engine);
  CHECK(status_of_rule(engine, "{\"step\":\"deploy\",\"kind\":\"environment\",\"queued\":\"5m\"}") == 204);
  CHECK(status_of_rule(engine, "{\"kind\":\"environment\",\"parallel\":0}") == 400);
  CHECK(status_of_rule(engine, "{\"kind\":\"environment\",\"queued\":null}") == 400);
  deploy(engine, &made);
  CHECK(is_in(engine, made.database, "\"QUEUED\""));
  OK(orlop_advance(engine, 299999));
  CHECK(is_in(engine, made.database, "\"QUEUED\""));
  uint64_t saved = 0;
  OK(orlop_state_save(&saved, engine));
  orlop_options options = ORLOP_OPTIONS_INIT;
  orlop_engine *fork = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_fork(&fork, engine, &options));  // not a simulation
  options.simulation = 1;
  FAILS(ORLOP_ERROR_MISUSE, orlop_fork(NULL, engine, &options));
  options.storage = ORLOP_TEXT("store.db");
  FAILS(ORLOP_ERROR_MISUSE, orlop_fork(&fork, engine, &options));
  options.storage = ORLOP_TEXT("memory:");
  options.require_cluster = 0;
  options.seed = 77;  // ignored
  OK(orlop_fork(&fork, engine, &options));
  options.snapshot = ORLOP_TEXT("{}");
  FAILS(ORLOP_ERROR_MISUSE, orlop_fork(&fork, engine, &options));
  OK(orlop_run_until_idle(fork, NULL));
  CHECK(is_in(fork, made.database, "\"DEPLOYED\""));
  OK(orlop_close(fork));
  CHECK(is_in(engine, made.database, "\"QUEUED\""));
  OK(orlop_advance(engine, 1));
  CHECK(is_in(engine, made.database, "\"DEPLOYED\""));
  OK(orlop_state_restore(engine, saved));
  CHECK(is_in(engine, made.database, "\"QUEUED\""));
  OK(orlop_run_until_idle(engine, NULL));
  CHECK(is_in(engine, made.database, "\"DEPLOYED\""));
  OK(orlop_close(engine));
  return 0;
}
