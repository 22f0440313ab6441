// Writes JSON text straight into a string: the only place where the core makes JSON. Commas are the writer's business.
//
//   Writer out;
//   out.begin_object().field("id", id).field("state", "READY").end_object();
//   std::string text = std::move(out).take();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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
  Writer& value(bool flag);
  Writer& value(std::int64_t integer);
  Writer& value(std::uint64_t integer);
  Writer& value(double number);
  Writer& value(std::string_view text);  // must be UTF-8
  Writer& value(const char* text) { return value(std::string_view(text)); }
  Writer& value(const Id& id);
  Writer& value(Instant at);
  Writer& value(const Value& value);
  // The members of an object, into the one that is open.
  Writer& members_of(const Value& object);
  // JSON text that is already valid, as it is.
  Writer& raw(std::string_view json);

  template <typename T>
  Writer& field(std::string_view name, const T& content) {
    return key(name).value(content);
  }
  Writer& field_raw(std::string_view name, std::string_view json) { return key(name).raw(json); }
  Writer& field_null(std::string_view name) { return key(name).null(); }

  const std::string& text() {
    text_.resize(size_);
    return text_;
  }
  std::string take() && {
    text_.resize(size_);
    return std::move(text_);
  }

 private:
  // Room for `count` more bytes; advance() says how many were used.
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
  // What comes where no comma is due.
  void put(const Value& value);
  // A text of exactly so many letters, none of which needs an escape.
  template <std::size_t size, typename Given>
  Writer& written(const Given& given);
  void quoted(std::string_view text);
  template <std::size_t size>
  void literal(const char (&letters)[size]);
  template <typename Number>
  void number(Number number);

  std::string text_;  // longer than what is written, so that most writes need not ask for room
  std::size_t size_ = 0;
};

// Appends `text` as a JSON string with its quotes.
void append_quoted(std::string& out, std::string_view text);
std::string to_json(const Value& value);

}  // namespace orlop
