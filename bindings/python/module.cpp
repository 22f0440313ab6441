// orlop._core: the C++ API of the library for Python. It passes texts and bytes; python/orlop interprets them. The GIL
// is released around every call into the engine, and acquired only for callbacks (host.h).
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.h"
#include "call.h"
#include "enum_values.h"
#include "host.h"
#include "lazy_bytes.h"
#include "options.h"
#include "orlop/orlop.hpp"
#include "request_pool.h"
#include "virtual_calls.h"
#include "waits.h"

namespace orlop_python {
namespace {

std::uint32_t count_in(const py::object& given, std::string_view what) {
  return static_cast<std::uint32_t>(number_in(given, what, 0, std::numeric_limits<std::uint32_t>::max()));
}

// Returns nil for None. Refuses an id of sixteen zeros.
orlop_id id_or_nil(const py::object& given, std::string_view what) {
  if (given.is_none()) return {};
  const orlop_id id = id_in(given, what);
  if (std::ranges::all_of(id.bytes, [](std::uint8_t byte) { return byte == 0; }))
    refuse(std::string(what) + " must be an id, not sixteen zeros");
  return id;
}

class Engine {
 public:
  explicit Engine(PythonOptions& options) : host_(options.take_host()) {
    engine_ = call([&] { return std::make_unique<orlop::Engine>(options.options()); });
  }

  // Opens a fork of the simulation `origin`.
  Engine(Engine& origin, PythonOptions& options) : host_(options.take_host()) {
    engine_ = call([&] { return std::make_unique<orlop::Engine>(options.options(), origin.engine_.get()); });
  }

  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  ~Engine() {
    py::gil_scoped_release others_run;
    engine_.reset();
  }

  py::tuple dispatch(const py::object& method, const py::object& path, const py::object& query, const py::list& headers,
                     const py::object& body, const py::object& untrusted, const py::object& names) {
    orlop::Request request = request_in(method, path, query, &headers, body, names);
    request.untrusted = flag_in(untrusted, "untrusted");
    const orlop::Reply reply = call([&] { return engine_->dispatch(request); });
    return py::make_tuple(reply.status(), headers_of(reply), bytes_out(reply.body()));
  }

  // Dispatches a request of the host, without headers in request and reply.
  py::tuple ask(const py::object& method, const py::object& path, const py::object& query, const py::object& body,
                const py::object& names) {
    const orlop::Request request = request_in(method, path, query, nullptr, body, names);
    const orlop::Reply reply = call([&] { return engine_->dispatch(request); });
    return py::make_tuple(reply.status(), bytes_out(reply.body()));
  }

  std::optional<double> tick() {
    const auto next = call([&] { return engine_->tick(); });
    if (!next) return std::nullopt;
    return static_cast<double>(next->count()) / 1000.0;
  }

  bool wait(std::optional<double> seconds) {
    std::optional<orlop::Duration> timeout;
    if (seconds) timeout = duration_of(*seconds);
    return call([&] { return engine_->wait(timeout); });
  }

  bool drain(std::optional<double> seconds) { return drain_in_parts(*engine_, seconds); }

  void interrupt() {
    call([&] { engine_->interrupt(); });
  }

  void report(const py::object& step, const py::object& kind, const py::object& text) {
    const orlop::Report report{.step = id_in(step, "step"),
                               .kind = static_cast<orlop_report_kind>(enum_value_in(reports, kind, "kind")),
                               .text = text_in(text, "text")};
    call([&] { engine_->report(report); });
  }

  void report_delivery(const py::object& delivery, const py::object& status, const py::object& text) {
    const orlop_id id = id_in(delivery, "delivery_id");
    const auto answer = static_cast<int>(number_in(status, "status", 0, 599));
    const std::string_view answer_text = text_in(text, "text");
    call([&] { engine_->report_delivery(id, answer, answer_text); });
  }

