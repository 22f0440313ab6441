// orlop._core: the C++ face of the library for Python. Texts and bytes go through; what they mean is the matter of python/orlop.
// The interpreter is released around every call into the engine, and taken again only for callbacks (host.h).
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "host.h"
#include "orlop/orlop.hpp"
#include "words.h"

namespace orlop_python {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

// Runs the call while other threads run Python. What a callback raised on the way is the better error of the two. No object takes the
// interpreter back in its destructor: an interpreter that is ending unwinds the thread there.
template <typename Work>
auto call(Work work) {
  using Value = std::conditional_t<std::is_void_v<decltype(work())>, bool, decltype(work())>;
  std::optional<Value> value;
  std::optional<orlop::Error> failed;
  PyThreadState* state = PyEval_SaveThread();
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      value = true;
    } else {
      value.emplace(work());
    }
  } catch (const orlop::Error& error) {
    failed = error;
  }
  PyEval_RestoreThread(state);
  raise_pending();
  if (failed) throw *failed;
  return std::move(*value);
}

class Engine {
 public:
  Engine(const std::string& storage, py::object driver, py::object clock, std::optional<std::uint64_t> seed,
         const std::string& brand, const std::string& busy, std::optional<std::int64_t> simulation_start,
         const std::string& authentication, std::uint32_t rate_limit, py::object verifier, py::object git_host, py::object courier,
         const std::vector<std::string>& kubernetes_versions, const std::vector<std::string>& webhook_allow, py::object judge,
         const py::bytes& snapshot, const py::bytes& secret_key, const std::vector<py::bytes>& previous_secret_keys)
      : host_(std::make_shared<Host>()) {
    host_->driver = std::move(driver);
    host_->clock = std::move(clock);
    host_->verifier = std::move(verifier);
    host_->judge = std::move(judge);
    host_->git_host = std::move(git_host);
    host_->courier = std::move(courier);
    orlop::Options options;
    options.storage = storage;
    options.seed = seed;
    options.brand = brand;
    options.busy = static_cast<orlop_busy>(number_of(busy_policies, "busy", busy));
    options.simulation = simulation_start.has_value();
    if (simulation_start) options.start = orlop::Instant(orlop::Duration(*simulation_start));
    options.authentication = static_cast<orlop_authentication>(number_of(authentications, "authentication", authentication));
    options.rate_limit = rate_limit;
    options.kubernetes_versions.assign(kubernetes_versions.begin(), kubernetes_versions.end());
    options.webhook_allow.assign(webhook_allow.begin(), webhook_allow.end());
    options.snapshot = static_cast<std::string_view>(snapshot);
    options.secret_key = static_cast<std::string_view>(secret_key);
    options.previous_secret_keys.assign(previous_secret_keys.begin(), previous_secret_keys.end());
    give_callbacks(host_, options);
    engine_ = call([&] { return std::make_unique<orlop::Engine>(options); });
  }

  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  ~Engine() {
    py::gil_scoped_release others_run;
    engine_.reset();
  }

  py::tuple dispatch(const std::string& method, const std::string& path, const std::string& query, const Headers& headers,
                     const py::bytes& body, bool untrusted) {
    orlop::Request request{method, path, static_cast<std::string_view>(body), query, {}, untrusted};
    for (const auto& [name, value] : headers) request.headers.emplace_back(name, value);
    const orlop::Reply reply = call([&] { return engine_->dispatch(request); });
    py::dict answered;
    for (const auto& [name, value] : reply.headers()) {
      answered[py::str(name.data(), name.size()).attr("lower")()] = py::str(value.data(), value.size());
    }
    return py::make_tuple(reply.status(), answered, py::bytes(reply.body().data(), reply.body().size()));
  }

  std::optional<double> tick() {
    const auto next = call([&] { return engine_->tick(); });
    if (!next) return std::nullopt;
    return static_cast<double>(next->count()) / 1000.0;
  }

  bool wait(std::optional<double> seconds) {
    std::optional<orlop::Duration> timeout;
    if (seconds) timeout = orlop::Duration(static_cast<std::int64_t>(*seconds * 1000.0 + 0.999));
    return call([&] { return engine_->wait(timeout); });
  }

  void interrupt() {
    call([&] { engine_->interrupt(); });
  }

