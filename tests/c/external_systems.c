// External systems that answer at once, later, wrongly, twice, too late or not at all, and the scripted ones of a
// simulation.
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "orlop/ports.h"
#include "orlop/questions.h"

enum { asks_max = 128, mebibyte = 1 << 20 };

typedef enum temper { at_once, later, never, fails, is_late, declines, returns_error, calls_engine } temper;

typedef struct systems {
  orlop_engine *engine;
  temper how;
  orlop_text answer;
  atomic_int calls;
  int releases;
  pthread_mutex_t lock;
  pthread_cond_t handed_over;
  orlop_ask kept[asks_max];  // without their texts
  int kept_count;
} systems;

static void count_release(void *context) { ++((systems *)context)->releases; }

static void keep(systems *self, const orlop_ask *ask) {
  pthread_mutex_lock(&self->lock);
  CHECK(self->kept_count < asks_max);
  self->kept[self->kept_count++] = *ask;
  pthread_cond_broadcast(&self->handed_over);
  pthread_mutex_unlock(&self->lock);
}

static void *answer_in_thread(void *kept) {
  orlop_ask *ask = kept;
  OK(orlop_answer(ask->engine, ask->id, text_of("[{\"name\":\"from a thread\"}]")));
  free(ask);
  return NULL;
}

static orlop_error *ask(void *context, const orlop_ask *ask) {
  systems *self = context;
  CHECK(ask->size == sizeof *ask && ask->id != 0 && ask->timeout_ms > 0);
  CHECK(strcmp(ask->question.data, ORLOP_QUESTION_LIST_BRANCHES) == 0);
  CHECK(strstr(ask->input.data, "\"provider\":\"GITHUB\"") != NULL &&
        strstr(ask->input.data, "\"repository\":\"acme/shop\"") != NULL);
  ++self->calls;
  switch (self->how) {
    case at_once:
      OK(orlop_answer(ask->engine, ask->id, self->answer));
      OK(orlop_answer(ask->engine, ask->id, text_of("\"the second is dropped\"")));
      return NULL;
    case later: {
      orlop_ask *copy = malloc(sizeof *copy);
      *copy = *ask;
      pthread_t thread;
      CHECK(pthread_create(&thread, NULL, answer_in_thread, copy) == 0);
      pthread_detach(thread);
      return NULL;
    }
    case never: keep(self, ask); return NULL;
    case fails:
      OK(orlop_answer_error(ask->engine, ask->id, ORLOP_ERROR_EXTERNAL_FAILED, text_of("rate limit \xff exceeded")));
      return NULL;
    case is_late:
      OK(orlop_answer_error(ask->engine, ask->id, ORLOP_ERROR_EXTERNAL_TIMEOUT, text_of("the provider is slow")));
      return NULL;
    case declines: OK(orlop_answer_error(ask->engine, ask->id, ORLOP_ERROR_UNANSWERED, text_of(""))); return NULL;
    case returns_error: return orlop_error_new(ORLOP_ERROR_INTERNAL, text_of("the host is ill"));
    case calls_engine: {
      int64_t now = 0;
      OK(orlop_now(self->engine, &now));
      FAILS(ORLOP_ERROR_MISUSE, orlop_tick(self->engine, NULL));
      OK(orlop_answer(self->engine, ask->id, text_of("[]")));
      return NULL;
    }
  }
  return NULL;
}

// Answers after the virtual milliseconds to which `context` points.
static orlop_error *ask_slow(void *context, const orlop_ask *ask) {
  FAILS(ORLOP_ERROR_INVALID, orlop_answer_takes(ask->engine, ask->id, -1));
  OK(orlop_answer_takes(ask->engine, ask->id, *(const int64_t *)context));
  OK(orlop_answer(ask->engine, ask->id, text_of("[{\"name\":\"main\"}]")));
  return NULL;
}

static void open_with(systems *self, temper how, int64_t timeout_ms, const char *questions) {
  memset(self, 0, sizeof *self);
  pthread_mutex_init(&self->lock, NULL);
  pthread_cond_init(&self->handed_over, NULL);
  self->how = how;
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.port_timeout_ms = timeout_ms;
  orlop_external_systems given = {sizeof given, self, ask, count_release, text_of(questions)};
  options.external_systems = &given;
  OK(orlop_open(&self->engine, &options));
}

static void end(systems *self) {
  OK(orlop_close(self->engine));
  CHECK(self->releases == 1);
  FAILS(ORLOP_ERROR_CLOSED, orlop_answer(self->engine, 1, text_of("[]")));
  pthread_mutex_destroy(&self->lock);
  pthread_cond_destroy(&self->handed_over);
}

