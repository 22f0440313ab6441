// Memory that runs out at any allocation of any call, once or permanently: the call succeeds, or fails with an
// out-of-memory error and changes nothing; the engine then works as if the failed call had not been made. Both
// allocators fail: malloc is replaced here, from which operator new, SQLite and the C library take their memory.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "check.h"
#include "exhaust.h"
#include "orlop/driver.h"
#include "orlop/orlop.h"

namespace {

// ---- Calls ----

orlop_request request_of(const char* method, const std::string& path, const std::string& body) {
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = text_of(method);
  request.path = {path.data(), path.size()};
  request.body = {body.data(), body.size()};
  return request;
}

// Sends a request and sets `status`; 0 if there is no reply.
orlop_error* ask(orlop_engine* engine, const orlop_request& request, int& status) {
  status = 0;
  orlop_reply* reply = nullptr;
  orlop_error* error = orlop_dispatch(&reply, engine, &request);
  if (error == nullptr) status = orlop_reply_status(reply);
  orlop_reply_free(reply);
  return error;
}

// Returns a prefix on a memory file system if there is one, else "": thousands of stores are created.
std::string folder() {
  return ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/orlop-" + std::to_string(::getpid()) + "-" : "";
}

void remove_file(const std::string& storage) {
  if (!storage.starts_with("sqlite:")) return;
  for (const char* ending : {"", "-wal", "-shm", "-lock"}) std::remove((storage.substr(7) + ending).c_str());
}

struct Store {
  std::string storage;
  std::string key;

  orlop_options options(const orlop_driver* driver = nullptr) const {
    orlop_options options = ORLOP_OPTIONS_INIT;
    options.storage = {storage.data(), storage.size()};
    if (!key.empty()) options.secret_key = {key.data(), key.size()};
    options.durability = ORLOP_DURABILITY_NORMAL;
    options.simulation = 1;
    options.require_cluster = 0;
    options.seed = 7;
    options.driver = driver;
    return options;
  }
  orlop_engine* open(const orlop_driver* driver = nullptr) const {
    const orlop_options given = options(driver);
    orlop_engine* engine = nullptr;
    OK(orlop_open(&engine, &given));
    return engine;
  }
};

// ---- Opening and closing ----

void opens(const Store& store) {
  remove_file(store.storage);
  const orlop_options options = store.options();
  orlop_engine* engine = nullptr;
  const auto open = [&] { return orlop_open(&engine, &options); };
  const auto close = [&](bool succeeded) {
    if (succeeded) OK(orlop_close(engine));
  };
  // SQLite creates a schema with thousands of allocations, the same each time: later ones are sampled.
  exhaust({"opening a new store", open, [&] { remove_file(store.storage); }, close, 20});
  exhaust({"closing", [&] { return orlop_close(engine); }, [&] { OK(orlop_open(&engine, &options)); },
           [&](bool succeeded) { SO(succeeded); }});
}

// A store with a deployment under way is resumed, and the deployment ends.
void opens_again(const Store& store) {
  if (store.storage == "memory:") return;
  remove_file(store.storage);
  const orlop_options options = store.options();
  orlop_engine* engine = store.open();
  const platform made = create_platform(engine);
  orlop_rule slow = ORLOP_RULE_INIT;
  slow.after_ms = 60'000;
  OK(orlop_rule_add(engine, &slow));
  deploy(engine, &made);
  OK(orlop_advance(engine, 1000));
  OK(orlop_close(engine));
  engine = nullptr;
  exhaust({"opening a store with work", [&] { return orlop_open(&engine, &options); }, [] {},
           [&](bool succeeded) {
             if (succeeded) OK(orlop_close(engine));
           },
           20});
  engine = store.open();
  OK(orlop_rule_add(engine, &slow));  // rules are not stored
  OK(orlop_run_until_idle(engine, nullptr));
  SO(status_holds(engine, &made, "\"DEPLOYED\""));
  OK(orlop_close(engine));
}

// ---- Requests ----

void answers(const Store& store) {
  remove_file(store.storage);
  orlop_engine* engine = store.open();
  const platform made = create_platform(engine);
  const std::string databases = std::string("/environment/") + made.environment + "/database";
  const std::string one = std::string("/database/") + made.database;
  const std::string tokens = std::string("/organization/") + made.organization + "/gitToken";
  int number = 0;
  int status = 0;
  std::string path;
  std::string body;
  std::uint64_t before = 0;
  const auto write = [&](const char* what, const char* method, int expected, const std::function<void()>& prepare) {
    exhaust({what, [&] { return ask(engine, request_of(method, path, body), status); },
             [&] {
               prepare();
               before = last_event(engine);
             },
             [&](bool succeeded) {
               SO(!succeeded || status == expected);
               SO((last_event(engine) == before) != succeeded);  // the request is applied completely or not at all
             }});
  };
  const auto read = [&](const char* what, const char* method, const std::string& from, const std::string& text,
                        int expected) {
    const std::uint64_t end = last_event(engine);
    exhaust({what, [&] { return ask(engine, request_of(method, from, text), status); }, [] {},
             [&](bool succeeded) {
               SO(!succeeded || status == expected);
               SO(last_event(engine) == end);
             }});
  };
  const auto name = [&] { return "n" + std::to_string(++number); };
  const std::string usual = R"(","type":"POSTGRESQL","version":"16","mode":"CONTAINER"})";
  write("creating", "POST", 201, [&] { path = databases, body = R"({"name":")" + name() + usual; });
  write("creating with a secret", "POST", 201, [&] {
    path = tokens;
    body = R"({"type":"GITHUB","token":"secret","name":")" + name() + R"("})";
  });
  write("editing", "PUT", 200, [&] {
    path = one;
    body = R"({"name":")" + name() + R"(","version":"16","mode":"CONTAINER"})";
  });
  write("deleting", "DELETE", 204, [&] {
    char id[37];
    create(engine, id, "/organization/%s/gitToken", made.organization,
           (R"({"type":"GITHUB","token":"secret","name":")" + name() + R"("})").c_str());
    path = tokens + "/" + id, body.clear();
  });
  read("reading", "GET", one, "", 200);
  read("listing", "GET", databases, "", 200);
  read("asking for statuses", "GET", std::string("/environment/") + made.environment + "/statuses", "", 200);
  read("a refusal", "POST", databases, R"({"name":["deep",{"er":[1,2,3]}],"unknown":{"a":"b"}})", 400);
  read("a path that is not served", "GET", "/nowhere/at/all", "", 404);
  const std::string conflicting = R"({"name":"taken)" + usual;
  orlop_reply_free(dispatch(engine, "POST", databases.c_str(), conflicting.c_str()));
  read("a conflict", "POST", databases, conflicting, 409);
  SO(body_of(engine, databases).find("taken") != std::string::npos);
  OK(orlop_close(engine));
}

