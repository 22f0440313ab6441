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
  explicit Writer(std::size_t capacity) { text_.reserve(capacity); }

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
  // JSON text that is already valid, as it is.
  Writer& raw(std::string_view json);

  template <typename T>
  Writer& field(std::string_view name, const T& content) {
    return key(name).value(content);
  }
  Writer& field_raw(std::string_view name, std::string_view json) { return key(name).raw(json); }
  Writer& field_null(std::string_view name) { return key(name).null(); }

  const std::string& text() const { return text_; }
  std::string take() && { return std::move(text_); }

 private:
  void separate();
  std::string text_;
};

// Appends `text` as a JSON string with its quotes.
void append_quoted(std::string& out, std::string_view text);
std::string to_json(const Value& value);

}  // namespace orlop
