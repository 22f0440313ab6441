#include "host.h"

#include <pybind11/stl.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "arguments.h"
#include "enum_values.h"
#include "request_pool.h"

namespace orlop_python {
namespace {

// Exception of a callback on this thread, kept until the call that led to it returns to Python.
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

// Returns the text of the exception, or the name of its type if the text is empty or cannot be made.
std::string text_of_exception(const py::error_already_set& raised) {
  try {
    const std::string said = py::bytes(py::str(raised.value()).attr("encode")("utf-8", "replace"));
    if (!said.empty()) return said;
  } catch (const py::error_already_set&) {  // its __str__ has failed
  }
  return py::str(raised.type().attr("__name__"));
}

py::str text_of(orlop_text view) { return text_out(orlop::view_of(view)); }

// Returns the attributes of a step's object that come from the engine (python/orlop/drivers/driver.py). The
// configuration stays JSON until a method needs it.
py::dict facts_of(const orlop::Step& step) {
  const std::pair<const char*, py::object> facts[] = {
      {"id", py::str(orlop::to_text(step.id))},
      {"kind", text_of(step.kind_name)},
      {"action", py::str(to_string(actions, step.action))},
      {"attempt", py::int_(step.attempt)},
      {"resumed", py::bool_(step.resumed != 0)},
      {"subject", py::str(orlop::to_text(step.subject))},
      {"owner", py::str(orlop::to_text(step.owner))},
      {"organization", py::str(orlop::to_text(step.organization))},
      {"request", py::str(orlop::to_text(step.request))},
      {"family", text_of(step.family)},
      {"name", text_of(step.name)},
      {"digest", text_of(step.digest)},
      {"release", py::int_(step.release)},
      {"is_unchanged", py::bool_(step.unchanged != 0)},
      {"_configuration", py::bytes(step.configuration.data, step.configuration.size)}};
  // Interned like the names of attributes, and never freed.
  static const auto names = [&facts] {
    std::array<PyObject*, std::size(facts)> made{};
    for (std::size_t at = 0; at < made.size(); ++at) made[at] = PyUnicode_InternFromString(facts[at].first);
    return made;
  }();
  py::dict out;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (names[at] == nullptr || PyDict_SetItem(out.ptr(), names[at], facts[at].second.ptr()) != 0)
      throw py::error_already_set();
  }
  return out;
}

class PythonDriver final : public orlop::Driver {
 public:
  explicit PythonDriver(HostedPort port) : port_(std::move(port)) {}

  void start(const orlop::Step& step) override {
    with_python([&] {
      const py::object driver = port_.object();
      if (driver.is_none()) throw std::runtime_error("the engine was closed before the step began");
      try {
        const py::object is_taken = driver.attr("start")(facts_of(step));
        if (is_taken.is(py::bool_(false))) throw orlop::TryLater("the driver does not accept the step at the moment");
      } catch (const py::error_already_set& raised) { throw std::runtime_error(text_of_exception(raised)); }
    });
  }

  void cancel(const orlop::Cancellation& cancellation) override {
    with_python([&] {
      const py::object driver = port_.object();
      if (driver.is_none()) return;
      try {
        const std::string step = orlop::to_text(cancellation.step);
        if (cancellation.mode == ORLOP_CANCEL_LOST) driver.attr("lose")(step);
        else driver.attr("cancel")(step, cancellation.mode == ORLOP_CANCEL_FORCE);
      } catch (const py::error_already_set& raised) { keep(raised); }
    });
  }

  bool observes() const override {
    return with_python([&] { return port_.object().attr("observes").cast<bool>(); });
  }

  void observe(const orlop::Subjects& subjects) override {
    with_python([&] {
      const py::object driver = port_.object();
      if (driver.is_none()) return;
      try {
        py::tuple services(subjects.service_count);
        for (std::size_t at = 0; at < subjects.service_count; ++at)
          services[at] = py::str(orlop::to_text(subjects.services[at]));
        driver.attr("observe")(py::str(orlop::to_text(subjects.cluster)), services);
      } catch (const py::error_already_set& raised) { keep(raised); }
    });
  }

 private:
  HostedPort port_;
};

}  // namespace

void keep(const py::error_already_set& raised) {
  if (pending == nullptr) pending = raised.value().inc_ref().ptr();
}

