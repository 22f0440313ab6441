// Virtual time, and the rules of the scripted driver.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/text/utf8.h"
#include "guard.h"
#include "instance.h"
#include "lifecycle/state.h"
#include "ports/callbacks.h"
#include "sim/rules/distribution.h"
#include "tables.h"
#include "versioned.h"
#include "wire/json.h"

using namespace orlop;
using namespace orlop::c;

namespace {

Result<std::string_view> outcome_of(const orlop_rule& rule) {
  switch (rule.outcome) {
    case ORLOP_OUTCOME_USUAL: return std::string_view(rule.fails.size == 0 ? "succeed" : "fail");
    case ORLOP_OUTCOME_CREDENTIALS_REFUSED: return std::string_view("credentials_refused");
    case ORLOP_OUTCOME_SILENCE: return std::string_view("hang");
    default: return invalid("rule.outcome must be one of ORLOP_OUTCOME_…, not " + std::to_string(rule.outcome));
  }
}

Result<void> check_duration(const char* member, std::int64_t given) {
  if (given >= 0 && given <= simulated_ms_max) return {};
  return invalid(std::string("rule.") + member + " must be 0 to " + std::to_string(simulated_ms_max) + ", not " +
                 std::to_string(given));
}

Result<void> check_texts(const orlop_rule& rule) {
  ORLOP_CHECK(check_text(rule.kind, "rule.kind"));
  ORLOP_CHECK(check_text(rule.step, "rule.step"));
  ORLOP_CHECK(check_text(rule.name, "rule.name"));
  ORLOP_CHECK(check_text(rule.fails, "rule.fails"));
  return check_text(rule.outputs, "rule.outputs");
}

// Snapshots are UTF-8 and contain the texts of rules.
Result<void> check_encoding(const char* member, orlop_text text) {
  if (is_utf8(view_of(text))) return {};
  return invalid(std::string("rule.") + member + " must be text in UTF-8, not " + shown(Value(to_utf8(view_of(text)))));
}

// Converts the struct to the JSON form of a rule.
Result<Value> read_rule(const orlop_rule* given) {
  ORLOP_TRY(rule, read_versioned(given, orlop_rule{}, sizeof(orlop_rule), "the rule"));
  ORLOP_CHECK(check_texts(rule));
  ORLOP_CHECK(check_encoding("name", rule.name));
  ORLOP_CHECK(check_encoding("fails", rule.fails));
  ORLOP_TRY(outcome, outcome_of(rule));
  ORLOP_CHECK(check_duration("delay_ms", rule.delay_ms));
  ORLOP_CHECK(check_duration("after_ms", rule.after_ms));
  ORLOP_CHECK(check_duration("jitter_ms", rule.jitter_ms));
  ORLOP_CHECK(check_duration("cancel_after_ms", rule.cancel_after_ms));
  if (rule.running < ORLOP_RUNNING_NONE || rule.running > ORLOP_RUNNING_UNKNOWN) {
    return invalid("rule.running must be one of ORLOP_RUNNING_…, not " + std::to_string(rule.running));
  }
  Value out = Value::object();
  const auto set_text = [&out](std::string_view name, orlop_text text) {
    if (text.size != 0) out.set(name, Value(view_of(text)));
  };
  const auto set_duration = [&out](std::string_view name, std::int64_t milliseconds) {
    if (milliseconds != 0) out.set(name, Value(std::to_string(milliseconds) + "ms"));
  };
  set_text("kind", rule.kind);
  set_text("step", rule.step);
  set_text("name", rule.name);
  if (rule.attempt != 0) out.set("attempt", Value(static_cast<std::int64_t>(rule.attempt)));
  if (rule.times != 0) out.set("times", Value(static_cast<std::int64_t>(rule.times)));
  out.set("after", Value(std::to_string(rule.after_ms) + "ms"));
  set_duration("delay", rule.delay_ms);
  set_duration("jitter", rule.jitter_ms);
  set_duration("cancel_after", rule.cancel_after_ms);
  out.set("outcome", Value(outcome));
  set_text("fails", rule.fails);
  if (rule.running != ORLOP_RUNNING_NONE) out.set("running", Value(to_string(static_cast<RunningState>(rule.running))));
  if (rule.outputs.size != 0) {
    auto outputs = parse_json(view_of(rule.outputs));
    if (!outputs) return invalid("rule.outputs must be a JSON object: " + outputs.error().message);
    out.set("outputs", std::move(*outputs));
  }
  return out;
}

}  // namespace

extern "C" {

orlop_error* orlop_advance(orlop_engine* engine, int64_t duration_ms) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    if (duration_ms < 0 || duration_ms > simulated_ms_max) {
      return misuse("duration_ms must be 0 to " + std::to_string(simulated_ms_max) + ", not " +
                    std::to_string(duration_ms));
    }
    return simulator->advance({duration_ms});
  });
}

