#include "host.h"

#include <pybind11/stl.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

#include "arguments.h"
#include "request_pool.h"
#include "enum_values.h"

namespace orlop_python {
namespace {

// What a callback raised on this thread, kept until the call that led to it returns to Python.
thread_local PyObject* pending = nullptr;

std::atomic<int> callbacks = 0;
std::atomic<bool> has_ended = false;
std::atomic<std::thread::id> ending_thread;

bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

void keep(const py::error_already_set& raised) {
  if (pending == nullptr) pending = raised.value().inc_ref().ptr();
}

std::string text_of_exception(const py::error_already_set& raised) {
  const std::string said = py::str(raised.value());
  return said.empty() ? std::string(py::str(raised.type().attr("__name__"))) : said;
}

py::str text_of(orlop_text view) { return text_out(orlop::view_of(view)); }

py::dict facts_of(const orlop::Step& step) {
  py::dict facts;
  facts["id"] = orlop::to_text(step.id);
  facts["kind"] = text_of(step.kind_name);
  facts["action"] = to_string(actions, step.action);
  facts["attempt"] = step.attempt;
  facts["resumed"] = step.resumed != 0;
  facts["subject"] = orlop::to_text(step.subject);
  facts["owner"] = orlop::to_text(step.owner);
  facts["organization"] = orlop::to_text(step.organization);
  facts["request"] = orlop::to_text(step.request);
  facts["deadline"] = static_cast<double>(step.deadline_ms) / 1000.0;
  facts["family"] = text_of(step.family);
  facts["name"] = text_of(step.name);
  facts["configuration"] = text_of(step.configuration);
  return facts;
}

class PythonDriver final : public orlop::Driver {
 public:
  explicit PythonDriver(std::shared_ptr<Host> host) : host_(std::move(host)) {}

  void start(const orlop::Step& step) override {
    with_python([&] {
      const py::object driver = host_->driver;
      if (driver.is_none()) throw std::runtime_error("the engine was closed before the step began");
      try {
        driver.attr("start")(facts_of(step));
      } catch (const py::error_already_set& raised) {
        throw std::runtime_error(text_of_exception(raised));
      }
    });
  }

  void cancel(const orlop::Cancellation& cancellation) override {
    with_python([&] {
      const py::object driver = host_->driver;
      if (driver.is_none()) return;
      try {
        driver.attr("cancel")(orlop::to_text(cancellation.step), cancellation.mode == ORLOP_CANCEL_FORCE);
      } catch (const py::error_already_set& raised) {
        keep(raised);
      }
    });
  }

