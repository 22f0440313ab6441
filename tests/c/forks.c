// Stores in a child after fork(), while other threads of its parent read and write: the child can open files that were
// closed, and is refused those that were open.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static char folder[] = "/tmp/orlop-forks-XXXXXX";
static atomic_int is_over = 0;

static const char *path_of(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static orlop_error *open_file(orlop_engine **engine, const char *name) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.storage = text_of(path_of(name));
  options.durability = ORLOP_DURABILITY_NORMAL;
  return orlop_open(engine, &options);
}

static void *write_until_over(void *engine) {
  for (int number = 0; !is_over; ++number) {
    char body[64];
    snprintf(body, sizeof body, "{\"name\":\"o%d\",\"plan\":\"FREE\"}", number);
    orlop_reply_free(dispatch(engine, "POST", "/organization", body));
  }
  return NULL;
}

// Runs in the child: SIGALRM ends it if it waits for a lock that is never released.
static void is_refused(const char *name) {
  orlop_engine *engine = NULL;
  orlop_error *error = open_file(&engine, name);
  CHECK(orlop_error_code(error) == ORLOP_ERROR_MISUSE);
  CHECK(strstr(orlop_error_message(error), "fork") != NULL && strstr(orlop_error_message(error), name) != NULL);
  orlop_error_free(error);
}

static void writes(const char *name) {
  orlop_engine *engine = NULL;
  OK(open_file(&engine, name));
  orlop_reply_free(dispatch(engine, "POST", "/organization", "{\"name\":\"acme\",\"plan\":\"FREE\"}"));
  OK(orlop_tick(engine, NULL));
  OK(orlop_close(engine));
}

static void in_child(int number) {
  alarm(60);
  is_refused("busy.db");
  is_refused("symbolic.db");
  is_refused("hard.db");
  char own[32];
  snprintf(own, sizeof own, "own-%d.db", number);
  writes(own);
  writes("closed.db");
  const pid_t grandchild = fork();
  CHECK(grandchild >= 0);
  if (grandchild == 0) {
    alarm(60);
    is_refused("busy.db");
    writes(own);
    _exit(0);
  }
  int status = 1;
  CHECK(waitpid(grandchild, &status, 0) == grandchild && status == 0);
  _exit(0);
}

int main(void) {
  CHECK(mkdtemp(folder) != NULL);
  orlop_engine *busy = NULL;
  OK(open_file(&busy, "busy.db"));
  writes("closed.db");
  char target[128];
  snprintf(target, sizeof target, "%s", path_of("busy.db"));
  CHECK(symlink(target, path_of("symbolic.db")) == 0);
  CHECK(link(target, path_of("hard.db")) == 0);
  pthread_t threads[2];
  for (int place = 0; place < 2; ++place) CHECK(pthread_create(&threads[place], NULL, write_until_over, busy) == 0);
  for (int number = 0; number < 20; ++number) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) in_child(number);
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) fprintf(stderr, "child %d: %s\n", number, strsignal(WTERMSIG(status)));
    CHECK(status == 0);
  }
  is_over = 1;
  for (int place = 0; place < 2; ++place) CHECK(pthread_join(threads[place], NULL) == 0);
  OK(orlop_close(busy));
  OK(open_file(&busy, "busy.db"));
  OK(orlop_check(busy, 0, NULL));
  OK(orlop_close(busy));
  const pid_t child = fork();  // it is closed now
  if (child == 0) {
    alarm(60);
    writes("busy.db");
    _exit(0);
  }
  int status = 1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  char remove[160];
  snprintf(remove, sizeof remove, "rm -r %s", folder);
  CHECK(system(remove) == 0);
  return 0;
}
