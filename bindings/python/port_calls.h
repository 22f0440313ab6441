// The ports that are not custom, as the library calls them: a callable in Python, or an object with a method for each function. Generated from core/base/options/ports: do not edit.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "arguments.h"
#include "enum_values.h"
#include "host.h"

namespace orlop_python {

inline constexpr EnumValue values_of_LogLevel[] = {{"error", 1}, {"warning", 2}, {"info", 3}};

inline py::object out(const orlop::Delivery& given) {
  return py::module_::import("orlop.ports").attr("Delivery")(
      orlop::to_text(given.id),
      orlop::to_text(given.webhook),
      orlop::to_text(given.organization),
      given.attempt,
      text_out(orlop::view_of(given.url)),
      headers_out(given.headers, given.header_count),
      bytes_out(orlop::view_of(given.body)));
}

inline void give(orlop::Log& member, HostedPort port) {
  member = [port](orlop_log_level level, std::string_view message) { inform_port(port, [&](const py::object& given) { given(to_string(values_of_LogLevel, level), text_out(message)); }); };
}

inline void give(orlop::WebhookSender& member, HostedPort port) {
  member = [port](const orlop::Delivery& delivery) { call_port(port, [&](const py::object& given) { given(out(delivery)); }); };
}

}  // namespace orlop_python