// Sends a request that causes a question; checks that the body contains `text` and returns the status.
static int branches(orlop_engine *engine, const char *text) {
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = text_of("GET");
  request.path = text_of("/account/github/repository/branch");
  request.query = text_of("name=acme/shop");
  orlop_reply *reply = NULL;
  OK(orlop_dispatch(&reply, engine, &request));
  const int status = orlop_reply_status(reply);
  if (strstr(orlop_reply_body(reply).data, text) == NULL)
    fprintf(stderr, "%d %.500s\n", status, orlop_reply_body(reply).data);
  CHECK(strstr(orlop_reply_body(reply).data, text) != NULL);
  orlop_reply_free(reply);
  return status;
}

static void answers_of_every_sort(void) {
  systems self;
  open_with(&self, at_once, 5000, ORLOP_QUESTION_LIST_BRANCHES);
  static const struct {
    const char *answer, *text;
    int status;
  } cases[] = {
      {"[{\"name\":\"main\"}]", "{\"results\":[{\"name\":\"main\"}]}", 200},
      {"[]", "{\"results\":[]}", 200},
      {"null", "the answer to the question list_branches does not match: answer must not be null", 502},
      {"{}", "answer must be a list, not an object", 502},
      {"[{\"name\":7}]", "answer[0].name must be a text, not an integer", 502},
      {"[{}]", "answer[0].name is required", 502},
      {"[{\"name\":\"main\",\"sha\":\"1\"}]", "answer[0].sha", 502},
      {"[", "does not match", 502},
      {"", "it is empty", 502},
      {"\"\xff\"", "does not match", 502},
  };
  for (size_t index = 0; index < sizeof cases / sizeof *cases; ++index) {
    self.answer = text_of(cases[index].answer);
    CHECK(branches(self.engine, cases[index].text) == cases[index].status);
  }
  FAILS(ORLOP_ERROR_MISUSE, orlop_answer(self.engine, 1, (orlop_text){NULL, 1}));
  FAILS(ORLOP_ERROR_MISUSE, orlop_answer_error(self.engine, 1, ORLOP_ERROR_INTERNAL, (orlop_text){NULL, 1}));
  end(&self);
}

static void large_answers(void) {
  systems self;
  open_with(&self, at_once, 5000, ORLOP_QUESTION_LIST_BRANCHES);
  const size_t room = 5 * (size_t)mebibyte;
  char *text = malloc(room);
  size_t size = 0;
  text[size++] = '[';
  while (size < mebibyte)
    size += (size_t)snprintf(text + size, room - size, "%s{\"name\":\"%0200d\"}", size == 1 ? "" : ",", 7);
  text[size++] = ']';
  self.answer = (orlop_text){text, size};
  CHECK(branches(self.engine, "{\"results\":[{\"name\":\"000") == 200);
  memset(text, ' ', room);
  memcpy(text, "[]", 2);
  self.answer.size = room;
  CHECK(branches(self.engine, "at most 4194304 are allowed") == 502);
  free(text);
  end(&self);
}

static void tempers(void) {
  static const struct {
    temper how;
    const char *text;
    int status;
  } cases[] = {{later, "from a thread", 200},           {fails, "rate limit", 502},
               {is_late, "the provider is slow", 504},  {declines, "not answer", 501},
               {returns_error, "the host is ill", 502}, {calls_engine, "{\"results\":[]}", 200}};
  for (size_t index = 0; index < sizeof cases / sizeof *cases; ++index) {
    systems self;
    open_with(&self, cases[index].how, 5000, "list_repositories,list_branches");
    CHECK(branches(self.engine, cases[index].text) == cases[index].status);
    CHECK(self.calls == 1);
    end(&self);
  }
  systems self;
  open_with(&self, at_once, 5000, "list_repositories");
  CHECK(branches(self.engine, "list_branches") == 501);
  CHECK(self.calls == 0);
  end(&self);
}

static void timeouts(void) {
  systems self;
  open_with(&self, never, 20, ORLOP_QUESTION_LIST_BRANCHES);
  CHECK(branches(self.engine, "did not answer the question list_branches within 20 ms") == 504);
  OK(orlop_answer(self.engine, self.kept[0].id, text_of("[]")));  // too late: dropped
  OK(orlop_answer(self.engine, 12345, text_of("[]")));
  end(&self);
}

static void *ask_for_branches(void *engine) {
  CHECK(branches(engine, "{\"results\":[{\"name\":\"main\"}]}") == 200);
  return NULL;
}

static void *ask_in_vain(void *engine) {
  CHECK(branches(engine, "the engine was closed") == 502);
  return NULL;
}

static void await(systems *self, int count) {
  pthread_mutex_lock(&self->lock);
  while (self->kept_count < count) pthread_cond_wait(&self->handed_over, &self->lock);
  pthread_mutex_unlock(&self->lock);
}