  void report(const std::string& step, const std::string& kind, const std::string& text) {
    const auto number = static_cast<orlop_report_kind>(number_of(reports, "kind", kind));
    call([&] { engine_->report({.step = orlop::parse_id(step), .kind = number, .text = text}); });
  }

  void delivered(const std::string& delivery, int status, const std::string& text) {
    call([&] { engine_->delivered(orlop::parse_id(delivery), status, text); });
  }

  void report_running(const std::string& service, const std::string& state) {
    const auto running = static_cast<orlop_running_state>(number_of(running_states, "state", state));
    call([&] {
      engine_->report({.step = orlop::parse_id(service), .kind = ORLOP_REPORT_RUNNING_STATE, .text = {}, .running = running});
    });
  }

  py::bytes events(std::uint64_t since, std::uint32_t limit) {
    const orlop::Buffer list = call([&] { return engine_->events(since, limit); });
    return py::bytes(list.text().data(), list.text().size());
  }

  py::bytes snapshot() {
    const orlop::Buffer text = call([&] { return engine_->snapshot(); });
    return py::bytes(text.text().data(), text.text().size());
  }

  std::uint64_t last_event() {
    return call([&] { return engine_->last_event(); });
  }

  std::int64_t now() {
    return call([&] { return engine_->now(); }).time_since_epoch().count();
  }

  void advance(std::int64_t milliseconds) {
    call([&] { engine_->advance(orlop::Duration(milliseconds)); });
  }

  double run_until_idle() {
    const auto passed = call([&] { return engine_->run_until_idle(); });
    return static_cast<double>(passed.count()) / 1000.0;
  }

  void add_rule(const std::string& kind, const std::string& step, const std::string& name, std::uint32_t attempt,
                std::uint32_t times, std::int64_t after, const std::string& fails, const std::string& outcome,
                const std::string& running, const std::string& outputs, std::int64_t delay, std::int64_t jitter,
                std::int64_t cancel_after) {
    orlop::Rule rule;
    rule.kind = kind;
    rule.step = step;
    rule.name = name;
    rule.attempt = attempt;
    rule.times = times;
    rule.after = orlop::Duration(after);
    rule.fails = fails;
    rule.outcome = number_of(outcomes, "outcome", outcome);
    if (!running.empty()) rule.running = number_of(running_states, "running", running);
    rule.outputs = outputs;
    rule.delay = orlop::Duration(delay);
    rule.jitter = orlop::Duration(jitter);
    rule.cancel_after = orlop::Duration(cancel_after);
    call([&] { engine_->add_rule(rule); });
  }

  void clear_rules() {
    call([&] { engine_->clear_rules(); });
  }

  // No events: the repositories have no hook.
  void add_hook(const std::string& provider, const std::string& url, const std::optional<std::vector<std::string>>& events) {
    orlop::HookRule hook{provider, url, events ? ORLOP_HOOK_PRESENT : ORLOP_HOOK_ABSENT, {}};
    if (events) hook.events.assign(events->begin(), events->end());
    call([&] { engine_->add_hook(hook); });
  }

  void clear_hooks() {
    call([&] { engine_->clear_hooks(); });
  }

  void add_receiver(const std::string& url, int status, const std::string& text, std::uint32_t times) {
    call([&] { engine_->add_receiver({url, status, text, times}); });
  }

  void clear_receivers() {
    call([&] { engine_->clear_receivers(); });
  }

  void close() {
    call([&] { engine_->close(); });
    host_->let_go();
  }

  // For the collector of cycles: a driver or port may well know its engine.
  int traverse(visitproc visit, void* arg) const {
    if (host_ == nullptr) return 0;
    Py_VISIT(host_->driver.ptr());
    Py_VISIT(host_->clock.ptr());
    Py_VISIT(host_->verifier.ptr());
    Py_VISIT(host_->judge.ptr());
    Py_VISIT(host_->git_host.ptr());
    Py_VISIT(host_->courier.ptr());
    return 0;
  }
  void let_go() {
    if (host_ != nullptr) host_->let_go();
  }

 private:
  std::shared_ptr<Host> host_;
  std::unique_ptr<orlop::Engine> engine_;
};

