// Conversion of arguments from Python. A value of another type or out of its bounds raises orlop.Misuse: one sentence
// with the argument's name, the value and the allowed values. The GIL must be held. Views are valid as long as the
// object that they were read from.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "enum_values.h"
#include "orlop/orlop.hpp"

namespace orlop_python {

namespace py = pybind11;

// Raises the exception for an error of this name (errors.py).
[[noreturn]] void fail(std::string_view code, std::string_view message);
// Raises orlop.Misuse.
[[noreturn]] void refuse(const std::string& message);

std::string_view text_in(py::handle given, std::string_view what);
std::string_view bytes_in(py::handle given, std::string_view what);
bool flag_in(py::handle given, std::string_view what);
std::int64_t number_in(py::handle given, std::string_view what, std::int64_t from, std::int64_t to);
orlop_id id_in(py::handle given, std::string_view what);
std::uint64_t natural_in(py::handle given, std::string_view what);
// Finite seconds, of a duration or an instant, that fit in milliseconds.
double seconds_in(py::handle given, std::string_view what);
// A list or a tuple.
std::vector<std::string_view> texts_in(py::handle given, std::string_view what);
std::vector<std::string_view> byte_texts_in(py::handle given, std::string_view what);
// Makes a request of the host. `headers`: a list of tuples of name and value; nullptr for none.
orlop::Request request_in(py::handle method, py::handle path, py::handle query, const py::list* headers,
                          py::handle body, py::handle names);

// Converts text of the library. Raises orlop.StorageCorrupt if it is not UTF-8, which happens only with a damaged
// store.
py::str text_out(std::string_view text);
// Converts a message; invalid UTF-8 does not raise.
py::str message_out(std::string_view text);

py::bytes bytes_out(std::string_view bytes);
py::list headers_out(const orlop_header* headers, std::size_t count);
double seconds_out(std::int64_t milliseconds);

// Returns the beginning of a value, for quoting in an error.
std::string shown(py::handle given);

template <std::size_t size>
std::int32_t enum_value_in(const EnumValue (&enum_values)[size], py::handle given, std::string_view what) {
  const std::string_view name = text_in(given, what);
  std::string known;
  for (const EnumValue& entry : enum_values) {
    if (entry.name == name) return entry.number;
    known.append(known.empty() ? "" : ", ").append(entry.name);
  }
  refuse(std::string(what) + " must be one of " + known + ", not " + shown(given));
}

}  // namespace orlop_python
