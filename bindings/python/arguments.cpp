#include "arguments.h"

#include <cmath>
#include <limits>

#include "host.h"

namespace orlop_python {
namespace {

constexpr std::size_t shown_max = 80;  // bytes
constexpr double seconds_max = 1e15;

[[noreturn]] void refuse_type(std::string_view what, const char* wanted, py::handle given) {
  refuse(std::string(what) + " must be " + wanted + ", not " + shown(given));
}

// Converts to int. Refuses bool, although Python derives it from int.
py::object whole(py::handle given, std::string_view what) {
  if (PyBool_Check(given.ptr()) || PyIndex_Check(given.ptr()) == 0) refuse_type(what, "a whole number", given);
  PyObject* number = PyNumber_Index(given.ptr());
  if (number == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(number);
}

template <typename Read>
std::vector<std::string_view> all_in(py::handle given, std::string_view what, const char* wanted, const Read& read) {
  if (!PyList_Check(given.ptr()) && !PyTuple_Check(given.ptr())) refuse_type(what, wanted, given);
  std::vector<std::string_view> found;
  const std::string each = "an entry of " + std::string(what);
  for (const py::handle entry : given) found.push_back(read(entry, each));
  return found;
}

}  // namespace

void fail(std::string_view code, std::string_view message) {
  const py::object failure_of = py::module_::import("orlop.errors").attr("failure");
  const py::object name = py::str(code.data(), code.size());
  const py::object text = message_out(message);
  const py::object failure = call_python(failure_of, name, text);
  PyErr_SetObject(py::type::of(failure).ptr(), failure.ptr());
  throw py::error_already_set();
}

void refuse(const std::string& message) { fail("misuse", message); }

orlop::Request request_in(py::handle method, py::handle path, py::handle query, const py::list* headers,
                          py::handle body, py::handle names) {
  orlop::Request request{
      text_in(method, "method"), text_in(path, "path"), bytes_in(body, "body"), text_in(query, "query"), {}, false,
      texts_in(names, "names")};
  if (headers == nullptr) return request;
  for (const py::handle given : *headers) {
    const auto header = py::reinterpret_borrow<py::tuple>(given);
    const std::string_view name = text_in(header[0], "the name of a header");
    request.headers.emplace_back(name, text_in(header[1], "the header " + std::string(name)));
  }
  return request;
}

py::str text_out(std::string_view text) {
  PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
  if (made != nullptr) return py::reinterpret_steal<py::str>(made);
  if (PyErr_ExceptionMatches(PyExc_UnicodeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  fail("storage_corrupt", "the engine gave what is not text, so the store holds bytes that it never wrote");
}

py::str message_out(std::string_view text) {
  PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(made);
}

std::string shown(py::handle given) {
  if (!PyUnicode_Check(given.ptr()) && !PyLong_Check(given.ptr()) && !PyFloat_Check(given.ptr()) && !given.is_none()) {
    return std::string("an object of the type ") + Py_TYPE(given.ptr())->tp_name;
  }
  try {
    const std::string text = py::str(py::module_::import("builtins").attr("ascii")(given));
    return text.size() <= shown_max ? text : text.substr(0, shown_max) + "…";
  } catch (const py::error_already_set&) {  // an integer with more digits than Python converts
    return "a number of too many digits";
  }
}

py::bytes bytes_out(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

py::list headers_out(const orlop_header* headers, std::size_t count) {
  py::list pairs;
  for (std::size_t index = 0; index < count; ++index) {
    pairs.append(
        py::make_tuple(text_out(orlop::view_of(headers[index].name)), text_out(orlop::view_of(headers[index].value))));
  }
  return pairs;
}

double seconds_out(std::int64_t milliseconds) { return static_cast<double>(milliseconds) / 1000.0; }

std::string_view text_in(py::handle given, std::string_view what) {
  if (!PyUnicode_Check(given.ptr())) refuse_type(what, "text (str)", given);
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
  if (text != nullptr) return {text, static_cast<std::size_t>(size)};
  if (PyErr_ExceptionMatches(PyExc_UnicodeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  refuse(std::string(what) + " must be text that UTF-8 can hold: " + shown(given) + " holds a lone surrogate");
}

std::string_view bytes_in(py::handle given, std::string_view what) {
  if (!PyBytes_Check(given.ptr())) refuse_type(what, "bytes", given);
  return {PyBytes_AS_STRING(given.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(given.ptr()))};
}

bool flag_in(py::handle given, std::string_view what) {
  if (!PyBool_Check(given.ptr())) refuse_type(what, "True or False", given);
  return given.ptr() == Py_True;
}

std::int64_t number_in(py::handle given, std::string_view what, std::int64_t from, std::int64_t to) {
  const py::object held = whole(given, what);
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(held.ptr(), &overflow);
  if (overflow != 0 || number < from || number > to) {
    refuse(std::string(what) + " must be " + std::to_string(from) + " to " + std::to_string(to) + ", not " +
           shown(held));
  }
  return number;
}

std::uint64_t natural_in(py::handle given, std::string_view what) {
  const py::object held = whole(given, what);
  const unsigned long long number = PyLong_AsUnsignedLongLong(held.ptr());
  if (number != std::numeric_limits<unsigned long long>::max() || PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  refuse(std::string(what) + " must be 0 to " + std::to_string(std::numeric_limits<std::uint64_t>::max()) + ", not " +
         shown(held));
}

double seconds_in(py::handle given, std::string_view what) {
  const double number =
      PyBool_Check(given.ptr()) ? std::numeric_limits<double>::quiet_NaN() : PyFloat_AsDouble(given.ptr());
  if (PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0 && PyErr_ExceptionMatches(PyExc_OverflowError) == 0)
      throw py::error_already_set();
    PyErr_Clear();
  } else if (std::abs(number) <= seconds_max) {
    return number;
  }
  refuse_type(what, "a finite number of at most 1e15 seconds", given);
}

orlop_id id_in(py::handle given, std::string_view what) {
  auto id = orlop::try_parse_id(text_in(given, what));
  if (!id) refuse(std::string(what) + " must be an id, a UUID of 36 characters, not " + shown(given));
  return id.value();
}

std::vector<std::string_view> texts_in(py::handle given, std::string_view what) {
  return all_in(given, what, "a list of texts", text_in);
}

std::vector<std::string_view> byte_texts_in(py::handle given, std::string_view what) {
  return all_in(given, what, "a list of bytes", bytes_in);
}

}  // namespace orlop_python