 private:
  std::shared_ptr<Host> host_;
};

std::array<py::object*, 8> all_of(Host& host) {
  return {&host.driver, &host.clock, &host.random_source, &host.token_authenticator, &host.policy_evaluator, &host.git_provider, &host.webhook_sender, &host.log};
}

// Runs a port of the host's in Python; what it raises is thrown on as words.
template <typename Run>
auto run_port(const py::object Host::* port, const std::shared_ptr<Host>& host, const Run& run) {
  const PortWait others_go_on;
  return with_python([&] {
    const py::object held = (*host).*port;
    if (held.is_none()) throw std::runtime_error("the engine was closed");
    try {
      return run(held);
    } catch (const py::error_already_set& raised) {
      if (raised.matches(PyExc_TimeoutError)) throw orlop::PortTimeout(text_of_exception(raised));
      throw std::runtime_error(text_of_exception(raised));
    } catch (const py::cast_error&) {
      throw std::runtime_error("the port gave something of another type");
    }
  });
}

orlop::Identity verify(const std::shared_ptr<Host>& host, std::string_view token, orlop::Instant now) {
  return run_port(&Host::token_authenticator, host, [&](const py::object& token_authenticator) {
    const double seconds = static_cast<double>(now.time_since_epoch().count()) / 1000.0;
    const auto [subject, email, name] =
        token_authenticator(py::str(token.data(), token.size()), seconds).cast<std::tuple<std::string, std::string, std::string>>();
    return orlop::Identity{subject, email, name};
  });
}

bool allows(const std::shared_ptr<Host>& host, std::string_view policy, std::string_view input) {
  return run_port(&Host::policy_evaluator, host, [&](const py::object& policy_evaluator) {
    return policy_evaluator(py::str(policy.data(), policy.size()), py::bytes(input.data(), input.size())).cast<bool>();
  });
}

orlop::Hook find_hook(const std::shared_ptr<Host>& host, const orlop::Repository& repository) {
  return run_port(&Host::git_provider, host, [&](const py::object& git_provider) {
    const auto events = git_provider(text_of(repository.provider), text_of(repository.url), text_of(repository.token))
                            .cast<std::optional<std::vector<std::string>>>();
    if (!events) return orlop::Hook{ORLOP_HOOK_ABSENT, {}};
    return orlop::Hook{ORLOP_HOOK_PRESENT, *events};
  });
}

void deliver(const std::shared_ptr<Host>& host, const orlop::Delivery& delivery) {
  run_port(&Host::webhook_sender, host, [&](const py::object& webhook_sender) {
    py::list headers;
    for (std::size_t index = 0; index < delivery.header_count; ++index) {
      headers.append(py::make_tuple(text_of(delivery.headers[index].name), text_of(delivery.headers[index].value)));
    }
    py::dict facts;
    facts["id"] = orlop::to_text(delivery.id);
    facts["webhook"] = orlop::to_text(delivery.webhook);
    facts["organization"] = orlop::to_text(delivery.organization);
    facts["attempt"] = delivery.attempt;
    facts["url"] = text_of(delivery.url);
    facts["headers"] = headers;
    facts["body"] = py::bytes(delivery.body.data, delivery.body.size);
    webhook_sender(facts);
  });
}

// What a log raises goes to sys.unraisablehook: the call that is under way did not fail.
void write_log(const std::shared_ptr<Host>& host, orlop_log_level level, std::string_view message) {
  with_python([&] {
    const py::object log = host->log;
    if (log.is_none()) return;
    try {
      log(to_string(log_levels, level), py::str(message.data(), message.size()));
    } catch (py::error_already_set& raised) {
      raised.discard_as_unraisable("the log of an engine");
    }
  });
}

std::function<orlop::Instant()> make_clock(std::shared_ptr<Host> host);
std::function<std::uint64_t()> make_random_source(std::shared_ptr<Host> host);

}  // namespace

Callback::Callback() {
  ++callbacks;
  if (!has_ended || ending_thread.load() == std::this_thread::get_id()) return;
  --callbacks;
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

Callback::~Callback() { --callbacks; }

void note_ending() {
  ending_thread = std::this_thread::get_id();
  has_ended = true;
  py::gil_scoped_release others_end;
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (callbacks != 0 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
}

Host::~Host() {
  if (is_finalizing()) {
    // There is no interpreter any more to give them back to.
    for (py::object* held : all_of(*this)) (void)held->release();
    return;
  }
  with_python([this] {
    for (py::object* held : all_of(*this)) *held = py::object();
  });
}

void Host::let_go() {
  // Freed only after all are gone from here: a destructor written in Python may look at the engine.
  std::vector<py::object> old;
  for (py::object* held : all_of(*this)) old.push_back(std::exchange(*held, py::none()));
}

void give_callbacks(const std::shared_ptr<Host>& host, orlop::Options& options) {
  if (!host->driver.is_none()) options.driver = std::make_shared<PythonDriver>(host);
  if (!host->clock.is_none()) options.clock = make_clock(host);
  if (!host->random_source.is_none()) options.random_source = make_random_source(host);
  if (!host->token_authenticator.is_none()) {
    options.token_authenticator = [host](std::string_view token, orlop::Instant now) { return verify(host, token, now); };
  }
  if (!host->policy_evaluator.is_none()) {
    options.policy_evaluator = [host](std::string_view policy, std::string_view input) { return allows(host, policy, input); };
  }
  if (!host->git_provider.is_none()) {
    options.git_provider = [host](const orlop::Repository& repository) { return find_hook(host, repository); };
  }
  if (!host->log.is_none()) {
    options.log = [host](orlop_log_level level, std::string_view message) { write_log(host, level, message); };
  }
  if (!host->webhook_sender.is_none()) options.webhook_sender = [host](const orlop::Delivery& delivery) { deliver(host, delivery); };
}

namespace {

std::function<orlop::Instant()> make_clock(std::shared_ptr<Host> host) {
  return [host = std::move(host)] {
    return with_python([&] {
      const py::object clock = host->clock;
      if (clock.is_none()) throw std::runtime_error("the engine was closed");
      try {
        const auto seconds = clock().cast<double>();
        if (!std::isfinite(seconds)) throw py::value_error("the clock gave no finite number of seconds");
        return orlop::Instant(orlop::Duration(std::llround(seconds * 1000.0)));
      } catch (const py::error_already_set& raised) {
        keep(raised);
        throw std::runtime_error("the clock raised");
      } catch (const py::builtin_exception& wrong) {
        wrong.set_error();
        keep(py::error_already_set());
        throw std::runtime_error("the clock gave no time");
      }
    });
  };
}

// The library needs a number at once: one that cannot be had is drawn from the system's, and the call into the engine raises.
std::function<std::uint64_t()> make_random_source(std::shared_ptr<Host> host) {
  return [host = std::move(host)]() -> std::uint64_t {
    return with_python([&] {
      const py::object random_source = host->random_source;
      try {
        if (!random_source.is_none()) return natural_in(random_source(), "the number that random source gives");
      } catch (const py::error_already_set& raised) {
        keep(raised);
      }
      std::random_device system;
      return (static_cast<std::uint64_t>(system()) << 32) | system();
    });
  };
}

}  // namespace

PyObject* take_pending() { return std::exchange(pending, nullptr); }

py::dict headers_of(const orlop::Reply& reply) {
  py::dict headers;
  for (const auto& [name, value] : reply.headers()) {
    headers[text_out(name).attr("lower")()] = text_out(value);
  }
  return headers;
}

void raise_pending() {
  const auto cause = py::reinterpret_steal<py::object>(take_pending());
  if (!cause) return;
  const py::object failure = py::module_::import("orlop.errors").attr("callback_failure")(cause);
  PyErr_SetObject(py::type::of(failure).ptr(), failure.ptr());
  throw py::error_already_set();
}

}  // namespace orlop_python