orlop_error* orlop_run_until_idle(orlop_engine* engine, int64_t* passed_ms) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    ORLOP_TRY(ran, simulator->run_until_idle());
    if (passed_ms != nullptr) *passed_ms = ran.passed.milliseconds;
    return {};
  });
}

orlop_error* orlop_run_until_ended(orlop_run_end* end, orlop_engine* engine, orlop_id deployment, int64_t timeout_ms) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    if (end == nullptr) return misuse("end is NULL");
    if (timeout_ms < -1 || timeout_ms > simulated_ms_max) {
      return misuse("timeout_ms must be -1 (any time) or 0 to " + std::to_string(simulated_ms_max) + ", not " +
                    std::to_string(timeout_ms));
    }
    ORLOP_TRY(found, simulator->run_until_ended(id_of(deployment),
                                                timeout_ms < 0 ? std::nullopt : std::optional(Duration{timeout_ms})));
    *end = static_cast<orlop_run_end>(found);
    return {};
  });
}

orlop_error* orlop_call_at(orlop_engine* engine, int64_t at_ms, orlop_callback callback, void* context) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_TRY(simulator, host->simulator());
    if (callback == nullptr) return misuse("callback is NULL");
    if (at_ms > virtual_time_max.milliseconds) {
      return misuse("at_ms must be at most " + std::to_string(virtual_time_max.milliseconds) + ", " +
                    to_text(virtual_time_max) + ", not " + std::to_string(at_ms));
    }
    const auto call = [callback, context, instance = host.get()]() -> Result<void> {
      const Inside inside(instance, Callback::driver);
      try {
        callback(context);
      } catch (...) {
        return make_error(ErrorCode::driver_failed, "the callback of orlop_call_at threw an exception into C");
      }
      return {};
    };
    simulator->call_at(Instant{at_ms}, call, {callback, context});
    return {};
  });
}

orlop_error* orlop_call_cancel(orlop_engine* engine, orlop_callback callback, void* context, size_t* canceled) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_TRY(simulator, host->simulator());
    if (callback == nullptr) return misuse("callback is NULL");
    const std::size_t count = simulator->cancel_calls({callback, context});
    if (canceled != nullptr) *canceled = count;
    return {};
  });
}

orlop_error* orlop_record_events(orlop_engine* engine, orlop_recorded recorded) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    if (recorded < ORLOP_RECORDED_ALL || recorded > ORLOP_RECORDED_NONE) {
      return invalid("recorded must be one of ORLOP_RECORDED_…, not " + std::to_string(recorded));
    }
    simulator->record(static_cast<Recorded>(recorded));
    return {};
  });
}

orlop_error* orlop_reseed(orlop_engine* engine, uint64_t seed) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    simulator->reseed(seed);
    return {};
  });
}

orlop_error* orlop_state_save(uint64_t* state, orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    if (state == nullptr) return misuse("state is NULL");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    ORLOP_TRY(number, simulator->save());
    *state = number;
    return {};
  });
}

orlop_error* orlop_state_snapshot(orlop_buffer** snapshot, orlop_engine* engine, uint64_t state) {
  return guard([&]() -> Result<void> {
    if (snapshot == nullptr) return misuse("snapshot is NULL");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    ORLOP_TRY(text, simulator->saved_snapshot(state));
    *snapshot = buffers().add(std::make_shared<std::string>(std::move(text)));
    return {};
  });
}

orlop_error* orlop_state_restore(orlop_engine* engine, uint64_t state) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    return simulator->go_back(state);
  });
}

orlop_error* orlop_state_drop(orlop_engine* engine, uint64_t state) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    return simulator->drop_saved(state);
  });
}

orlop_error* orlop_fork(orlop_engine** fork, orlop_engine* engine, const orlop_options* options) {
  return guard([&]() -> Result<void> {
    if (fork == nullptr) return misuse("the out parameter for the engine must not be NULL");
    ORLOP_TRY(origin, host_of(engine));
    ORLOP_TRY(simulator, origin->simulator());
    ORLOP_TRY(parsed, read_options(options));
    if (!parsed.simulation) return misuse("a fork is a simulation: options.simulation must be set");
    if (parsed.store || parsed.engine.storage != "memory:" || !parsed.engine.snapshot.empty()) {
      return misuse(
          "a fork is in memory, with the contents of the simulation: options.storage must be \"memory:\", and "
          "options.store and options.snapshot must be left out");
    }
    ORLOP_TRY(host, Instance::open(std::move(parsed), simulator));
    *fork = engines().add(host);
    host->own_callbacks();
    return {};
  });
}

orlop_error* orlop_rule_add(orlop_engine* engine, const orlop_rule* rule) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(rules, host->rules());
    ORLOP_TRY(read, read_rule(rule));
    return rules->add(read, host->engine().now());
  });
}

orlop_error* orlop_rules_clear(orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(rules, host->rules());
    rules->clear();
    return {};
  });
}

}  // extern "C"
