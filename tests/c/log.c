// The log callback: the messages that it receives, the thread that calls it, and the calls that it must not make.
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "orlop/ports.h"
#include "orlop/questions.h"

typedef struct journal {
  orlop_engine *engine;
  pthread_t caller;
  int counts[4];  // by level
  char last[512];
  int releases;
} journal;

static void write_down(void *context, orlop_log_level level, orlop_text message) {
  journal *self = context;
  CHECK(level >= ORLOP_LOG_ERROR && level <= ORLOP_LOG_INFO);
  CHECK(message.size > 10 && message.data[message.size] == 0 && strchr(message.data, '\n') == NULL);
  CHECK(pthread_equal(self->caller, pthread_self()));
  ++self->counts[level];
  snprintf(self->last, sizeof self->last, "%s", message.data);
  if (self->engine == NULL) return;
  int64_t now = 0;
  FAILS(ORLOP_ERROR_MISUSE, orlop_now(self->engine, &now));
  FAILS(ORLOP_ERROR_MISUSE, orlop_tick(self->engine, NULL));
}

static void count_release(void *context) { ++((journal *)context)->releases; }

static orlop_error *hold(void *context, const orlop_step *step) {
  (void)context;
  (void)step;
  return NULL;
}

static orlop_engine *open_logged(journal *self, const char *path) {
  const orlop_log log = {sizeof log, self, write_down, count_release};
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.start = hold;
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.storage = text_of(path);
  options.driver = &driver;
  options.log = &log;
  self->caller = pthread_self();
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  return engine;
}

static void logs_steps_that_go_on(const char *path) {
  journal self = {0};
  orlop_engine *engine = open_logged(&self, path);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_tick(engine, NULL));
  CHECK(self.counts[ORLOP_LOG_INFO] == 0);  // normal operation logs nothing
  OK(orlop_close(engine));
  CHECK(self.releases == 1);
  engine = open_logged(&self, path);
  OK(orlop_tick(engine, NULL));  // the first tick resumes work under way
  CHECK(self.counts[ORLOP_LOG_INFO] == 1 && strstr(self.last, "1 steps") != NULL);
  OK(orlop_close(engine));
  CHECK(self.releases == 2 && self.counts[ORLOP_LOG_WARNING] == 0 && self.counts[ORLOP_LOG_ERROR] == 0);
}

// ---- A port that fails ----

static orlop_error *find_no_webhook(void *context, const orlop_ask *ask) {
  (void)context, (void)ask;
  return orlop_error_new(ORLOP_ERROR_EXTERNAL_FAILED, ORLOP_TEXT("the provider answers with 502"));
}

static void logs_ports_that_fail(void) {
  journal self = {0};
  const orlop_log log = {sizeof log, &self, write_down, NULL};
  const orlop_external_systems systems = {sizeof systems, NULL, find_no_webhook, NULL,
                                          ORLOP_TEXT(ORLOP_QUESTION_FIND_WEBHOOK)};
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.external_systems = &systems;
  options.log = &log;
  self.caller = pthread_self();
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  const platform made = create_platform(engine);
  char id[37], path[128];
  create(engine, id, "/environment/%s/application", made.environment,
         "{\"name\":\"api\",\"git_repository\":{\"url\":\"https://github.com/acme/"
         "api\",\"provider\":\"GITHUB\"},\"healthchecks\":{}}");
  self.engine = engine;
  snprintf(path, sizeof path, "/service/%s/gitWebhookStatus", id);
  orlop_reply *reply = dispatch(engine, "GET", path, "");
  CHECK(orlop_reply_status(reply) == 200);
  orlop_reply_free(reply);
  CHECK(self.counts[ORLOP_LOG_WARNING] == 1);
  CHECK(strcmp(self.last, "the question find_webhook was not answered: the provider answers with 502") == 0);
  self.engine = NULL;
  OK(orlop_close(engine));
}

static void is_checked(void) {
  orlop_log log = {sizeof log, NULL, NULL, NULL};
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.log = &log;
  orlop_engine *engine = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  log.write = write_down;
  log.size = 0;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
}

int main(void) {
  char folder[] = "/tmp/orlop_log_XXXXXX";
  CHECK(mkdtemp(folder) != NULL);
  char path[64];
  snprintf(path, sizeof path, "%s/platform.db", folder);
  logs_steps_that_go_on(path);
  unlink(path);
  CHECK(rmdir(folder) == 0);
  logs_ports_that_fail();
  is_checked();
  return 0;
}
