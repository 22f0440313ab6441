#include "wire/writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "wire/plain_run.h"

namespace orlop {
namespace {

// For each byte: 0 if it stands as it is in a JSON string, else the letter after the backslash ('u' for \u00XX).
constexpr std::array<char, 256> escapes = [] {
  std::array<char, 256> table{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) table[byte] = 'u';
  table['\b'] = 'b';
  table['\f'] = 'f';
  table['\n'] = 'n';
  table['\r'] = 'r';
  table['\t'] = 't';
  table['"'] = '"';
  table['\\'] = '\\';
  return table;
}();

template <typename Number>
void append_number(std::string& out, Number number) {
  char digits[32];
  const auto written = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, written.ptr);
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  const char* start = text.data();
  const char* const end = start + text.size();
  const char* const first = skip_plain(start, end);
  if (first == end) {
    const std::size_t at = out.size() + 1;
    out.append(text.size() + 2, '"');
    text.copy(out.data() + at, text.size());
    return;
  }
  out.push_back('"');
  for (const char* at = first; at != end; at = skip_plain(at + 1, end)) {
    const auto byte = static_cast<unsigned char>(*at);
    const char escape = escapes[byte];
    if (escape == 0) continue;
    out.append(start, at);
    out.push_back('\\');
    out.push_back(escape);
    if (escape == 'u') {
      constexpr char digits[] = "0123456789abcdef";
      out.append("00");
      out.push_back(digits[byte >> 4]);
      out.push_back(digits[byte & 15]);
    }
    start = at + 1;
  }
  out.append(start, end);
  out.push_back('"');
}

// A comma is due unless the text so far ends where a value may begin.
void Writer::separate() {
  if (text_.empty()) return;
  const char last = text_.back();
  if (last != '{' && last != '[' && last != ':') text_.push_back(',');
}

Writer& Writer::begin_object() {
  separate();
  text_.push_back('{');
  return *this;
}

Writer& Writer::end_object() {
  text_.push_back('}');
  return *this;
}

Writer& Writer::begin_list() {
  separate();
  text_.push_back('[');
  return *this;
}

Writer& Writer::end_list() {
  text_.push_back(']');
  return *this;
}

Writer& Writer::key(std::string_view name) {
  separate();
  const std::size_t at = text_.size() + 1;
  text_.append(name.size() + 3, '"');
  name.copy(text_.data() + at, name.size());
  text_.back() = ':';
  return *this;
}

Writer& Writer::null() { return raw("null"); }
Writer& Writer::value(bool flag) { return raw(flag ? "true" : "false"); }

Writer& Writer::value(std::int64_t integer) {
  separate();
  append_number(text_, integer);
  return *this;
}

Writer& Writer::value(std::uint64_t integer) {
  separate();
  append_number(text_, integer);
  return *this;
}

Writer& Writer::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  append_number(text_, number == 0 ? 0.0 : number);  // -0 would be read as the integer 0, and be another text the next time
  return *this;
}

Writer& Writer::value(std::string_view text) {
  separate();
  append_quoted(text_, text);
  return *this;
}

Writer& Writer::value(const Id& id) {
  separate();
  text_.push_back('"');
  append_text(text_, id);
  text_.push_back('"');
  return *this;
}

Writer& Writer::value(Instant at) {
  separate();
  text_.push_back('"');
  append_text(text_, at);
  text_.push_back('"');
  return *this;
}

// Recursion is bounded: values come from parse_json (json_depth_max) or are built by descriptors.
Writer& Writer::value(const Value& value) {
  switch (value.type()) {
    case Value::Type::null:
      return null();
    case Value::Type::boolean:
      return this->value(value.as_boolean());
    case Value::Type::integer:
      return this->value(value.as_integer());
    case Value::Type::number:
      return this->value(value.as_number());
    case Value::Type::text:
      return this->value(std::string_view(value.as_text()));
    case Value::Type::list:
      begin_list();
      for (const Value& item : value.items()) this->value(item);
      return end_list();
    case Value::Type::object:
      begin_object();
      for (const Member& member : value.members()) {
        separate();
        append_quoted(text_, member.name);
        text_.push_back(':');
        this->value(member.value);
      }
      return end_object();
  }
  return *this;
}

Writer& Writer::raw(std::string_view json) {
  separate();
  text_.append(json);
  return *this;
}

std::string to_json(const Value& value) {
  constexpr std::size_t usual_object = 512;
  Writer out(value.members().size() > 8 ? usual_object : 0);
  out.value(value);
  return std::move(out).take();
}

}  // namespace orlop
