// The feed as structs, members of a reply's body by JSON pointer, and waits that end with a new event.
#include "orlop/feed.h"

#include <pthread.h>

#include "check.h"

static int is_text(orlop_text given, const char *text) {
  return given.data != NULL && given.size == strlen(text) && strcmp(given.data, text) == 0;  // null-terminated
}

static int is_nil(orlop_id id) {
  static const orlop_id nil;
  return memcmp(&id, &nil, sizeof nil) == 0;
}

// ---- What check finds ----

static void finds_no_faults(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_reply_free(dispatch(engine, "POST", "/organization", "{\"name\":\"acme\",\"plan\":\"FREE\"}"));
  for (int repair = 0; repair < 2; ++repair) {
    orlop_buffer *faults = NULL;
    OK(orlop_check(engine, repair, &faults));
    CHECK(is_text(orlop_buffer_text(faults), "[]"));
    orlop_buffer_free(faults);
    OK(orlop_check(engine, repair, NULL));
  }
  FAILS(ORLOP_ERROR_MISUSE, orlop_check(NULL, 0, NULL));
  OK(orlop_close(engine));
}

// ---- Replies ----

static void finds_in_replies(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_reply *reply =
      dispatch(engine, "POST", "/organization", "{\"name\":\"a \\\"b\\\" \\u00e9\",\"plan\":\"FREE\"}");
  CHECK(orlop_reply_status(reply) == 201);
  CHECK(is_text(orlop_reply_find(reply, "/name"), "a \"b\" \xc3\xa9"));
  CHECK(is_text(orlop_reply_find(reply, "/plan"), "FREE"));
  CHECK(orlop_reply_find(reply, "/id").size == 36);
  const orlop_text first = orlop_reply_find(reply, "/name");
  CHECK(orlop_reply_find(reply, "/name").data == first.data);  // the lookup is cached and valid as long as the reply
  CHECK(orlop_reply_find(reply, "/none").data == NULL);
  CHECK(orlop_reply_find(reply, "name").data == NULL);
  CHECK(orlop_reply_find(reply, NULL).data == NULL);
  CHECK(orlop_reply_find(reply, "").size == orlop_reply_body(reply).size);
  char organization[37];
  snprintf(organization, sizeof organization, "%s", orlop_reply_find(reply, "/id").data);
  orlop_reply_free(reply);
  CHECK(orlop_reply_find(reply, "/id").data == NULL);
  CHECK(orlop_reply_find(NULL, "/id").data == NULL);

  reply = dispatch(engine, "GET", "/organization", "");
  CHECK(is_text(orlop_reply_find(reply, "/results/0/id"), organization));
  CHECK(orlop_reply_find(reply, "/results/1").data == NULL);
  CHECK(orlop_reply_find(reply, "/results/0").data[0] == '{');
  orlop_reply_free(reply);
  reply = dispatch(engine, "POST", "/organization", "{\"name\":5}");
  CHECK(orlop_reply_status(reply) == 400);
  CHECK(is_text(orlop_reply_find(reply, "/status"), "400"));
  orlop_reply_free(reply);
  OK(orlop_close(engine));
}

static void *find_often(void *context) {
  const orlop_reply *reply = context;
  for (int round = 0; round < 2000; ++round) {
    CHECK(orlop_reply_find(reply, "/id").size == 36);
    CHECK(is_text(orlop_reply_find(reply, "/name"), "acme"));
  }
  return NULL;
}

static void finds_on_any_thread(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_reply *reply = dispatch(engine, "POST", "/organization", "{\"name\":\"acme\",\"plan\":\"FREE\"}");
  pthread_t threads[4];
  for (int place = 0; place < 4; ++place) CHECK(pthread_create(&threads[place], NULL, find_often, reply) == 0);
  for (int place = 0; place < 4; ++place) CHECK(pthread_join(threads[place], NULL) == 0);
  orlop_reply_free(reply);
  OK(orlop_close(engine));
}

// ---- Events ----

