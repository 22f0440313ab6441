#include "wire/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "wire/object_member.h"
#include "wire/read_plain.h"

namespace orlop {
namespace {

// Stored objects contain texts from requests at a deeper level.
constexpr int stored_depth_max = json_depth_max + 16;

// Receives the parser's events and builds one Value. A callback that returns false ends the parse; `error_` has the
// reason.
class Builder {
 public:
  explicit Builder(int depth_max) : depth_max_(depth_max) {}

  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return add(Value()); }
  bool boolean(bool flag) { return add(Value(flag)); }
  bool number_integer(number_integer_t integer) { return add(Value(static_cast<std::int64_t>(integer))); }
  bool number_unsigned(number_unsigned_t integer) {
    if (integer > static_cast<number_unsigned_t>(INT64_MAX)) return add(Value(static_cast<double>(integer)));
    return add(Value(static_cast<std::int64_t>(integer)));
  }
  bool number_float(number_float_t number, const string_t&) { return add(Value(number)); }
  bool string(string_t& text) { return add(Value(std::move(text))); }
  bool binary(binary_t&) { return refuse("binary data is not JSON"); }

  bool start_object(std::size_t) { return open(Value::object()); }
  bool key(string_t& name) {
    open_.back()->members().emplace_back(Name(name));
    return true;
  }
  bool end_object() {
    if (!keys_are_unique(open_.back()->members())) return false;
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) { return open(Value::list()); }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  template <typename Exception>
  bool parse_error(std::size_t position, const std::string& token, const Exception&) {
    (void)token;
    return refuse("the body is not valid JSON in UTF-8: it stops making sense at byte " + std::to_string(position));
  }

  Value take() { return std::move(root_); }
  const std::string& error() const { return error_; }

 private:
  bool refuse(std::string reason) {
    if (error_.empty()) error_ = std::move(reason);
    return false;
  }

  // Adds the next value. Pointers in open_ stay valid: an outer value does not grow while an inner one is open.
  Value* place(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Value& outer = *open_.back();
    if (outer.is_list()) {
      outer.append(std::move(value));
      return &outer.items().back();
    }
    outer.members().back().value = std::move(value);
    return &outer.members().back().value;
  }

  bool add(Value value) {
    place(std::move(value));
    return true;
  }

  bool open(Value container) {
    if (open_.size() >= static_cast<std::size_t>(depth_max_)) {
      return refuse("the body is nested deeper than " + std::to_string(depth_max_) + " levels");
    }
    open_.push_back(place(std::move(container)));
    return true;
  }

  bool keys_are_unique(const Value::Object& members) {
    std::vector<std::string_view> names;
    names.reserve(members.size());
    for (const Member& member : members) names.push_back(member.name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return true;
    return refuse("the key \"" + std::string(beginning(*twice, 64)) + "\" is given twice in one object");
  }

  int depth_max_;
  Value root_;
  std::vector<Value*> open_;
  std::string error_;
};

Result<Value> parse_by_library(std::string_view text, ErrorCode code, int depth_max) {
  Builder builder(depth_max);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) {
    return make_error(code, builder.error().empty() ? "the body is not valid JSON" : builder.error());
  }
  return builder.take();
}

Result<Value> parse(std::string_view text, ErrorCode code, int depth_max) {
  if (auto plain = read_plain_json(text)) return std::move(*plain);
  return parse_by_library(text, code, depth_max);
}

}  // namespace

Result<Value> parse_json(std::string_view text, std::size_t size_max) {
  if (text.size() > size_max) {
    return make_error(ErrorCode::invalid, "the body has " + std::to_string(text.size()) + " bytes; at most " +
                                              std::to_string(size_max) + " are allowed");
  }
  return parse(text, ErrorCode::invalid, json_depth_max);
}

Result<Value> parse_stored(std::string_view text) { return parse(text, ErrorCode::storage_corrupt, stored_depth_max); }

Result<Value> parse_stored_member(std::string_view object, std::string_view name) {
  if (const std::string_view raw = raw_member(object, name); !raw.empty()) return parse_stored(raw);
  ORLOP_TRY(value, parse_stored(object));
  const Value* const member = value.find(name);
  return member == nullptr ? Value() : *member;
}

Result<Value> parse_fully(std::string_view text) { return parse_by_library(text, ErrorCode::invalid, json_depth_max); }

bool is_stored_object(std::string_view text) {
  if (is_plain_json_object(text)) return true;
  const auto value = parse_stored(text);
  return value && value->is_object();
}

}  // namespace orlop