// A hundred threads wait for answers; meanwhile this one reads, writes and ticks. The answers come in the opposite
// order.
static void concurrent_asks(void) {
  enum { count = 100 };
  systems self;
  open_with(&self, never, 60000, ORLOP_QUESTION_LIST_BRANCHES);
  pthread_t threads[count];
  for (int index = 0; index < count; ++index)
    CHECK(pthread_create(&threads[index], NULL, ask_for_branches, self.engine) == 0);
  await(&self, count);
  const platform made = create_platform(self.engine);
  CHECK(status_holds(self.engine, &made, "READY"));
  OK(orlop_tick(self.engine, NULL));
  for (int index = count - 1; index >= 0; --index)
    OK(orlop_answer(self.kept[index].engine, self.kept[index].id, text_of("[{\"name\":\"main\"}]")));
  for (int index = 0; index < count; ++index) pthread_join(threads[index], NULL);
  end(&self);
}

static void closing(void) {
  systems self;
  open_with(&self, never, 60000, ORLOP_QUESTION_LIST_BRANCHES);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, ask_in_vain, self.engine) == 0);
  await(&self, 1);
  OK(orlop_close(self.engine));
  pthread_join(thread, NULL);
  FAILS(ORLOP_ERROR_CLOSED, orlop_answer(self.kept[0].engine, self.kept[0].id, text_of("[]")));
  CHECK(self.releases == 1);
}

static void misuse(void) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  orlop_external_systems given = {sizeof given, NULL, NULL, NULL, {NULL, 0}};
  options.external_systems = &given;
  orlop_engine *engine = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  given.ask = ask;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  given.questions = text_of("list_branchs");
  orlop_error *error = orlop_open(&engine, &options);
  CHECK(strstr(orlop_error_message(error), "list_branches") != NULL);
  FAILS(ORLOP_ERROR_MISUSE, error);
  given.questions = (orlop_text){NULL, 3};
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  given.size = 3;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  OK(orlop_open(&engine, NULL));
  FAILS(ORLOP_ERROR_MISUSE, orlop_answer(engine, 1, text_of("[]")));
  FAILS(ORLOP_ERROR_MISUSE, orlop_answer_takes(engine, 1, 0));
  const orlop_external_rule rule = ORLOP_EXTERNAL_RULE_INIT;
  FAILS(ORLOP_ERROR_MISUSE, orlop_external_rule_add(engine, &rule));
  FAILS(ORLOP_ERROR_MISUSE, orlop_external_rules_clear(engine));
  CHECK(branches(engine, "the engine has no external systems") == 501);
  OK(orlop_close(engine));
}

static void simulations(void) {
  orlop_engine *engine = open_simulation(NULL);
  CHECK(branches(engine, "no rule of the simulation matches") == 501);
  orlop_external_rule rule = ORLOP_EXTERNAL_RULE_INIT;
  FAILS(ORLOP_ERROR_INVALID, orlop_external_rule_add(engine, &rule));
  FAILS(ORLOP_ERROR_MISUSE, orlop_external_rule_add(engine, NULL));
  rule.question = text_of(ORLOP_QUESTION_LIST_BRANCHES);
  rule.where = text_of("{\"repository\":\"acme/*\"}");
  rule.answer = text_of("[{\"nam\":\"main\"}]");
  FAILS(ORLOP_ERROR_INVALID, orlop_external_rule_add(engine, &rule));
  rule.answer = text_of("[{\"name\":\"main\"}]");
  rule.delay_ms = -1;
  FAILS(ORLOP_ERROR_INVALID, orlop_external_rule_add(engine, &rule));
  rule.delay_ms = 3000;
  OK(orlop_external_rule_add(engine, &rule));
  int64_t before = 0, after = 0;
  OK(orlop_now(engine, &before));
  CHECK(branches(engine, "{\"results\":[{\"name\":\"main\"}]}") == 200);
  OK(orlop_now(engine, &after));
  CHECK(after - before == 3000);
  rule.where = text_of("{\"repository\":\"other\"}");
  OK(orlop_external_rule_add(engine, &rule));
  CHECK(branches(engine, "main") == 200);
  OK(orlop_external_rules_clear(engine));
  CHECK(branches(engine, "list_branches") == 501);
  OK(orlop_close(engine));
}

static void own_systems_of_simulations(void) {
  int64_t takes = 3000, before = 0, after = 0;
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.simulation = 1;
  options.port_timeout_ms = 4000;
  orlop_external_systems given = {sizeof given, &takes, ask_slow, NULL, text_of("list_branches")};
  options.external_systems = &given;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  OK(orlop_now(engine, &before));
  CHECK(branches(engine, "main") == 200);
  OK(orlop_now(engine, &after));
  CHECK(after - before == 3000);
  takes = INT64_MAX;
  CHECK(branches(engine, "within 4000 ms") == 504);
  OK(orlop_now(engine, &before));
  CHECK(before - after == 4000);
  OK(orlop_close(engine));
  systems self;
  open_with(&self, at_once, 1000, "list_branches");
  FAILS(ORLOP_ERROR_MISUSE, orlop_answer_takes(self.engine, 1, 0));
  end(&self);
}

int main(void) {
  own_systems_of_simulations();
  answers_of_every_sort();
  large_answers();
  tempers();
  timeouts();
  concurrent_asks();
  closing();
  misuse();
  simulations();
  return 0;
}
