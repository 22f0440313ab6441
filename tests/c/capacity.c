// Nodes of a cluster of a simulation: a service waits for room, begins when there is some, and loses its node.
#include "check.h"

static int status_of(orlop_engine *engine, const char *database, const char *state) {
  char path[128];
  snprintf(path, sizeof path, "/database/%s/status", database);
  orlop_reply *reply = dispatch(engine, "GET", path, "");
  const int holds = strstr(orlop_reply_body(reply).data, state) != NULL;
  orlop_reply_free(reply);
  return holds;
}

static int events_hold(orlop_engine *engine, const char *text) {
  orlop_buffer *events = NULL;
  OK(orlop_events(&events, engine, 0, 10000));
  const int holds = strstr(orlop_buffer_text(events).data, text) != NULL;
  orlop_buffer_free(events);
  return holds;
}

static platform on_a_cluster(orlop_engine *engine) {
  platform made = create_platform(engine);
  char path[160], body[160];
  snprintf(path, sizeof path, "/organization/%s/cluster/%s/deploy", made.organization, made.cluster);
  orlop_reply_free(dispatch(engine, "POST", path, ""));
  OK(orlop_run_until_idle(engine, NULL));
  snprintf(body, sizeof body, "{\"name\":\"full\",\"cluster_id\":\"%s\"}", made.cluster);
  create(engine, made.environment, "/project/%s/environment", made.project, body);
  create(engine, made.database, "/environment/%s/database", made.environment,
         "{\"name\":\"orders\",\"type\":\"POSTGRESQL\",\"version\":\"16\",\"mode\":\"CONTAINER\",\"cpu\":800,"
         "\"memory\":256}");
  return made;
}

static void waits_and_begins(void) {
  orlop_engine *engine = open_simulation(NULL);
  const platform made = on_a_cluster(engine);
  char second[37];
  create(engine, second, "/environment/%s/database", made.environment,
         "{\"name\":\"stock\",\"type\":\"POSTGRESQL\",\"version\":\"16\",\"mode\":\"CONTAINER\",\"cpu\":800,\"memory\":"
         "256}");
  orlop_capacity capacity = ORLOP_CAPACITY_INIT;
  capacity.nodes = 1;
  capacity.nodes_max = 2;
  capacity.cpu_milli = 1000;
  capacity.memory_mb = 1024;
  capacity.price = 0.5;
  OK(orlop_capacity_set(engine, text_of(made.cluster), &capacity));
  deploy(engine, &made);
  OK(orlop_advance(engine, 60000));
  CHECK(status_of(engine, made.database, "\"DEPLOYED\"") && status_of(engine, second, "\"WAITING_RUNNING\""));
  CHECK(events_hold(engine, "1 instance with 800m cpu and 256 MB have no room"));
  OK(orlop_advance(engine, 60000));
  CHECK(status_of(engine, second, "\"DEPLOYED\""));
  CHECK(events_hold(engine, "\"cluster.capacity_changed\""));
  OK(orlop_nodes_lose(engine, text_of(made.cluster), 1, 3600000));
  CHECK(events_hold(engine, "\"to\":\"ERROR\"") && events_hold(engine, "\"lost\":1"));
  OK(orlop_advance(engine, 3660000));
  CHECK(events_hold(engine, "\"from\":\"ERROR\",\"to\":\"STARTING\"") &&
        events_hold(engine, "\"from\":\"STARTING\",\"to\":\"RUNNING\""));
  OK(orlop_capacity_clear(engine));
  OK(orlop_close(engine));
}

static void refuses(void) {
  orlop_engine *engine = open_simulation(NULL);
  const platform made = on_a_cluster(engine);
  const orlop_text cluster = text_of(made.cluster);
  orlop_capacity capacity = ORLOP_CAPACITY_INIT;
  FAILS(ORLOP_ERROR_MISUSE, orlop_capacity_set(engine, cluster, NULL));
  FAILS(ORLOP_ERROR_INVALID, orlop_capacity_set(engine, cluster, &capacity));  // a node without cpu
  capacity.nodes = 1;
  capacity.cpu_milli = 1000;
  FAILS(ORLOP_ERROR_INVALID, orlop_capacity_set(engine, cluster, &capacity));  // and without memory
  capacity.memory_mb = 1024;
  capacity.scale_up_after_ms = -1;
  FAILS(ORLOP_ERROR_INVALID, orlop_capacity_set(engine, cluster, &capacity));
  capacity.scale_up_after_ms = 0;
  FAILS(ORLOP_ERROR_INVALID, orlop_capacity_set(engine, text_of("europe"), &capacity));
  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_capacity_set(engine, text_of(made.environment), &capacity));
  FAILS(ORLOP_ERROR_CONFLICT, orlop_nodes_lose(engine, cluster, 1, 0));
  FAILS(ORLOP_ERROR_NOT_FOUND, orlop_nodes_lose(engine, text_of(made.environment), 1, 0));
  OK(orlop_capacity_set(engine, cluster, &capacity));
  FAILS(ORLOP_ERROR_INVALID, orlop_nodes_lose(engine, cluster, 0, 0));
  FAILS(ORLOP_ERROR_INVALID, orlop_nodes_lose(engine, cluster, 1, -1));
  OK(orlop_nodes_lose(engine, cluster, 5, 0));
  OK(orlop_close(engine));
}

// A feed that keeps fewer events does not change what the platform does.
static void keeps_less(void) {
  orlop_engine *engine = open_simulation(NULL);
  FAILS(ORLOP_ERROR_INVALID, orlop_record_events(engine, 3));
  OK(orlop_record_events(engine, ORLOP_RECORDED_STATES));
  const platform made = on_a_cluster(engine);
  uint64_t before = 0, after = 0;
  CHECK(events_hold(engine, "\"cluster.deployed\"") && !events_hold(engine, "\"step.started\""));
  OK(orlop_record_events(engine, ORLOP_RECORDED_NONE));
  OK(orlop_last_event(engine, &before));
  deploy(engine, &made);
  OK(orlop_run_until_idle(engine, NULL));
  OK(orlop_last_event(engine, &after));
  CHECK(after == before && status_of(engine, made.database, "\"DEPLOYED\""));
  OK(orlop_close(engine));
}

int main(void) {
  keeps_less();
  waits_and_begins();
  refuses();
  return 0;
}
