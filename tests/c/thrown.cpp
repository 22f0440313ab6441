// Functions of a C++ host that throw into C: the library turns the exceptions into errors.
#include <stdexcept>
#include <string>

#include "check.h"
#include "orlop/ports.h"

namespace {

std::string logged;

void write_and_throw(void*, orlop_log_level level, orlop_text message) {
  logged += std::to_string(level) + " " + std::string(message.data, message.size) + "\n";
  throw std::runtime_error("the log is full");
}

int deliveries = 0;
orlop_error* throw_delivery(void*, const orlop_delivery*) {
  ++deliveries;
  throw 42;
}

orlop_error* throw_step(void*, const orlop_step*) { throw std::runtime_error("no driver"); }

orlop_error* throw_ask(void*, const orlop_ask*) { throw std::runtime_error("no systems"); }

orlop_error* accept_step(void*, const orlop_step*) { return nullptr; }
void throw_cancellation(void*, const orlop_cancellation*) { throw std::runtime_error("no way"); }

void test_webhook_sender_and_driver() {
  orlop_log log = ORLOP_LOG_INIT;
  log.write = write_and_throw;
  orlop_webhook_sender webhook_sender = ORLOP_WEBHOOK_SENDER_INIT;
  webhook_sender.deliver = throw_delivery;
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.start = throw_step;
  orlop_external_systems systems = ORLOP_EXTERNAL_SYSTEMS_INIT;
  systems.ask = throw_ask;
  systems.questions = ORLOP_TEXT("find_webhook");
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.require_cluster = 0;
  options.simulation = 1;
  options.log = &log;
  options.driver = &driver;
  options.webhook_sender = &webhook_sender;
  options.external_systems = &systems;
  orlop_engine* engine = nullptr;
  OK(orlop_open(&engine, &options));
  const platform made = create_platform(engine);
  char id[37];
  create(engine, id, "/organization/%s/webhook", made.organization,
         R"({"kind":"STANDARD","target_url":"https://hooks.example.com/x","target_secret":"hush","events":)"
         R"(["DEPLOYMENT_STARTED"]})");
  create(
      engine, id, "/environment/%s/application", made.environment,
      R"({"name":"api","git_repository":{"url":"https://github.com/acme/api","provider":"GITHUB"},"healthchecks":{}})");
  const std::string path = "/service/" + std::string(id) + "/gitWebhookStatus";
  orlop_reply_free(dispatch(engine, "GET", path.c_str(), ""));
  CHECK(logged == "2 the question find_webhook was not answered: the external systems threw an exception into C\n");
  logged.clear();
  deploy(engine, &made);
  OK(orlop_advance(engine, 0));
  CHECK(deliveries == 1);
  CHECK(logged == "2 the webhook sender failed: the webhook sender threw an exception into C\n");
  OK(orlop_run_until_idle(engine, nullptr));
  orlop_reply* reply =
      dispatch(engine, "GET", ("/environment/" + std::string(made.environment) + "/status").c_str(), "");
  CHECK(std::string(orlop_reply_body(reply).data).find("BUILD_ERROR") != std::string::npos);
  orlop_reply_free(reply);
  OK(orlop_close(engine));
}

void test_cancellation() {
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.start = accept_step;
  driver.cancel = throw_cancellation;
  orlop_engine* engine = open_simulation(&driver);
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_advance(engine, 0));
  orlop_reply_free(
      dispatch(engine, "POST", ("/environment/" + std::string(made.environment) + "/cancelDeployment").c_str(), "{}"));
  OK(orlop_advance(engine, 1000));
  OK(orlop_close(engine));
}

// An exception from a call in virtual time becomes an error of the function that advances the clock; the next call of
// that function continues.
void test_virtual_call() {
  orlop_engine* engine = open_simulation(nullptr);
  OK(orlop_call_at(
      engine, 0, [](void*) { throw 42; }, nullptr));
  orlop_error* error = orlop_run_until_idle(engine, nullptr);
  CHECK(orlop_error_code(error) == ORLOP_ERROR_DRIVER_FAILED);
  CHECK(std::string(orlop_error_message(error)) == "the callback of orlop_call_at threw an exception into C");
  orlop_error_free(error);
  OK(orlop_run_until_idle(engine, nullptr));
  OK(orlop_close(engine));
}

}  // namespace

int main() {
  test_webhook_sender_and_driver();
  test_cancellation();
  test_virtual_call();
  return 0;
}
