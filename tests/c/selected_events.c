// Events by a query, waits for an event, and the events that the feed keeps.
#include "orlop/feed.h"

#include <pthread.h>

#include "check.h"

static orlop_event_query query_since(uint64_t since) {
  orlop_event_query query = ORLOP_EVENT_QUERY_INIT;
  query.since = since;
  return query;
}

static size_t count_of(orlop_engine *engine, const orlop_event_query *query, uint64_t *next) {
  orlop_feed *feed = NULL;
  OK(orlop_feed_select(&feed, engine, query));
  const size_t size = orlop_feed_size(feed);
  if (next != NULL) *next = orlop_feed_next(feed);
  orlop_feed_free(feed);
  return size;
}

static void found_organization(orlop_engine *engine, const char *name) {
  char body[128];
  snprintf(body, sizeof body, "{\"name\":\"%s\",\"plan\":\"FREE\"}", name);
  orlop_reply *reply = dispatch(engine, "POST", "/organization", body);
  CHECK(orlop_reply_status(reply) == 201);
  orlop_reply_free(reply);
}

static void selects(void) {
  orlop_engine *engine = open_simulation(NULL);
  for (int number = 0; number < 5; ++number) {
    char name[24];
    snprintf(name, sizeof name, "acme %d", number);
    found_organization(engine, name);
  }
  uint64_t last = 0, next = 0;
  OK(orlop_last_event(engine, &last));
  orlop_event_query query = query_since(0);
  CHECK(count_of(engine, &query, &next) == last && next == last);
  query.limit = 2;
  CHECK(count_of(engine, &query, &next) == 2 && next == 2);

  const orlop_text kinds[] = {ORLOP_TEXT("organization.created")};
  query = query_since(0);
  query.kinds = kinds;
  query.kind_count = 1;
  CHECK(count_of(engine, &query, &next) == 5 && next == last);
  const orlop_text families[] = {ORLOP_TEXT("organization.*"), ORLOP_TEXT("cluster.*")};
  query.kinds = families;
  query.kind_count = 2;
  CHECK(count_of(engine, &query, NULL) == 5);
  const orlop_text others[] = {ORLOP_TEXT("step.*")};
  query.kinds = others;
  query.kind_count = 1;
  CHECK(count_of(engine, &query, &next) == 0 && next == last);

  orlop_feed *feed = NULL;
  query = query_since(0);
  query.limit = 1;
  OK(orlop_feed_select(&feed, engine, &query));
  const orlop_feed_event first = *orlop_feed_at(feed, 0);
  query.limit = 1000;
  query.organization = first.organization;
  CHECK(count_of(engine, &query, NULL) * 5 == last);
  query.subject = first.subject;
  CHECK(count_of(engine, &query, NULL) == 1);
  query.request = first.subject;
  CHECK(count_of(engine, &query, NULL) == 0);
  orlop_feed_free(feed);

  orlop_buffer *list = NULL;
  query = query_since(last - 1);
  OK(orlop_events_select(&list, &next, engine, &query));
  CHECK(next == last && orlop_buffer_text(list).data[0] == '[' && orlop_buffer_text(list).size > 2);
  orlop_buffer_free(list);
  CHECK(orlop_feed_next(NULL) == 0);
  OK(orlop_close(engine));
}

static void refuses(void) {
  orlop_engine *engine = open_simulation(NULL);
  orlop_feed *feed = NULL;
  orlop_event_query query = query_since(0);
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_select(NULL, engine, &query));
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_select(&feed, engine, NULL));
  query.limit = 0;
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_select(&feed, engine, &query));
  query.limit = 10001;
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_select(&feed, engine, &query));
  query = query_since(0);
  query.size = 3;
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_select(&feed, engine, &query));
  query = query_since(0);
  query.timeout_ms = -2;
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_select(&feed, engine, &query));
  query = query_since(0);
  query.kind_count = 1;
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_select(&feed, engine, &query));
  static orlop_text kinds[101];
  for (int at = 0; at < 101; ++at) kinds[at] = ORLOP_TEXT("a.b");
  query.kinds = kinds;
  query.kind_count = 101;
  FAILS(ORLOP_ERROR_MISUSE, orlop_feed_select(&feed, engine, &query));
  query.kind_count = 1;
  const orlop_text wrong[] = {ORLOP_TEXT(""), ORLOP_TEXT(".*"), ORLOP_TEXT("*"), ORLOP_TEXT("Step.started"),
                              ORLOP_TEXT("a b")};
  for (size_t at = 0; at < sizeof wrong / sizeof *wrong; ++at) {
    kinds[0] = wrong[at];
    FAILS(ORLOP_ERROR_INVALID, orlop_feed_select(&feed, engine, &query));
  }
  static char large[70000];
  memset(large, 'a', sizeof large);
  kinds[0] = (orlop_text){large, sizeof large};
  FAILS(ORLOP_ERROR_INVALID, orlop_feed_select(&feed, engine, &query));
  CHECK(feed == NULL);
  OK(orlop_close(engine));
}

