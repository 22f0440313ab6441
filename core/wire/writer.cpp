#include "wire/writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "wire/plain_run.h"

namespace orlop {
namespace {

// For each byte: 0 if a JSON string has it unescaped, else the letter after the backslash ('u' for \u00XX).
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

// Writes the text with escapes; returns the end.
char* write_escaped(char* to, const char* from, const char* end) {
  constexpr char digits[] = "0123456789abcdef";
  for (const char* at = skip_plain(from, end); at != end; at = skip_plain(at + 1, end)) {
    const auto byte = static_cast<unsigned char>(*at);
    const char escape = escapes[byte];
    if (escape == 0) continue;
    to = std::copy(from, at, to);
    *to++ = '\\';
    *to++ = escape;
    if (escape == 'u') {
      *to++ = '0';
      *to++ = '0';
      *to++ = digits[byte >> 4];
      *to++ = digits[byte & 15];
    }
    from = at + 1;
  }
  return std::copy(from, end, to);
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  Writer quoted;
  out += std::move(quoted.value(text)).take();
}

void Writer::grow(std::size_t count) {
  constexpr std::size_t size_min = 64;
  text_.resize(std::max(text_.size() * 2, size_ + count + size_min));
}

void Writer::write(std::string_view text) {
  constexpr std::size_t escape_size_max = 6;  // \u00XX
  constexpr std::ptrdiff_t part_size = 1024;  // limits unused room
  const char* const end = text.data() + text.size();
  const char* from = skip_plain(text.data(), end);
  char* to = room(text.size() + 2);
  *to++ = '"';
  copy_short(to, text.data(), static_cast<std::size_t>(from - text.data()));
  to += from - text.data();
  if (from == end) {
    *to++ = '"';
    return advance(to);
  }
  while (from != end) {
    advance(to);
    const char* const part_end = from + std::min(part_size, end - from);
    to = write_escaped(room(static_cast<std::size_t>(part_end - from) * escape_size_max), from, part_end);
    from = part_end;
  }
  advance(to);
  put('"');
}

// Writes a comma unless the text so far ends where a value may begin.
void Writer::separate() {
  if (size_ == 0) return;
  const char last = text_[size_ - 1];
  if (last != '{' && last != '[' && last != ':') put(',');
}

Writer& Writer::begin_object() {
  separate();
  put('{');
  return *this;
}

Writer& Writer::end_object() {
  put('}');
  return *this;
}

Writer& Writer::begin_list() {
  separate();
  put('[');
  return *this;
}

Writer& Writer::end_list() {
  put(']');
  return *this;
}

inline char* Writer::begin_field(std::string_view name, std::size_t count) {
  char* to = room(name.size() + 4 + count);
  const char last = size_ == 0 ? '{' : to[-1];
  if (last != '{' && last != '[' && last != ':') *to++ = ',';
  *to++ = '"';
  copy_short(to, name.data(), name.size());
  to += name.size();
  *to++ = '"';
  *to++ = ':';
  return to;
}

void Writer::name(std::string_view name) { advance(begin_field(name, 0)); }

Writer& Writer::key(std::string_view name) {
  this->name(name);
  return *this;
}

template <std::size_t size>
void Writer::literal(const char (&letters)[size]) {
  constexpr std::size_t count = size - 1;
  char* const to = room(count);
  std::memcpy(to, letters, count);
  advance(to + count);
}

template <typename Number>
void Writer::number(Number number) {
  constexpr std::size_t size_max = 32;
  char* const to = room(size_max);
  advance(std::to_chars(to, to + size_max, number).ptr);
}
template <>
void Writer::number(double number) {
  constexpr std::size_t size_max = 32;
  if (!std::isfinite(number)) return literal("null");
  char* const to = room(size_max);
  // -0 would be read as the integer 0, and would then be written differently.
  advance(std::to_chars(to, to + size_max, number == 0 ? 0.0 : number).ptr);
}

Writer& Writer::null() {
  separate();
  literal("null");
  return *this;
}
void Writer::write(bool flag) {
  if (flag) literal("true");
  else literal("false");
}
void Writer::write(std::int64_t integer) { number(integer); }
void Writer::write(std::uint64_t integer) { number(integer); }
void Writer::write(double number) { this->number(number); }

template <std::size_t size, typename Given>
void Writer::written(char* to, const Given& given) {
  to[0] = to[size + 1] = '"';
  write_text(to + 1, given);
  advance(to + size + 2);
}

void Writer::write(const Id& id) { written<id_text_size>(room(id_text_size + 2), id); }
void Writer::write(Instant at) { written<instant_text_size>(room(instant_text_size + 2), at); }
void Writer::write_field(std::string_view name, const Id& id) {
  written<id_text_size>(begin_field(name, id_text_size + 2), id);
}
void Writer::write_field(std::string_view name, Instant at) {
  written<instant_text_size>(begin_field(name, instant_text_size + 2), at);
}

void Writer::write_field(std::string_view name, std::string_view text) {
  const char* const end = text.data() + text.size();
  if (skip_plain(text.data(), end) != end) {
    this->name(name);
    return write(text);
  }
  char* to = begin_field(name, text.size() + 2);
  *to++ = '"';
  copy_short(to, text.data(), text.size());
  to += text.size();
  *to++ = '"';
  advance(to);
}

Writer& Writer::field_null(std::string_view name) {
  this->name(name);
  literal("null");
  return *this;
}

// The recursion is bounded: values come from parse_json (json_depth_max) or are built by descriptors.
void Writer::write(const Value& value) {
  switch (value.type()) {
    case Value::Type::null: return literal("null");
    case Value::Type::boolean: return write(value.as_boolean());
    case Value::Type::integer: return number(value.as_integer());
    case Value::Type::number: return number(value.as_number());
    case Value::Type::text: return write(std::string_view(value.as_text()));
    case Value::Type::list:
      put('[');
      for (const Value& item : value.items()) this->value(item);
      return put(']');
    case Value::Type::object:
      put('{');
      members_of(value);
      return put('}');
  }
}

Writer& Writer::members_of(const Value& object) {
  for (const auto& [name, value] : object.members()) {
    if (name.is_lasting()) {
      this->name(name);
    } else {
      separate();
      write(name.view());
      put(':');
    }
    write(value);
  }
  return *this;
}

Writer& Writer::raw(std::string_view json) {
  separate();
  if (json.size() <= text_.size() - size_) {
    std::memcpy(text_.data() + size_, json.data(), json.size());
    size_ += json.size();
    return *this;
  }
  text_.resize(size_);
  text_.append(json);
  size_ = text_.size();
  text_.resize(std::min(text_.capacity(), size_ + 64));  // for the next comma and braces
  return *this;
}

std::string to_json(const Value& value) {
  constexpr std::size_t usual_object = 512;
  Writer out(value.members().size() > 8 ? usual_object : 64);
  out.value(value);
  return std::move(out).take();
}

}  // namespace orlop