  void report_running(const py::object& service, const py::object& state, const py::object& observation) {
    const orlop::Report report{
        .step = id_in(service, "service_id"),
        .kind = ORLOP_REPORT_RUNNING_STATE,
        .text = text_in(observation, "observation"),
        .running = static_cast<orlop_running_state>(enum_value_in(running_states, state, "state"))};
    call([&] { engine_->report(report); });
  }

  // Ids may be None. Also returns `since` of the next call.
  py::tuple events(const py::object& since, std::uint32_t limit, const py::object& organization,
                   const py::object& request, const py::object& subject, const py::list& kinds, double seconds) {
    orlop::EventQuery query{.since = natural_in(since, "since"), .limit = limit};
    query.organization = id_or_nil(organization, "organization");
    query.request = id_or_nil(request, "request");
    query.subject = id_or_nil(subject, "subject");
    for (const py::handle kind : kinds) query.kinds.push_back(text_in(kind, "a kind"));
    query.timeout = duration_of(seconds);
    std::uint64_t next = 0;
    const orlop::Buffer list = call([&] { return engine_->select_json(query, &next); });
    return py::make_tuple(py::bytes(list.text().data(), list.text().size()), next);
  }

  std::uint64_t register_consumer(const py::object& name) {
    const std::string_view given = text_in(name, "name");
    return call([&] { return engine_->register_consumer(given); });
  }

  void acknowledge(const py::object& name, const py::object& number) {
    const std::string_view given = text_in(name, "name");
    const std::uint64_t event = natural_in(number, "number");
    call([&] { engine_->acknowledge(given, event); });
  }

  void unregister_consumer(const py::object& name) {
    const std::string_view given = text_in(name, "name");
    call([&] { engine_->unregister_consumer(given); });
  }

  py::bytes consumers() {
    const orlop::Buffer list = call([&] { return engine_->consumers(); });
    return py::bytes(list.text().data(), list.text().size());
  }

  std::uint64_t forget_events(const py::object& through) {
    const std::uint64_t number = natural_in(through, "through");
    return call([&] { return engine_->forget_events(number); });
  }

  py::bytes snapshot(const py::object& secrets_key) {
    const std::string_view key = secrets_key.is_none() ? std::string_view() : bytes_in(secrets_key, "secrets_key");
    const orlop::Buffer text =
        call([&] { return secrets_key.is_none() ? engine_->snapshot() : engine_->snapshot(key); });
    return py::bytes(text.text().data(), text.text().size());
  }

  py::bytes import_from(const py::object& snapshot, const py::object& family, const py::object& root,
                        const py::object& parent, const py::object& name, const py::object& secrets_key) {
    orlop::ImportRequest request{
        .snapshot = bytes_in(snapshot, "snapshot"), .family = text_in(family, "family"), .root = text_in(root, "root")};
    if (!parent.is_none()) request.parent = text_in(parent, "parent");
    if (!name.is_none()) request.name = text_in(name, "name");
    if (!secrets_key.is_none()) request.secrets_key = bytes_in(secrets_key, "secrets_key");
    const orlop::Buffer summary = call([&] { return engine_->import_from(request); });
    return py::bytes(summary.text().data(), summary.text().size());
  }