static void *create_later(void *context) {
  orlop_engine *engine = context;
  found_organization(engine, "unwanted");
  orlop_reply *reply = dispatch(engine, "POST", "/organization", "{\"name\":\"wanted\",\"plan\":\"FREE\"}");
  char path[128];
  snprintf(path, sizeof path, "/organization/%s/project", orlop_reply_find(reply, "/id").data);
  orlop_reply_free(reply);
  orlop_reply_free(dispatch(engine, "POST", path, "{\"name\":\"shop\"}"));
  return NULL;
}

static void waits(void) {
  orlop_engine *engine = open_simulation(NULL);
  const orlop_text kinds[] = {ORLOP_TEXT("project.created")};
  orlop_event_query query = query_since(0);
  query.kinds = kinds;
  query.kind_count = 1;
  query.timeout_ms = 1;
  CHECK(count_of(engine, &query, NULL) == 0);
  query.timeout_ms = -1;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, create_later, engine) == 0);
  uint64_t next = 0;
  CHECK(count_of(engine, &query, &next) == 1 && next > 1);
  pthread_join(thread, NULL);
  OK(orlop_last_event(engine, &query.since));
  OK(orlop_interrupt(engine));  // interrupts the next wait
  CHECK(count_of(engine, &query, NULL) == 0);
  OK(orlop_close(engine));
}

static void keeps(void) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.events_kept = 10;
  options.simulation = 1;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  uint64_t acknowledged = 77, first = 0, last = 0;
  OK(orlop_consumer_register(engine, ORLOP_TEXT("billing"), &acknowledged));
  CHECK(acknowledged == 0);
  for (int number = 0; number < 30; ++number) {
    char name[24];
    snprintf(name, sizeof name, "acme %d", number);
    found_organization(engine, name);
  }
  OK(orlop_last_event(engine, &last));
  OK(orlop_tick(engine, NULL));
  orlop_event_query query = query_since(1);
  CHECK(count_of(engine, &query, NULL) == last - 1);  // the consumer billing has acknowledged no event
  FAILS(ORLOP_ERROR_INVALID, orlop_consumer_acknowledge(engine, ORLOP_TEXT("billing"), last + 1));
  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_consumer_acknowledge(engine, ORLOP_TEXT("unknown"), 1));
  FAILS(ORLOP_ERROR_INVALID, orlop_consumer_register(engine, ORLOP_TEXT("a b"), NULL));
  FAILS(ORLOP_ERROR_INVALID, orlop_consumer_register(engine, ORLOP_TEXT(""), NULL));
  OK(orlop_consumer_acknowledge(engine, ORLOP_TEXT("billing"), 5));
  OK(orlop_events_forget(engine, last, &first));
  CHECK(first == 6);
  OK(orlop_consumer_acknowledge(engine, ORLOP_TEXT("billing"), 2));  // lower than the last acknowledged number: no
                                                                     // effect
  OK(orlop_consumer_register(engine, ORLOP_TEXT("billing"), &acknowledged));
  CHECK(acknowledged == 5);

  orlop_feed *feed = NULL;
  query = query_since(3);
  orlop_error *error = orlop_feed_select(&feed, engine, &query);
  CHECK(orlop_error_code(error) == ORLOP_ERROR_EVENTS_FORGOTTEN &&
        strstr(orlop_error_message(error), "event 6") != NULL);
  orlop_error_free(error);
  query.since = 5;
  CHECK(count_of(engine, &query, NULL) == last - 5);
  query.since = 0;
  CHECK(count_of(engine, &query, NULL) == last - 5);

  orlop_buffer *list = NULL;
  OK(orlop_consumers(&list, engine));
  CHECK(strstr(orlop_buffer_text(list).data, "\"billing\"") != NULL);
  orlop_buffer_free(list);
  OK(orlop_consumer_unregister(engine, ORLOP_TEXT("billing")));
  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_consumer_unregister(engine, ORLOP_TEXT("billing")));
  OK(orlop_advance(engine, 3600000));
  OK(orlop_tick(engine, NULL));
  CHECK(count_of(engine, &query, NULL) == 10);
  OK(orlop_events_forget(engine, UINT64_MAX, &first));
  CHECK(first == last && count_of(engine, &query, NULL) == 1);
  OK(orlop_close(engine));
}

// Ticks remove old events even if the clock does not advance.
static void keeps_while_time_stands_still(void) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.events_kept = 10;
  options.simulation = 1;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  const orlop_event_query query = query_since(0);
  for (int number = 0; number < 500; ++number) {
    char name[24];
    snprintf(name, sizeof name, "acme %d", number);
    found_organization(engine, name);
    OK(orlop_tick(engine, NULL));
    CHECK(count_of(engine, &query, NULL) <= 10 + 100);
  }
  OK(orlop_close(engine));
}

int main(void) {
  selects();
  refuses();
  waits();
  keeps();
  keeps_while_time_stands_still();
  return 0;
}