// Every event as a struct equals its JSON.
static void says_what_the_json_says(orlop_engine *engine) {
  orlop_feed *feed = NULL;
  orlop_buffer *list = NULL;
  OK(orlop_feed_read(&feed, engine, 0, 10000));
  OK(orlop_events(&list, engine, 0, 10000));
  CHECK(orlop_feed_size(feed) > 15);
  const char *json = orlop_buffer_text(list).data;
  for (size_t index = 0; index < orlop_feed_size(feed); ++index) {
    const orlop_feed_event *event = orlop_feed_at(feed, index);
    CHECK(event != NULL && event->size == sizeof *event && event->number == index + 1);
    char at[25], subject[37], expected[256];
    orlop_time_format(event->at_ms, at);
    orlop_id_format(event->subject, subject);
    snprintf(expected, sizeof expected,
             "{\"sequence\":%d,\"at\":\"%s\",\"kind\":\"%s\",\"family\":\"%s\",\"subject\":\"%s\"", (int)event->number,
             at, event->kind_name.data, event->family.data, subject);
    const char *found = strstr(json, expected);
    CHECK(found != NULL);
    json = found;
    const char *end = strstr(json + 1, "{\"sequence\"");
    const size_t size = end == NULL ? strlen(json) : (size_t)(end - json);
    char whole[2048];
    CHECK(size < sizeof whole);
    memcpy(whole, json, size);
    whole[size] = 0;
    snprintf(expected, sizeof expected, "\"to\":\"%s\"", event->to_name.data);
    CHECK((event->to == 0) == (event->to_name.size == 0));
    CHECK((strstr(whole, "\"to\":") != NULL) == (event->to != 0) &&
          (event->to == 0 || strstr(whole, expected) != NULL));
    CHECK((strstr(whole, "\"from\":") != NULL) == (event->from != 0));
    CHECK((strstr(whole, "\"owner\":") != NULL) == !is_nil(event->owner));
    CHECK((strstr(whole, "\"request\":") != NULL) == !is_nil(event->request));
    CHECK((strstr(whole, "\"detail\":") != NULL) == (event->detail.size != 0));
    CHECK((strstr(whole, "\"author\":") != NULL) == (event->author.size != 0));
  }
  orlop_buffer_free(list);
  orlop_feed_free(feed);
}

static void is_typed(void) {
  orlop_engine *engine = open_simulation(NULL);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_run_until_idle(engine, NULL));
  says_what_the_json_says(engine);
  orlop_feed *feed = NULL;
  OK(orlop_feed_read(&feed, engine, 0, 10000));
  int deployed = 0, ended = 0, deploys = 0;
  for (size_t index = 0; index < orlop_feed_size(feed); ++index) {
    const orlop_feed_event *event = orlop_feed_at(feed, index);
    deployed += event->kind == ORLOP_EVENT_STATE_CHANGED && event->to == ORLOP_SERVICE_DEPLOYED &&
                is_text(event->to_name, "DEPLOYED");
    ended += event->kind == ORLOP_EVENT_REQUEST_ENDED;
    deploys += event->kind == ORLOP_EVENT_STEP_STARTED && event->to == ORLOP_STEP_DEPLOY;
  }
  CHECK(deployed == 1 && ended == 1 && deploys == 1);
  CHECK(orlop_feed_at(feed, orlop_feed_size(feed)) == NULL && orlop_feed_at(feed, SIZE_MAX) == NULL);
  const uint64_t last = orlop_feed_at(feed, orlop_feed_size(feed) - 1)->number;
  const orlop_feed *old = feed;
  orlop_feed_free(feed);
  CHECK(orlop_feed_size(old) == 0 && orlop_feed_at(old, 0) == NULL);

  OK(orlop_feed_read(&feed, engine, last - 2, 1));
  CHECK(orlop_feed_size(feed) == 1 && orlop_feed_at(feed, 0)->number == last - 1);
  orlop_feed_free(feed);
  OK(orlop_feed_read(&feed, engine, last, 1));
  CHECK(orlop_feed_size(feed) == 0);
  OK(orlop_close(engine));
  orlop_feed_free(feed);
  FAILS(ORLOP_ERROR_CLOSED, orlop_feed_read(&feed, engine, 0, 1));
}

