// The events of one resource or of one deployment request, out of many.
#include "check.h"

static orlop_id made(orlop_engine *engine, const char *body) {
  char text[37];
  create(engine, text, "/organization%s", "", body);
  orlop_id id;
  OK(orlop_id_parse(&id, text_of(text)));
  return id;
}

static int count_of(const char *text, const orlop_buffer *list) {
  int count = 0;
  for (const char *at = orlop_buffer_text(list).data; (at = strstr(at, text)) != NULL; at += strlen(text)) ++count;
  return count;
}

static void a_subject_has_its_own_events(orlop_engine *engine) {
  (void)made(engine, "{\"name\":\"one\",\"plan\":\"FREE\"}");
  const orlop_id two = made(engine, "{\"name\":\"two\",\"plan\":\"FREE\"}");
  orlop_buffer *list = NULL;
  OK(orlop_events_of(&list, engine, NULL, NULL, 0, 1000));
  CHECK(count_of("\"sequence\"", list) == 2);
  orlop_buffer_free(list);
  OK(orlop_events_of(&list, engine, NULL, &two, 0, 1000));
  CHECK(count_of("\"sequence\"", list) == 1);
  CHECK(count_of("\"two\"", list) == 1);
  orlop_buffer_free(list);
  OK(orlop_events_of(&list, engine, NULL, &two, 2, 1000));
  CHECK(strcmp(orlop_buffer_text(list).data, "[]") == 0);
  orlop_buffer_free(list);
}

static void a_deployment_has_its_own_events(void) {
  orlop_engine *engine = open_simulation(NULL);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_run_until_idle(engine, NULL));
  orlop_buffer *all = NULL;
  OK(orlop_events(&all, engine, 0, 1000));
  const char *request = strstr(orlop_buffer_text(all).data, "\"request\":\"");
  CHECK(request != NULL);
  orlop_id id;
  OK(orlop_id_parse(&id, (orlop_text){request + strlen("\"request\":\""), 36}));
  orlop_buffer *list = NULL;
  OK(orlop_events_of(&list, engine, &id, NULL, 0, 1000));
  CHECK(count_of("\"sequence\"", list) > 3);
  CHECK(count_of("\"sequence\"", list) == count_of("\"request\":\"", all));
  CHECK(count_of("\"deployment.ended\"", list) == 1);
  orlop_buffer_free(list);
  orlop_buffer_free(all);
  OK(orlop_close(engine));
}

static void what_is_wrong_is_named(orlop_engine *engine) {
  orlop_buffer *list = NULL;
  const orlop_id id = {{1}};
  const orlop_id nil = {{0}};
  FAILS(ORLOP_ERROR_MISUSE, orlop_events_of(&list, engine, &id, NULL, 0, 0));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events_of(&list, engine, &id, NULL, 0, 10001));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events_of(&list, engine, &id, &id, 0, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events_of(&list, engine, &nil, NULL, 0, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events_of(&list, engine, NULL, &nil, 0, 1));
  FAILS(ORLOP_ERROR_MISUSE, orlop_events_of(NULL, engine, &id, NULL, 0, 1));
  CHECK(list == NULL);
}

int main(void) {
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, NULL));
  a_deployment_has_its_own_events();
  a_subject_has_its_own_events(engine);
  what_is_wrong_is_named(engine);
  OK(orlop_close(engine));
  return 0;
}