  py::bytes check(bool repair) {
    const orlop::Buffer faults = call([&] { return engine_->check(repair); });
    return py::bytes(faults.text().data(), faults.text().size());
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

  std::uint64_t call_at(std::int64_t at, const py::object& callable) {
    return calls_.add(*engine_, orlop::Instant(orlop::Duration(at)), callable);
  }
  void cancel_call(std::uint64_t number) { calls_.cancel(*engine_, number); }

  void reseed(const py::object& seed) {
    const std::uint64_t given = natural_in(seed, "seed");
    call([&] { engine_->reseed(given); });
  }
  std::uint64_t save_state() {
    return call([&] { return engine_->save_state(); });
  }
  void restore_state(std::uint64_t state) {
    call([&] { engine_->restore_state(state); });
  }
  void drop_state(std::uint64_t state) {
    call([&] { engine_->drop_state(state); });
  }
  py::bytes state_snapshot(std::uint64_t state) {
    const orlop::Buffer text = call([&] { return engine_->state_snapshot(state); });
    return py::bytes(text.text().data(), text.text().size());
  }

  double run_until_idle() {
    const auto passed = call([&] { return engine_->run_until_idle(); });
    return static_cast<double>(passed.count()) / 1000.0;
  }

  // Adds a rule for every step: it takes `after` milliseconds of the engine's clock.
  void add_rule(std::int64_t after) {
    orlop::Rule rule;
    rule.after = orlop::Duration(after);
    call([&] { engine_->add_rule(rule); });
  }
  void clear_rules() {
    call([&] { engine_->clear_rules(); });
  }

  void add_external_rule(const py::object& question, const py::object& where, const py::object& answer,
                         const py::object& error, std::int64_t delay, const py::object& times) {
    const orlop::ExternalRule rule{text_in(question, "question"), text_in(where, "where"), text_in(answer, "answer"),
                                   text_in(error, "error"),       orlop::Duration(delay),  count_in(times, "times")};
    call([&] { engine_->add_external_rule(rule); });
  }

  void clear_external_rules() {
    call([&] { engine_->clear_external_rules(); });
  }

  void add_receiver(const py::object& url, const py::object& status, const py::object& text, const py::object& times) {
    const orlop::Receiver receiver{text_in(url, "url"), static_cast<int>(number_in(status, "status", 0, 599)),
                                   text_in(text, "text"), count_in(times, "times")};
    call([&] { engine_->add_receiver(receiver); });
  }

  void clear_receivers() {
    call([&] { engine_->clear_receivers(); });
  }

  orlop_engine* handle() const { return engine_->handle(); }

  void close() {
    call([&] { engine_->close(); });
    host_->let_go();
  }

  // Visits the ports for the cyclic garbage collector: a driver or port may refer to its engine.
  int traverse(visitproc visit, void* arg) const {
    if (host_ == nullptr) return 0;
    for (const Host::Port& port : host_->ports) Py_VISIT(port.object.ptr());
    return 0;
  }
  void let_go() {
    if (host_ != nullptr) host_->let_go();
  }

 private:
  std::shared_ptr<Host> host_;
  VirtualCalls calls_;
  std::unique_ptr<orlop::Engine> engine_;
};

// Several requests in one transaction. Used on the thread that began it.
class Batch {
 public:
  explicit Batch(const Engine& engine) {
    orlop::EngineRef of(engine.handle());
    batch_ = call([&] { return std::make_unique<orlop::Batch>(of.begin_batch()); });
  }
  ~Batch() { end(); }

  py::tuple dispatch(const py::object& method, const py::object& path, const py::object& query, const py::list& headers,
                     const py::object& body, const py::object& names) {
    if (batch_ == nullptr) refuse("the batch has ended; begin another one");
    const orlop::Request request = request_in(method, path, query, &headers, body, names);
    const orlop::Reply reply = call([&] { return batch_->dispatch(request); });
    return py::make_tuple(reply.status(), headers_of(reply), bytes_out(reply.body()));
  }
  void commit() {
    if (batch_ == nullptr) refuse("the batch has ended; begin another one");
    call([&] { batch_->commit(); });
  }
  void end() {
    py::gil_scoped_release others_run;
    batch_.reset();
  }