static void refuses_wrong_use(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_feed *feed = NULL;
  orlop_wake woken = 0;
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_read(NULL, engine, 0, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_read(&feed, NULL, 0, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_read(&feed, engine, 0, 0));
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_read(&feed, engine, 0, 10001));
  CHECK(feed == NULL);
  orlop_feed_free(NULL);
  orlop_feed_free((orlop_feed *)engine);
  CHECK(orlop_feed_size((orlop_feed *)engine) == 0 && orlop_feed_size(NULL) == 0);
  FAILS(ORLOP_ERROR_MISUSE, orlop_wait_for(engine, 0, 0, 0, &woken));
  FAILS(ORLOP_ERROR_MISUSE, orlop_wait_for(engine, 4, 0, 0, &woken));
  FAILS(ORLOP_ERROR_MISUSE, orlop_wait_for(engine, ORLOP_WAKE_WORK, 0, -2, &woken));
  OK(orlop_close(engine));
}

// ---- Waits ----

static void sees_what_is_there(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_wake woken = 99;
  OK(orlop_wait_for(engine, ORLOP_WAKE_WORK | ORLOP_WAKE_EVENTS, 0, 0, &woken));
  CHECK(woken == 0);
  const platform made = create_platform(engine);
  uint64_t last = 0;
  OK(orlop_last_event(engine, &last));
  OK(orlop_wait_for(engine, ORLOP_WAKE_EVENTS, last - 1, -1, &woken));
  CHECK(woken == ORLOP_WAKE_EVENTS);
  OK(orlop_wait_for(engine, ORLOP_WAKE_EVENTS, last, 0, &woken));
  CHECK(woken == 0);
  OK(orlop_wait_for(engine, ORLOP_WAKE_EVENTS, UINT64_MAX, 0, NULL));
  deploy(engine, &made);
  OK(orlop_wait_for(engine, ORLOP_WAKE_WORK | ORLOP_WAKE_EVENTS, last, -1, &woken));
  CHECK(woken == (ORLOP_WAKE_WORK | ORLOP_WAKE_EVENTS));
  OK(orlop_wait_for(engine, ORLOP_WAKE_WORK, 0, -1, &woken));
  CHECK(woken == ORLOP_WAKE_WORK);
  OK(orlop_interrupt(engine));
  OK(orlop_wait_for(engine, ORLOP_WAKE_EVENTS, UINT64_MAX, -1, &woken));
  CHECK(woken == 0);
  OK(orlop_close(engine));
}

typedef struct reader {
  orlop_engine *engine;
  uint64_t until;  // ends after this many events
} reader;

// Reads the feed as it grows, and sleeps in between.
static void *read_along(void *context) {
  reader *self = context;
  uint64_t since = 0;
  while (since < self->until) {
    orlop_wake woken = 0;
    OK(orlop_wait_for(self->engine, ORLOP_WAKE_EVENTS, since, -1, &woken));
    CHECK(woken == ORLOP_WAKE_EVENTS);
    orlop_feed *feed = NULL;
    OK(orlop_feed_read(&feed, self->engine, since, 7));
    CHECK(orlop_feed_size(feed) > 0);
    since = orlop_feed_at(feed, orlop_feed_size(feed) - 1)->number;
    orlop_feed_free(feed);
  }
  return NULL;
}

static void wakes_for_each_event(void) {
  orlop_engine *engine = open_simulation(NULL);
  reader self = {engine, 200};
  pthread_t threads[2];
  for (int place = 0; place < 2; ++place) CHECK(pthread_create(&threads[place], NULL, read_along, &self) == 0);
  for (int made = 0; made < 200; ++made) {
    char body[64];
    snprintf(body, sizeof body, "{\"name\":\"acme %d\",\"plan\":\"FREE\"}", made);
    orlop_reply *reply = dispatch(engine, "POST", "/organization", body);
    CHECK(orlop_reply_status(reply) == 201);
    orlop_reply_free(reply);
  }
  for (int place = 0; place < 2; ++place) CHECK(pthread_join(threads[place], NULL) == 0);
  OK(orlop_close(engine));
}

int main(void) {
  finds_no_faults();
  finds_in_replies();
  finds_on_any_thread();
  is_typed();
  refuses_wrong_use();
  sees_what_is_there();
  wakes_for_each_event();
  return 0;
}
