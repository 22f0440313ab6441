// Deploys an environment in memory, in virtual time, and prints the states that its services went through.
#include <orlop/orlop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(orlop_error *error) {
  if (error == NULL) return;
  fprintf(stderr, "%s: %s\n", orlop_error_name(error), orlop_error_message(error));
  exit(1);
}

// Copies the text that stands in quotes after `mark`.
static void copy_after(const char *json, const char *mark, char value[64]) {
  const char *found = strstr(json, mark);
  if (found == NULL || sscanf(found + strlen(mark), "%63[^\"]", value) != 1) value[0] = 0;
}

// Sends a request, and keeps what the answer has after `mark`.
static void ask(orlop_engine *engine, const char *method, const char *path, const char *body, const char *mark, char value[64]) {
  const orlop_request request = {.size = sizeof request,
      .method = {method, strlen(method)}, .path = {path, strlen(path)}, .body = {body, strlen(body)}};
  orlop_reply *reply = NULL;
  check(orlop_dispatch(&reply, engine, &request));
  if (orlop_reply_status(reply) >= 400) fprintf(stderr, "%s %s: %s\n", method, path, orlop_reply_body(reply).data);
  copy_after(orlop_reply_body(reply).data, mark, value);
  orlop_reply_free(reply);
}

// Creates a resource below `parent`, and keeps its id.
static void create(orlop_engine *engine, char id[64], const char *above, const char *parent, const char *below, const char *body) {
  char path[128];
  snprintf(path, sizeof path, "%s%s%s", above, parent, below);
  ask(engine, "POST", path, body, "\"id\":\"", id);
}

int main(void) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.simulation = 1;  // virtual time, and a scripted driver; with a driver of your own, leave this out
  options.seed = 7;
  orlop_engine *engine = NULL;
  check(orlop_open(&engine, &options));
  orlop_rule rule = ORLOP_RULE_INIT;
  rule.after_ms = 30000;  // every step takes half a minute
  check(orlop_rule_add(engine, &rule));

  char acme[64], hub[64], europe[64], shop[64], production[64], orders[64], web[64], state[64], body[256], path[256];
  create(engine, acme, "/organization", "", "", "{\"name\":\"acme\",\"plan\":\"FREE\"}");
  create(engine, hub, "/organization/", acme, "/containerRegistry", "{\"name\":\"docker hub\",\"kind\":\"DOCKER_HUB\",\"config\":{}}");
  create(engine, europe, "/organization/", acme, "/cluster", "{\"name\":\"europe\",\"region\":\"eu-west-3\",\"cloud_provider\":\"AWS\"}");
  snprintf(path, sizeof path, "/organization/%s/cluster/%s/deploy", acme, europe);
  ask(engine, "POST", path, "", "\"status\":\"", state);
  check(orlop_run_until_idle(engine, NULL));

  create(engine, shop, "/organization/", acme, "/project", "{\"name\":\"shop\"}");
  snprintf(body, sizeof body, "{\"name\":\"production\",\"cluster\":\"%s\"}", europe);
  create(engine, production, "/project/", shop, "/environment", body);
  create(engine, orders, "/environment/", production, "/database",
         "{\"name\":\"orders\",\"type\":\"POSTGRESQL\",\"version\":\"16\",\"mode\":\"CONTAINER\"}");
  snprintf(body, sizeof body, "{\"name\":\"web\",\"registry_id\":\"%s\",\"image_name\":\"acme/web\",\"tag\":\"1.0.0\",\"healthchecks\":{}}", hub);
  create(engine, web, "/environment/", production, "/container", body);

  uint64_t since = 0;
  check(orlop_last_event(engine, &since));
  snprintf(path, sizeof path, "/environment/%s/deploy", production);
  ask(engine, "POST", path, "", "\"state\":\"", state);
  check(orlop_run_until_idle(engine, NULL));

  orlop_buffer *events = NULL;
  check(orlop_events(&events, engine, since, 1000));
  const char *event = strstr(orlop_buffer_text(events).data, "{\"sequence\"");
  for (; event != NULL; event = strstr(event + 1, "{\"sequence\"")) {
    char at[64], kind[64], subject[64];
    copy_after(event, "\"at\":\"", at);
    copy_after(event, "\"kind\":\"", kind);
    copy_after(event, "\"subject\":\"", subject);
    if (strncmp(kind, "service.", 8) != 0 || strstr(kind, "_changed") != NULL) continue;
    copy_after(event, "\"to\":\"", state);
    printf("%s %-6s %s\n", at, strcmp(subject, web) == 0 ? "web" : "orders", state);
  }
  orlop_buffer_free(events);

  snprintf(path, sizeof path, "/environment/%s/status", production);
  ask(engine, "GET", path, "", "\"state\":\"", state);
  printf("production %s\n", state);
  check(orlop_close(engine));
  return 0;
}