Callback::Callback() {
  ++callbacks;
  if (!has_ended || ending_thread.load() == std::this_thread::get_id()) return;
  --callbacks;
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

Callback::~Callback() { --callbacks; }

RestsAtTheEnd::~RestsAtTheEnd() {
  if (!is_finalizing() || PyGILState_Check() != 0) return;
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

void note_ending() {
  ending_thread = std::this_thread::get_id();
  has_ended = true;
  py::gil_scoped_release others_end;
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (callbacks != 0 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
}

Host::~Host() {
  if (is_finalizing()) {
    // The interpreter no longer exists: leak the objects.
    for (Port& port : ports) (void)port.object.release();
    return;
  }
  with_python([this] { ports.clear(); });
}

HostedPort Host::add(std::string_view name, const py::object& object) {
  ports.push_back({std::string(name), object});
  return {shared_from_this(), ports.size() - 1};
}

void Host::let_go() {
  // Freed only after all ports are reset: a destructor in Python may use the engine.
  std::vector<py::object> old;
  for (Port& port : ports) old.push_back(std::exchange(port.object, py::none()));
}

// Has start(facts), cancel(step_id, force) and lose(step_id).
void give(std::shared_ptr<orlop::Driver>& member, HostedPort port) {
  member = std::make_shared<PythonDriver>(std::move(port));
}

namespace {

// Reads a clock of the host, in milliseconds.
orlop::Duration read_clock(const HostedPort& port, const char* function) {
  return with_python([&] {
    const py::object clock = port.object();
    if (clock.is_none()) throw std::runtime_error("the engine was closed");
    try {
      const py::object given = function == nullptr ? clock() : clock.attr(function)();
      const double seconds =
          seconds_in(given, function == nullptr ? "what the clock gives" : "what monotonic of the clock gives");
      return orlop::Duration(std::llround(seconds * 1000.0));
    } catch (const py::error_already_set& raised) {
      keep(raised);
      throw std::runtime_error("the clock gave no time");
    }
  });
}

}  // namespace

// A callable that returns Unix seconds; a manual clock also has a method monotonic().
void give(orlop::Clock& member, HostedPort port) {
  member.now = [port] { return orlop::Instant(read_clock(port, nullptr)); };
  if (has_method(port, "monotonic")) member.monotonic = [port] { return read_clock(port, "monotonic"); };
}

// A callable that returns an int of 64 bits. The library cannot handle an error here: if the callable fails, the number
// comes from the system's random source, and the call into the engine raises.
void give(orlop::RandomSource& member, HostedPort port) {
  member = [port = std::move(port)]() -> std::uint64_t {
    return with_python([&] {
      const py::object random_source = port.object();
      try {
        if (!random_source.is_none()) return natural_in(random_source(), "the number that the random source gives");
      } catch (const py::error_already_set& raised) { keep(raised); }
      std::random_device system;
      return (static_cast<std::uint64_t>(system()) << 32) | system();
    });
  };
}

// A callable (question, input) that returns the answer or raises, with input and answer as JSON in bytes, and a text
// `questions`, the names that it answers. If the answer takes virtual time, the callable returns a pair of answer and
// milliseconds, or its exception has them as `_takes`.
void give(orlop::ExternalSystems& member, HostedPort port) {
  member.questions = port.object().attr("questions").cast<std::string>();
  member.ask = [port = std::move(port)](const orlop::Ask& asked) {
    const PortWait others_go_on;
    with_python([&] {
      const py::object systems = port.object();
      if (systems.is_none()) throw std::runtime_error("the engine was closed");
      try {
        py::object answer = systems(text_out(asked.question()), py::bytes(asked.input().data(), asked.input().size()));
        if (py::isinstance<py::tuple>(answer)) {
          const py::tuple timed = answer;
          asked.takes(orlop::Duration(timed[1].cast<std::int64_t>()));
          answer = timed[0];
        }
        asked.answer(bytes_in(answer, "the answer"));
      } catch (const py::error_already_set& raised) {
        if (py::hasattr(raised.value(), "_takes"))
          asked.takes(orlop::Duration(raised.value().attr("_takes").cast<std::int64_t>()));
        const py::module_ errors = py::module_::import("orlop.errors");
        orlop_code code = ORLOP_ERROR_EXTERNAL_FAILED;
        if (raised.matches(errors.attr("Unanswered"))) code = ORLOP_ERROR_UNANSWERED;
        if (raised.matches(PyExc_TimeoutError) || raised.matches(errors.attr("ExternalTimeout")))
          code = ORLOP_ERROR_EXTERNAL_TIMEOUT;
        asked.fail(text_of_exception(raised), code);
      }
    });
  };
}

bool has_method(const HostedPort& port, const char* name) {
  const py::object method = py::getattr(port.object(), name, py::none());
  return PyCallable_Check(method.ptr()) != 0;
}

void require_method(const HostedPort& port, const char* name) {
  if (has_method(port, name) && PyType_Check(port.object().ptr()) == 0) return;
  refuse(port.name() + " must be an object with a method " + name + ", not " + shown(port.object()));
}

void call_port(const HostedPort& port, const PortCall& call) {
  const PortWait others_go_on;
  with_python([&] {
    const py::object held = port.object();
    if (held.is_none()) throw std::runtime_error("the engine was closed");
    try {
      call(held);
    } catch (const py::error_already_set& raised) { throw std::runtime_error(text_of_exception(raised)); }
  });
}

void inform_port(const HostedPort& port, const PortCall& call) {
  with_python([&] {
    const py::object held = port.object();
    if (held.is_none()) return;
    try {
      call(held);
    } catch (py::error_already_set& raised) {
      raised.discard_as_unraisable(("the " + port.name() + " of an engine").c_str());
    }
  });
}

PyObject* take_pending() { return std::exchange(pending, nullptr); }

py::dict headers_of(const orlop::Reply& reply) {
  py::dict headers;
  for (const auto& [name, value] : reply.headers()) {
    std::string lower(name);
    for (char& letter : lower) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    headers[text_out(lower)] = text_out(value);
  }
  return headers;
}

void raise_pending() {
  const auto cause = py::reinterpret_steal<py::object>(take_pending());
  if (!cause) return;
  const py::object failure_of = py::module_::import("orlop.errors").attr("callback_failure");
  const py::object failure = call_python(failure_of, cause);
  PyErr_SetObject(py::type::of(failure).ptr(), failure.ptr());
  throw py::error_already_set();
}

}  // namespace orlop_python