 private:
  std::unique_ptr<orlop::Batch> batch_;
};

// Returns null while the object is being constructed.
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
    try {
      fail(error.name(), error.what());
    } catch (py::error_already_set& failure) { failure.restore(); }
  }
}

std::int64_t parse_time(const py::object& text, std::string_view what) {
  auto instant = orlop::try_parse_instant(text_in(text, what));
  if (!instant) refuse(std::string(what) + " must be a time like 2026-01-01T00:00:00Z, not " + shown(text));
  return instant.value().time_since_epoch().count();
}

std::string format_time(std::int64_t milliseconds) {
  return orlop::to_text(orlop::Instant(orlop::Duration(milliseconds)));
}

py::str describe(const py::object& name) {
  const orlop::Buffer document = orlop::describe(text_in(name, "name"));
  return text_out(document.text());
}

py::str container_plan(const py::object& configuration, const py::object& options) {
  const std::string body(text_in(configuration, "configuration"));
  const std::string given(text_in(options, "options"));
  std::optional<orlop::Buffer> plan;
  call([&] { plan.emplace(orlop::container_plan(body, given)); });
  return text_out(plan->text());
}

void define_copies(py::module_& module) {
  module.def(
      "backup",
      [](py::handle storage, py::handle file) {
        const std::string store(text_in(storage, "storage"));
        const std::string copy(text_in(file, "file"));
        call([&] { orlop::backup(store, copy); });
      },
      py::arg("storage"), py::arg("file"));
  module.def(
      "restore",
      [](py::handle storage, py::handle file) {
        const std::string store(text_in(storage, "storage"));
        const std::string copy(text_in(file, "file"));
        return call([&] { return orlop::restore(store, copy); });
      },
      py::arg("storage"), py::arg("file"));
}

void define_helpers(py::module_& module) {
  py::class_<Batch>(module, "Batch")
      .def(py::init<const Engine&>(), py::arg("engine"))
      .def("dispatch", &Batch::dispatch, py::arg("method"), py::arg("path"), py::arg("query"), py::arg("headers"),
           py::arg("body"), py::arg("names") = py::tuple())
      .def("commit", &Batch::commit)
      .def("end", &Batch::end);
  py::class_<RequestPool>(module, "RequestPool")
      .def(py::init([](const Engine& engine, std::size_t readers, std::size_t writers) {
             return std::make_unique<RequestPool>(engine.handle(), readers, writers);
           }),
           py::arg("engine"), py::arg("readers"), py::arg("writers"))
      .def("fileno", &RequestPool::descriptor)
      .def("submit", &RequestPool::submit, py::arg("ticket"), py::arg("only_authenticates"), py::arg("method"),
           py::arg("target"), py::arg("headers"), py::arg("body"))
      .def("take", &RequestPool::take);
}

void define_options(py::module_& module) {
  py::class_<PythonOptions>(module, "Options")
      .def(py::init<>())
      .def(
          "set",
          [](PythonOptions& options, const py::object& name, const py::object& value) {
            options.set(text_in(name, "name"), value);
          },
          py::arg("name"), py::arg("value"));
}

void define_engine(py::module_& module) {
  py::class_<Engine>(module, "Engine", py::custom_type_setup(be_collected))
      .def(py::init<PythonOptions&>(), py::arg("options"))
      .def(py::init<Engine&, PythonOptions&>(), py::arg("origin"), py::arg("options"))
      .def("dispatch", &Engine::dispatch, py::arg("method"), py::arg("path"), py::arg("query"), py::arg("headers"),
           py::arg("body"), py::arg("untrusted"), py::arg("names") = py::tuple())
      .def("ask", &Engine::ask, py::arg("method"), py::arg("path"), py::arg("query"), py::arg("body"), py::arg("names"))
      .def("tick", &Engine::tick)
      .def("wait", &Engine::wait, py::arg("seconds"))
      .def("drain", &Engine::drain, py::arg("seconds"))
      .def("interrupt", &Engine::interrupt)
      .def("report", &Engine::report, py::arg("step"), py::arg("kind"), py::arg("text"))
      .def("report_delivery", &Engine::report_delivery, py::arg("delivery"), py::arg("status"), py::arg("text"))
      .def("report_running", &Engine::report_running, py::arg("service"), py::arg("state"), py::arg("observation"))
      .def("events", &Engine::events, py::arg("since"), py::arg("limit"), py::arg("organization"), py::arg("request"),
           py::arg("subject"), py::arg("kinds"), py::arg("seconds"))
      .def("register_consumer", &Engine::register_consumer, py::arg("name"))
      .def("acknowledge", &Engine::acknowledge, py::arg("name"), py::arg("number"))
      .def("unregister_consumer", &Engine::unregister_consumer, py::arg("name"))
      .def("consumers", &Engine::consumers)
      .def("forget_events", &Engine::forget_events, py::arg("through"))
      .def("last_event", &Engine::last_event)
      .def("snapshot", &Engine::snapshot, py::arg("secrets_key") = py::none())
      .def("import_from", &Engine::import_from)
      .def("check", &Engine::check, py::arg("repair"))
      .def("now", &Engine::now)
      .def("advance", &Engine::advance, py::arg("milliseconds"))
      .def("run_until_idle", &Engine::run_until_idle)
      .def("call_at", &Engine::call_at, py::arg("at"), py::arg("callable"))
      .def("cancel_call", &Engine::cancel_call, py::arg("number"))
      .def("reseed", &Engine::reseed, py::arg("seed"))
      .def("save_state", &Engine::save_state)
      .def("restore_state", &Engine::restore_state, py::arg("state"))
      .def("drop_state", &Engine::drop_state, py::arg("state"))
      .def("state_snapshot", &Engine::state_snapshot, py::arg("state"))
      .def("add_rule", &Engine::add_rule, py::arg("after"))
      .def("clear_rules", &Engine::clear_rules)
      .def("add_external_rule", &Engine::add_external_rule, py::arg("question"), py::arg("where"), py::arg("answer"),
           py::arg("error"), py::arg("delay"), py::arg("times"))
      .def("clear_external_rules", &Engine::clear_external_rules)
      .def("add_receiver", &Engine::add_receiver, py::arg("url"), py::arg("status"), py::arg("text"), py::arg("times"))
      .def("clear_receivers", &Engine::clear_receivers)
      .def("close", &Engine::close);
}

void define(py::module_ module) {
  py::register_exception_translator(translate);
  py::module_::import("atexit").attr("register")(py::cpp_function(note_ending));
  module.attr("__version__") = std::string(orlop::version());
  module.def("refuse_calls", [] { calls_are_refused = true; });
  module.def("parse_time", parse_time, py::arg("text"), py::arg("what"));
  module.def("format_time", format_time, py::arg("milliseconds"));
  module.def("describe", describe, py::arg("name"));
  module.def("container_plan", container_plan, py::arg("configuration"), py::arg("options"));
  define_copies(module);
  module.def(
      "load_storage",
      [](py::handle path) {
        const std::string text(text_in(path, "path"));
        call([&] { orlop::load_storage(text); });
      },
      py::arg("path"));
  define_options(module);
  define_engine(module);
  define_lazy_bytes(module);
  define_helpers(module);
}

// Fills a new module object. Classes can be registered only once in a process: an import after the module was removed
// from sys.modules gets the contents of the first module.
int execute(PyObject* module) {
  // Callbacks acquire the GIL of the main interpreter, and would deadlock in another interpreter.
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError,
                    "orlop cannot be used in a sub-interpreter, only in the main interpreter of a process; in mod_wsgi "
                    "set WSGIApplicationGroup to %{GLOBAL}");
    return -1;
  }
  static PyObject* first = nullptr;
  if (first != nullptr) return PyDict_Merge(PyModule_GetDict(module), PyModule_GetDict(first), 0);
  try {
    PYBIND11_ENSURE_INTERNALS_READY
    define(py::reinterpret_borrow<py::module_>(module));
    first = Py_NewRef(module);
    return 0;
  } catch (py::error_already_set& error) { error.restore(); } catch (const std::exception& error) {
    PyErr_SetString(PyExc_ImportError, error.what());
  }
  return -1;
}

}  // namespace

}  // namespace orlop_python

// Multi-phase initialization (PEP 489) instead of PYBIND11_MODULE: a single-phase module is copied into a
// sub-interpreter without a call of its own code.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(&orlop_python::execute)}, {0, nullptr}};
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, "_core", nullptr, 0, nullptr, slots, nullptr, nullptr, nullptr};
  return PyModuleDef_Init(&definition);
}
