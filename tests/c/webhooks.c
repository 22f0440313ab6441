// The webhook sender: one that reports, fails or does nothing, and the scripted receivers of a simulation.
#include "check.h"
#include "orlop/ports.h"

static const char *const webhook =
    "{\"kind\":\"STANDARD\",\"target_url\":\"https://hooks.example.com/"
    "x\",\"target_secret\":\"hush\",\"events\":[\"DEPLOYMENT_STARTED\"]}";

// Context of the ports: engine, settings and recorded calls.
typedef struct port {
  orlop_engine *engine;
  int calls;
  int releases;
  orlop_id last;
  uint32_t last_attempt;
  int32_t status;  // status reported before deliver() returns; -1: no report
} port;

static void count_release(void *context) { ++((port *)context)->releases; }

static int has_header(const orlop_delivery *delivery, const char *name) {
  for (size_t index = 0; index < delivery->header_count; ++index) {
    if (strcmp(delivery->headers[index].name.data, name) == 0) return delivery->headers[index].value.size != 0;
  }
  return 0;
}

static orlop_error *deliver(void *context, const orlop_delivery *delivery) {
  port *self = context;
  CHECK(delivery->size == sizeof *delivery);
  CHECK(strcmp(delivery->url.data, "https://hooks.example.com/x") == 0);
  CHECK(strstr(delivery->body.data, "\"type\":\"deployment.started\"") != NULL);
  CHECK(strstr(delivery->body.data, "hush") == NULL);
  CHECK(has_header(delivery, "webhook-id") && has_header(delivery, "webhook-timestamp") &&
        has_header(delivery, "webhook-signature"));
  if (self->calls != 0) CHECK(memcmp(&self->last, &delivery->id, sizeof self->last) == 0);
  ++self->calls;
  self->last = delivery->id;
  self->last_attempt = delivery->attempt;
  // A sender may only ask for the time and report deliveries.
  int64_t now = 0;
  OK(orlop_now(self->engine, &now));
  FAILS(ORLOP_ERROR_MISUSE, orlop_tick(self->engine, NULL));
  FAILS(ORLOP_ERROR_INVALID, orlop_report_delivery(self->engine, delivery->id, 600, text_of("")));
  FAILS(ORLOP_ERROR_INVALID, orlop_report_delivery(self->engine, delivery->id, -1, text_of("")));
  if (self->status >= 0)
    OK(orlop_report_delivery(self->engine, delivery->id, self->status, text_of("as reported \xff")));
  return self->status == -2 ? orlop_error_new(ORLOP_ERROR_DRIVER_FAILED, text_of("the webhook sender is ill")) : NULL;
}

static orlop_engine *open_with(const orlop_webhook_sender *webhook_sender) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.simulation = 1;
  options.webhook_sender = webhook_sender;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  return engine;
}

static void add_webhook(orlop_engine *engine, const platform *made, char id[37]) {
  create(engine, id, "/organization/%s/webhook", made->organization, webhook);
}

static int log_holds(orlop_engine *engine, const platform *made, const char *id, const char *text) {
  char path[192];
  snprintf(path, sizeof path, "/organization/%s/webhook/%s/event", made->organization, id);
  orlop_reply *reply = dispatch(engine, "GET", path, "");
  CHECK(orlop_reply_status(reply) == 200);
  const int holds = strstr(orlop_reply_body(reply).data, text) != NULL;
  orlop_reply_free(reply);
  return holds;
}

static void a_webhook_sender_receives_and_reports(void) {
  port self = {0};
  self.status = 500;
  const orlop_webhook_sender webhook_sender = {sizeof webhook_sender, &self, deliver, count_release};
  self.engine = open_with(&webhook_sender);
  const platform made = create_platform(self.engine);
  char id[37];
  add_webhook(self.engine, &made, id);
  deploy(self.engine, &made);
  OK(orlop_advance(self.engine, 0));
  CHECK(self.calls == 1 && self.last_attempt == 1);
  CHECK(log_holds(self.engine, &made, id, "\"status\":\"WAITING\"") &&
        log_holds(self.engine, &made, id, "as reported"));
  self.status = -2;
  OK(orlop_advance(self.engine, 5000));
  CHECK(self.calls == 2 && log_holds(self.engine, &made, id, "the webhook sender is ill"));
  self.status = -1;
  OK(orlop_advance(self.engine, 300000));
  CHECK(self.calls == 3 && self.last_attempt == 3 && log_holds(self.engine, &made, id, "\"status\":\"SENDING\""));
  OK(orlop_report_delivery(self.engine, self.last, 204, text_of("")));
  OK(orlop_tick(self.engine, NULL));
  CHECK(log_holds(self.engine, &made, id, "\"status\":\"DELIVERED\""));
  OK(orlop_run_until_idle(self.engine, NULL));
  CHECK(self.calls == 3 && self.releases == 0);
  const orlop_receiver receiver = ORLOP_RECEIVER_INIT;
  FAILS(ORLOP_ERROR_MISUSE, orlop_receiver_add(self.engine, &receiver));
  FAILS(ORLOP_ERROR_MISUSE, orlop_receivers_clear(self.engine));
  OK(orlop_close(self.engine));
  CHECK(self.releases == 1);
  FAILS(ORLOP_ERROR_CLOSED, orlop_report_delivery(self.engine, self.last, 200, text_of("")));
}

static void a_simulation_answers_by_rules(void) {
  orlop_engine *engine = open_with(NULL);
  const platform made = create_platform(engine);
  char id[37];
  add_webhook(engine, &made, id);
  orlop_receiver receiver = ORLOP_RECEIVER_INIT;
  receiver.url = text_of("https://hooks.*");
  receiver.status = 0;
  receiver.text = text_of("no route to host");
  OK(orlop_receiver_add(engine, &receiver));
  deploy(engine, &made);
  OK(orlop_advance(engine, 0));
  CHECK(log_holds(engine, &made, id, "no route to host"));
  OK(orlop_receivers_clear(engine));
  OK(orlop_advance(engine, 5000));
  CHECK(log_holds(engine, &made, id, "\"status\":\"DELIVERED\""));
  receiver.status = 600;
  FAILS(ORLOP_ERROR_INVALID, orlop_receiver_add(engine, &receiver));
  FAILS(ORLOP_ERROR_MISUSE, orlop_receiver_add(engine, NULL));
  OK(orlop_close(engine));
}

static void hosts_may_be_allowed(void) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  orlop_engine *engine = NULL;
  options.webhook_allow = text_of("hooks.example.internal,10.0.0.0/40");
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  options.webhook_allow = text_of("hooks.example.internal, 10.0.0.0/8");
  OK(orlop_open(&engine, &options));
  char organization[37];
  char id[37];
  create(engine, organization, "/organization%s", "", "{\"name\":\"acme\",\"plan\":\"FREE\"}");
  create(engine, id, "/organization/%s/webhook", organization,
         "{\"kind\":\"SLACK\",\"target_url\":\"http://10.1.2.3/x\",\"events\":[\"DEPLOYMENT_STARTED\"]}");
  OK(orlop_close(engine));
  options.webhook_allow.data = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
}

int main(void) {
  a_webhook_sender_receives_and_reports();
  a_simulation_answers_by_rules();
  hosts_may_be_allowed();
  return 0;
}
