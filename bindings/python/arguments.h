// What Python gives as an argument, read as the type that is wanted. Anything else raises orlop.Misuse: one sentence
// that names the argument, what was given and what is allowed. The interpreter must be held. Views live as long as the
// object they were read from.
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
// The same as misuse.
[[noreturn]] void refuse(const std::string& message);

std::string_view text_in(py::handle given, std::string_view what);
std::string_view bytes_in(py::handle given, std::string_view what);
bool flag_in(py::handle given, std::string_view what);
std::int64_t number_in(py::handle given, std::string_view what, std::int64_t from, std::int64_t to);
orlop_id id_in(py::handle given, std::string_view what);
std::uint64_t natural_in(py::handle given, std::string_view what);
// A finite number of seconds that is a duration or an instant also in milliseconds.
double seconds_in(py::handle given, std::string_view what);
// A list or a tuple.
std::vector<std::string_view> texts_in(py::handle given, std::string_view what);
std::vector<std::string_view> byte_texts_in(py::handle given, std::string_view what);
// A request of the host. `headers`: a list of tuples of name and value; nullptr for none.
orlop::Request request_in(py::handle method, py::handle path, py::handle query, const py::list* headers,
                          py::handle body, py::handle names);

// Text that the library gave, for Python. Raises orlop.StorageCorrupt if it is no UTF-8: only a damaged store gives
// such.
py::str text_out(std::string_view text);
// The same for a message about what is wrong, damaged or not.
py::str message_out(std::string_view text);

py::bytes bytes_out(std::string_view bytes);
py::list headers_out(const orlop_header* headers, std::size_t count);
double seconds_out(std::int64_t milliseconds);

// The start of what was given, as an error should quote it.
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