// ---- Deployments ----

// Checks that each deployment ends in its state as if memory had never run out.
void comes_to_its_end(orlop_engine* engine, const platform& made, std::uint64_t since) {
  OK(orlop_run_until_idle(engine, nullptr));
  SO(status_holds(engine, &made, "\"DEPLOYED\""));
  SO(count_in_feed(engine, since, "\"deployment.ended\"") == 1);
  SO(count_in_feed(engine, since, "\"step.started\"") == 1);
  SO(count_in_feed(engine, since, "\"step.ended\"") == 1);
}

void deploys(const Store& store) {
  remove_file(store.storage);
  orlop_engine* engine = store.open();
  const platform made = create_platform(engine);
  orlop_rule slow = ORLOP_RULE_INIT;
  slow.after_ms = 60'000;
  slow.running = ORLOP_RUNNING_RUNNING;
  exhaust({"adding a rule", [&] { return orlop_rule_add(engine, &slow); }});
  const std::string path = std::string("/environment/") + made.environment + "/deploy";
  const std::string cancel = std::string("/environment/") + made.environment + "/cancelDeployment";
  std::uint64_t since = 0;
  int status = 0;
  exhaust({"asking for a deployment", [&] { return ask(engine, request_of("POST", path, ""), status); },
           [&] { since = last_event(engine); },
           [&](bool succeeded) {
             SO(!succeeded || status == 202);
             SO((last_event(engine) == since) != succeeded);
             if (succeeded) comes_to_its_end(engine, made, since);
           }});
  const auto begin = [&] {
    since = last_event(engine);
    deploy(engine, &made);
  };
  const auto end = [&](bool) { comes_to_its_end(engine, made, since); };
  exhaust({"the first tick", [&] { return orlop_tick(engine, nullptr); }, begin, end});
  exhaust(
      {"a deployment from its begin to its end", [&] { return orlop_run_until_idle(engine, nullptr); }, begin, end});
  exhaust({"moving the clock", [&] { return orlop_advance(engine, 60'000); }, begin, end, 20});
  exhaust({"canceling", [&] { return ask(engine, request_of("POST", cancel, "{}"), status); },
           [&] {
             begin();
             OK(orlop_advance(engine, 1000));
           },
           [&](bool succeeded) {
             OK(orlop_run_until_idle(engine, nullptr));
             SO(status_holds(engine, &made, succeeded ? "\"CANCELED\"" : "\"DEPLOYED\""));
             SO(count_in_feed(engine, since, "\"deployment.ended\"") == 1);
           }});
  OK(orlop_close(engine));
}

// A driver of the host that remembers the last step.
struct Held {
  orlop_id step;
  int starts;
};

orlop_error* hold(void* context, const orlop_step* step) {
  auto* held = static_cast<Held*>(context);
  held->step = step->id;
  ++held->starts;
  return nullptr;
}

void reports(const Store& store) {
  remove_file(store.storage);
  Held held = {};
  orlop_driver driver = ORLOP_DRIVER_INIT;
  driver.context = &held;
  driver.start = hold;
  orlop_engine* engine = store.open(&driver);
  const platform made = create_platform(engine);
  std::uint64_t since = 0;
  orlop_step_report report = ORLOP_STEP_REPORT_INIT;
  const auto begin = [&] {
    since = last_event(engine);
    deploy(engine, &made);
    OK(orlop_advance(engine, 1));
    report.step = held.step;
    report.kind = ORLOP_REPORT_SUCCEEDED;
    report.text = text_of(R"({"host":"orders.example.com","a text that is longer than any text without memory":1})");
  };
  exhaust({"reporting", [&] { return orlop_report(engine, &report); }, begin,
           [&](bool succeeded) {
             if (!succeeded) OK(orlop_report(engine, &report));
             comes_to_its_end(engine, made, since);
           }});
  exhaust({"taking a report", [&] { return orlop_tick(engine, nullptr); },
           [&] {
             begin();
             OK(orlop_report(engine, &report));
           },
           [&](bool) { comes_to_its_end(engine, made, since); }});
  // A step whose start failed is handed to the driver again; the engine does not wait for a report on it.
  exhaust({"asking the driver", [&] { return orlop_tick(engine, nullptr); },
           [&] {
             since = last_event(engine);
             held.starts = 0;
             deploy(engine, &made);
           },
           [&](bool) {
             OK(orlop_advance(engine, 1));
             SO(held.starts > 0);
             report.step = held.step;
             OK(orlop_report(engine, &report));
             comes_to_its_end(engine, made, since);
           }});
  OK(orlop_close(engine));
}

// ---- Snapshots ----

void restores(const Store& store) {
  remove_file(store.storage);
  orlop_engine* engine = store.open();
  create_platform(engine);
  exhaust({"reading the feed", [&] {
             orlop_buffer* list = nullptr;
             orlop_error* error = orlop_events(&list, engine, 0, 100);
             orlop_buffer_free(list);
             return error;
           }});
  exhaust({"a snapshot", [&] {
             orlop_buffer* text = nullptr;
             orlop_error* error = orlop_snapshot(&text, engine);
             orlop_buffer_free(text);
             return error;
           }});
  orlop_buffer* text = nullptr;
  OK(orlop_snapshot(&text, engine));
  const std::string snapshot(orlop_buffer_text(text).data, orlop_buffer_text(text).size);
  orlop_buffer_free(text);
  OK(orlop_close(engine));
  orlop_options options = store.options();
  options.snapshot = {snapshot.data(), snapshot.size()};
  engine = nullptr;
  exhaust({"opening with a snapshot", [&] { return orlop_open(&engine, &options); },
           [&] { remove_file(store.storage); },
           [&](bool succeeded) {
             if (!succeeded) return;
             SO(body_of(engine, "/organization").find("acme") != std::string::npos);
             OK(orlop_close(engine));
           },
           20});
}

}  // namespace

int main() {
  // OpenSSL initializes its ciphers at their first use, and never works again in a process where that ran out of
  // memory.
  const Store sealed = {"memory:", std::string(32, 'k')};
  OK(orlop_close(sealed.open()));
  const std::vector<Store> stores = {{"memory:", ""}, sealed, {"sqlite:" + folder() + "out_of_memory.db", ""}};
  for (const Store& store : stores) {
    for (const auto act : {opens, opens_again, answers, deploys, reports, restores}) act(store);
    remove_file(store.storage);
  }
  return 0;
}
