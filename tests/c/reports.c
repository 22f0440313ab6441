// The reports that an engine accepts: those on steps that are under way or ended recently, and no others.
#include <unistd.h>

#include "check.h"

static orlop_id started;
static int starts;
static int resumed;

static orlop_error *note(void *context, const orlop_step *step) {
  (void)context;
  started = step->id;
  resumed = step->resumed;
  ++starts;
  return NULL;
}

static orlop_error *say(orlop_engine *engine, orlop_report_kind kind) {
  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  report.step = started;
  report.kind = kind;
  return orlop_report(engine, &report);
}

static orlop_engine *open_file(const char *path) {
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.start = note;
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.storage = text_of(path);
  options.driver = &driver;
  options.durability = ORLOP_DURABILITY_NORMAL;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  return engine;
}

// Ticks until nothing is due.
static void settle(orlop_engine *engine) {
  int64_t next = 0;
  for (int rounds = 0; next == 0; ++rounds) {
    CHECK(rounds < 100);
    OK(orlop_tick(engine, &next));
  }
}

static void known_and_unknown(const char *path) {
  orlop_engine *engine = open_file(path);
  const platform made = create_platform(engine);
  started.bytes[0] = 1;
  settle(engine);  // it drives from here on; before, another engine may own the step, and the report is stored for it
  FAILS(ORLOP_ERROR_NOT_FOUND, say(engine, ORLOP_REPORT_SUCCEEDED));
  FAILS(ORLOP_ERROR_NOT_FOUND, say(engine, ORLOP_REPORT_LOG_LINE));

  orlop_engine *other = open_file(path);  // on the same store, before the step exists
  deploy(engine, &made);
  settle(engine);
  CHECK(starts == 1 && resumed == 0);
  OK(say(engine, ORLOP_REPORT_STARTED));
  // The other engine did not start the step: it stores the report for the engine that did.
  OK(say(other, ORLOP_REPORT_STARTED));
  OK(orlop_close(other));
  OK(orlop_close(engine));

  // An engine that is opened again accepts reports before its first tick, and before the driver is called again.
  starts = 0;
  engine = open_file(path);
  OK(say(engine, ORLOP_REPORT_STARTED));
  OK(say(engine, ORLOP_REPORT_SUCCEEDED));
  settle(engine);
  CHECK(starts == 1 && resumed == 1);
  CHECK(status_holds(engine, &made, "\"DEPLOYED\""));
  // A report on a step that has just ended is accepted and dropped.
  OK(say(engine, ORLOP_REPORT_FAILED));
  settle(engine);
  CHECK(status_holds(engine, &made, "\"DEPLOYED\""));
  OK(orlop_close(engine));

  engine = open_file(path);
  settle(engine);
  FAILS(ORLOP_ERROR_NOT_FOUND, say(engine, ORLOP_REPORT_SUCCEEDED));  // the step ended before this engine was opened
  OK(orlop_close(engine));
}

int main(void) {
  char folder[] = "/tmp/orlop_reports_XXXXXX";
  CHECK(mkdtemp(folder) != NULL);
  char path[64];
  snprintf(path, sizeof path, "%s/platform.db", folder);
  known_and_unknown(path);
  static const char *const endings[] = {"", "-wal", "-shm"};
  for (int place = 0; place < 3; ++place) {
    char file[80];
    snprintf(file, sizeof file, "%s%s", path, endings[place]);
    unlink(file);
  }
  CHECK(rmdir(folder) == 0);
  return 0;
}
