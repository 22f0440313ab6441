// Deploys an environment in memory, in virtual time, and prints the states that its services went through.
#include <orlop/feed.h>
#include <orlop/orlop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(orlop_error *error) {
  if (error == NULL) return;
  fprintf(stderr, "%s: %s\n", orlop_error_name(error), orlop_error_message(error));
  exit(1);
}

// Sends a request, and copies what `pointer` names in the answer: "/id" is its member `id`.
static void ask(orlop_engine *engine, const char *method, const char *path, const char *body, const char *pointer,
                char value[64]) {
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = (orlop_text){method, strlen(method)};
  request.path = (orlop_text){path, strlen(path)};
  request.body = (orlop_text){body, strlen(body)};
  orlop_reply *reply = NULL;
  check(orlop_dispatch(&reply, engine, &request));
  if (orlop_reply_status(reply) >= 400) fprintf(stderr, "%s %s: %s\n", method, path, orlop_reply_body(reply).data);
  const orlop_text found = orlop_reply_find(reply, pointer);
  snprintf(value, 64, "%.*s", (int)found.size, found.size == 0 ? "" : found.data);
  orlop_reply_free(reply);
}

// Creates a resource below `parent` and stores its id in `id`.
static void create(orlop_engine *engine, char id[64], const char *above, const char *parent, const char *below,
                   const char *body) {
  char path[128];
  snprintf(path, sizeof path, "%s%s%s", above, parent, below);
  ask(engine, "POST", path, body, "/id", id);
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
  create(engine, hub, "/organization/", acme, "/containerRegistry",
         "{\"name\":\"docker hub\",\"kind\":\"DOCKER_HUB\",\"config\":{}}");
  create(engine, europe, "/organization/", acme, "/cluster",
         "{\"name\":\"europe\",\"region\":\"eu-west-3\",\"cloud_provider\":\"AWS\"}");
  snprintf(path, sizeof path, "/organization/%s/cluster/%s/deploy", acme, europe);
  ask(engine, "POST", path, "", "/status", state);
  check(orlop_run_until_idle(engine, NULL));

  create(engine, shop, "/organization/", acme, "/project", "{\"name\":\"shop\"}");
  snprintf(body, sizeof body, "{\"name\":\"production\",\"cluster\":\"%s\"}", europe);
  create(engine, production, "/project/", shop, "/environment", body);
  create(engine, orders, "/environment/", production, "/database",
         "{\"name\":\"orders\",\"type\":\"POSTGRESQL\",\"version\":\"16\",\"mode\":\"CONTAINER\"}");
  snprintf(
      body, sizeof body,
      "{\"name\":\"web\",\"registry_id\":\"%s\",\"image_name\":\"acme/web\",\"tag\":\"1.0.0\",\"healthchecks\":{}}",
      hub);
  create(engine, web, "/environment/", production, "/container", body);

  uint64_t since = 0;
  check(orlop_last_event(engine, &since));
  snprintf(path, sizeof path, "/environment/%s/deploy", production);
  ask(engine, "POST", path, "", "/state", state);
  check(orlop_run_until_idle(engine, NULL));

  orlop_feed *feed = NULL;
  check(orlop_feed_read(&feed, engine, since, 1000));
  for (size_t index = 0; index < orlop_feed_size(feed); ++index) {
    const orlop_feed_event *event = orlop_feed_at(feed, index);
    if (event->kind != ORLOP_EVENT_STATE_CHANGED || strcmp(event->family.data, "cluster") == 0) continue;
    char at[25], subject[37];
    orlop_time_format(event->at_ms, at);
    orlop_id_format(event->subject, subject);
    printf("%s %-6s %s\n", at, strcmp(subject, web) == 0 ? "web" : "orders", event->to_name.data);
  }
  orlop_feed_free(feed);

  snprintf(path, sizeof path, "/environment/%s/status", production);
  ask(engine, "GET", path, "", "/state", state);
  printf("production %s\n", state);
  check(orlop_close(engine));
  return 0;
}