// Nothing while the object is being made.
Engine* engine_of(PyObject* self) {
  auto held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
  return held.holder_constructed() ? held.value_ptr<Engine>() : nullptr;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Engine* engine = engine_of(self);
  return engine == nullptr ? 0 : engine->traverse(visit, arg);
}

int clear(PyObject* self) {
  if (Engine* engine = engine_of(self)) engine->let_go();
  return 0;
}

void be_collected(PyHeapTypeObject* heap_type) {
  heap_type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  heap_type->ht_type.tp_traverse = traverse;
  heap_type->ht_type.tp_clear = clear;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const orlop::Error& error) {
    const py::object failure = py::module_::import("orlop.errors").attr("failure")(std::string(error.name()), error.what());
    PyErr_SetObject(py::type::of(failure).ptr(), failure.ptr());
  }
}

std::int64_t parse_time(std::string_view text) { return orlop::parse_instant(text).time_since_epoch().count(); }

std::string format_time(std::int64_t milliseconds) { return orlop::to_text(orlop::Instant(orlop::Duration(milliseconds))); }

py::str describe(std::string_view name) {
  const orlop::Buffer document = orlop::describe(name);
  return py::str(document.text().data(), document.text().size());
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  py::register_exception_translator(translate);
  py::module_::import("atexit").attr("register")(py::cpp_function(note_ending));
  module.attr("__version__") = std::string(orlop::version());
  module.def("parse_time", parse_time, py::arg("text"));
  module.def("format_time", format_time, py::arg("milliseconds"));
  module.def("describe", describe, py::arg("name"));
  py::class_<Engine>(module, "Engine", py::custom_type_setup(be_collected))
      .def(py::init<const std::string&, py::object, py::object, std::optional<std::uint64_t>, const std::string&,
                    const std::string&, std::optional<std::int64_t>, const std::string&, std::uint32_t, py::object, py::object,
                    py::object, const std::vector<std::string>&, const std::vector<std::string>&, py::object,
                    const py::bytes&, const py::bytes&, const std::vector<py::bytes>&>(),
           py::arg("storage"), py::arg("driver"), py::arg("clock"), py::arg("seed"), py::arg("brand"), py::arg("busy"),
           py::arg("simulation_start"), py::arg("authentication"), py::arg("rate_limit"), py::arg("verifier"),
           py::arg("git_host"), py::arg("courier"), py::arg("kubernetes_versions"),
           py::arg("webhook_allow"), py::arg("judge"), py::arg("snapshot"), py::arg("secret_key"),
           py::arg("previous_secret_keys"))
      .def("dispatch", &Engine::dispatch, py::arg("method"), py::arg("path"), py::arg("query"), py::arg("headers"),
           py::arg("body"), py::arg("untrusted"))
      .def("tick", &Engine::tick)
      .def("wait", &Engine::wait, py::arg("seconds"))
      .def("interrupt", &Engine::interrupt)
      .def("report", &Engine::report, py::arg("step"), py::arg("kind"), py::arg("text"))
      .def("delivered", &Engine::delivered, py::arg("delivery"), py::arg("status"), py::arg("text"))
      .def("report_running", &Engine::report_running, py::arg("service"), py::arg("state"))
      .def("events", &Engine::events, py::arg("since"), py::arg("limit"))
      .def("last_event", &Engine::last_event)
      .def("snapshot", &Engine::snapshot)
      .def("now", &Engine::now)
      .def("advance", &Engine::advance, py::arg("milliseconds"))
      .def("run_until_idle", &Engine::run_until_idle)
      .def("add_rule", &Engine::add_rule, py::arg("kind"), py::arg("step"), py::arg("name"), py::arg("attempt"),
           py::arg("times"), py::arg("after"), py::arg("fails"), py::arg("outcome"), py::arg("running"), py::arg("outputs"),
           py::arg("delay"), py::arg("jitter"), py::arg("cancel_after"))
      .def("clear_rules", &Engine::clear_rules)
      .def("add_hook", &Engine::add_hook, py::arg("provider"), py::arg("url"), py::arg("events"))
      .def("clear_hooks", &Engine::clear_hooks)
      .def("add_receiver", &Engine::add_receiver, py::arg("url"), py::arg("status"), py::arg("text"), py::arg("times"))
      .def("clear_receivers", &Engine::clear_receivers)
      .def("close", &Engine::close);
}

}  // namespace orlop_python
