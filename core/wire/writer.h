// Writes JSON text into a string; the core writes all its JSON with it. Inserts commas itself.
//
//   Writer out;
//   out.begin_object().field("id", id).field("state", "READY").end_object();
//   std::string text = std::move(out).take();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/id.h"
#include "base/instant.h"
#include "model/value.h"

namespace orlop {

class Writer {
 public:
  Writer() = default;
  explicit Writer(std::size_t capacity) : text_(capacity, '\0') {}

  Writer& begin_object();
  Writer& end_object();
  Writer& begin_list();
  Writer& end_list();
  Writer& key(std::string_view name);  // `name` needs no escaping

  Writer& null();
  // Writes a flag, an integer of 64 bits, a double, a text (which must be UTF-8), an id, an instant, or any Value.
  template <typename T>
  Writer& value(const T& content) {
    separate();
    write(content);
    return *this;
  }
  // Writes the members of an object into the open object.
  Writer& members_of(const Value& object);
  // Writes valid JSON text unchanged.
  Writer& raw(std::string_view json);

  template <typename T>
  Writer& field(std::string_view name, const T& content) {
    write_field(name, content);
    return *this;
  }
  Writer& field_raw(std::string_view name, std::string_view json) { return key(name).raw(json); }
  Writer& field_null(std::string_view name);

  // Returns the text so far. Valid until the next write.
  std::string_view view() const { return {text_.data(), size_}; }
  // Discards the text, and keeps the memory.
  void clear() { size_ = 0; }
  const std::string& text() {
    text_.resize(size_);
    return text_;
  }
  std::string take() && {
    text_.resize(size_);
    return std::move(text_);
  }

 private:
  // Returns room for `count` more bytes. advance() marks their end.
  char* room(std::size_t count) {
    if (text_.size() - size_ < count) grow(count);
    return text_.data() + size_;
  }
  void advance(const char* end) { size_ = static_cast<std::size_t>(end - text_.data()); }
  void grow(std::size_t count);
  void put(char letter) {
    *room(1) = letter;
    ++size_;
  }
  void separate();
  void name(std::string_view name);
  // Writes the name and makes room for `count` characters after it; returns their start.
  char* begin_field(std::string_view name, std::size_t count);
  // Fast versions, which make the room of name and value at once.
  void write_field(std::string_view name, std::string_view text);
  void write_field(std::string_view name, const Id& id);
  void write_field(std::string_view name, Instant at);
  template <typename T>
  void write_field(std::string_view name, const T& content) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      write_field(name, std::string_view(content));
    } else {
      this->name(name);
      write(content);  // no comma is needed
    }
  }
  // Writes without a comma before.
  void write(bool flag);
  void write(std::int64_t integer);
  void write(std::uint64_t integer);
  void write(double number);
  void write(std::string_view text);
  void write(const char* text) { write(std::string_view(text)); }
  void write(const Id& id);
  void write(Instant at);
  void write(const Value& value);
  // Requires room. Writes a text of exactly `size` characters, none of which needs an escape.
  template <std::size_t size, typename Given>
  void written(char* to, const Given& given);
  template <std::size_t size>
  void literal(const char (&letters)[size]);
  template <typename Number>
  void number(Number number);

  std::string text_;  // longer than the text, so that most writes need not grow it
  std::size_t size_ = 0;
};

// Appends `text` as a JSON string with quotes.
void append_quoted(std::string& out, std::string_view text);
std::string to_json(const Value& value);

}  // namespace orlop
