#include "model/check_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <unordered_set>

#include "base/brand.h"
#include "base/instant.h"
#include "base/text/utf8.h"
#include "model/form.h"
#include "model/registry.h"
#include "model/validate.h"

namespace orlop {
namespace {

constexpr std::int64_t no_minimum = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t no_maximum = std::numeric_limits<std::int64_t>::max();

// Returns "3000 to 16000", "at least 1" or "at most 255".
std::string bounds_of(const Field& field) {
  if (field.minimum == no_minimum) return "at most " + std::to_string(field.maximum);
  if (field.maximum == no_maximum) return "at least " + std::to_string(field.minimum);
  return std::to_string(field.minimum) + " to " + std::to_string(field.maximum);
}

std::string number_text(const Value& number) {
  if (number.type() == Value::Type::integer) return std::to_string(number.as_integer());
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number.as_number());
  return {text.data(), written.ptr};
}

std::string enumeration_list(std::span<const std::string_view> enum_values, std::string_view brand) {
  std::string list;
  for (const std::string_view enum_value : enum_values)
    list.append(list.empty() ? "" : ", ").append(branded(enum_value, brand));
  return list;
}

std::string enum_values_of(std::string_view family_name) {
  std::string noun(family_name);
  std::ranges::replace(noun, '_', ' ');
  return noun;
}

}  // namespace

std::string quoted_text(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  if (text.size() <= shown_max) return "\"" + std::string(text) + "\"";
  return "\"" + std::string(beginning(text, shown_max)) + "…\"";
}

std::string Path::text() const {
  if (above == nullptr) return std::string(name);
  std::string whole = above->text();
  if (item) return whole + "[" + std::to_string(*item) + "]";
  if (!whole.empty()) whole.push_back('.');
  return whole.append(name);
}

bool ValueChecker::expect(Value::Type expected, const Value& given, const Path& path) {
  if (given.type() == expected) return true;
  violate(path, "must be " + std::string(describe(expected)) + ", not " + std::string(describe(given.type())));
  return false;
}

Value ValueChecker::check(const Field& field, const Value& given, const Path& path) {
  if (given.is_null() && field.kind != FieldKind::any) {
    if (!field.is_nullable) violate(path, "must not be null");
    return given;
  }
  switch (field.kind) {
    case FieldKind::text:
    case FieldKind::uri:
    case FieldKind::id:
    case FieldKind::date_time:
    case FieldKind::duration:
    case FieldKind::cron: check_text(field, given, path); return given;
    case FieldKind::integer:
      if (expect(Value::Type::integer, given, path)) check_number(field, given, path);
      return given;
    case FieldKind::number:
      if (given.type() == Value::Type::integer || expect(Value::Type::number, given, path))
        check_number(field, given, path);
      return given;
    case FieldKind::boolean: (void)expect(Value::Type::boolean, given, path); return given;
    case FieldKind::enumeration: return check_word(field, given, path);
    case FieldKind::object:
      if (!expect(Value::Type::object, given, path) || field.shape == nullptr) return given;
      return members_(*field.shape, given, path);
    case FieldKind::list: return check_list(field, given, path);
    case FieldKind::any: return given;
  }
  return given;
}

void ValueChecker::check_number(const Field& field, const Value& given, const Path& path) {
  const double number = given.as_number();
  const bool fits = (field.minimum == no_minimum || number >= static_cast<double>(field.minimum)) &&
                    (field.maximum == no_maximum || number <= static_cast<double>(field.maximum));
  if (!fits) violate(path, "must be " + bounds_of(field) + ", not " + number_text(given));
}

void ValueChecker::check_text(const Field& field, const Value& given, const Path& path) {
  if (!expect(Value::Type::text, given, path)) return;
  const auto size = static_cast<std::int64_t>(given.as_text().size());
  if (size < field.minimum || size > field.maximum) {
    violate(path, size == 0 ? "must not be empty"
                            : "must be " + bounds_of(field) + " bytes long, not " + std::to_string(size));
    return;
  }
  check_form(field, given, path);
}

void ValueChecker::check_form(const Field& field, const Value& given, const Path& path) {
  const std::string& text = given.as_text();
  const bool is_name = field.is_unique_name || field.name == "name";
  if (is_name && has_control(text))
    return violate(path, "must have no control characters, unlike " + quoted_text(text));
  if (field.kind == FieldKind::id) {
    const bool is_named = std::ranges::find(field.enum_values, text) != field.enum_values.end();
    if (is_named) return;
    if (!parse_id(text)) {
      const std::string enum_values =
          field.enum_values.empty() ? "" : " or one of " + enumeration_list(field.enum_values, brand_);
      violate(path, "must be a uuid" + enum_values + ", not " + quoted_text(text));
    } else if (!field.refers_to.empty()) {
      check_reference(field, given, path);
    }
  } else if (field.kind == FieldKind::uri && !is_absolute_uri(text)) {
    violate(path, "must be an absolute URI, not " + quoted_text(text));
  } else if (field.kind == FieldKind::date_time && !parse_instant(text)) {
    violate(path, "must be a date and time as in 2026-01-01T00:00:00Z, not " + quoted_text(text));
  } else if (field.kind == FieldKind::duration && !is_duration(text)) {
    violate(path, "must be a duration as in PT1H30M, not " + quoted_text(text));
  } else if (field.kind == FieldKind::cron) {
    if (std::string fault = cron_fault(text); !fault.empty()) violate(path, std::move(fault));
  }
}

Value ValueChecker::check_word(const Field& field, const Value& given, const Path& path) {
  if (!expect(Value::Type::text, given, path)) return given;
  const auto found = std::ranges::find_if(field.enum_values, [&](std::string_view enum_value) {
    if (field.has_branded_values) return is_branded(given.as_text(), enum_value, brand_);
    return enum_value == given.as_text() ||
           (field.is_any_case && lower_case(enum_value) == lower_case(given.as_text()));
  });
  if (found != field.enum_values.end()) return field.has_branded_values ? given : Value(*found);
  violate(path,
          "must be one of " + enumeration_list(field.enum_values, brand_) + ", not " + quoted_text(given.as_text()));
  return given;
}

void ValueChecker::check_reference(const Field& field, const Value& given, const Path& path) {
  if (context_ == nullptr) return;
  if (!context_->has(field.refers_to, *parse_id(given.as_text()))) {
    violate(path, "names no " + enum_values_of(field.refers_to) + " of this organization: " + given.as_text());
  }
}

Value ValueChecker::check_list(const Field& field, const Value& given, const Path& path) {
  if (!expect(Value::Type::list, given, path)) return given;
  const auto count = static_cast<std::int64_t>(given.items().size());
  if (count < field.minimum || count > field.maximum) {
    violate(path, "must hold " + bounds_of(field) + " items, not " + std::to_string(count));
    return given;  // the items no longer matter
  }
  Field item;
  item.kind = field.item;
  item.enum_values = field.enum_values;
  item.has_branded_values = field.has_branded_values;
  item.shape = field.shape;
  item.refers_to = field.refers_to;
  Value checked = Value::list();
  checked.items().reserve(given.items().size());
  for (std::size_t at = 0; at < given.items().size() && violations_.size() < violations_counted_max; ++at) {
    checked.append(check(item, given.items()[at], path.at(at)));
  }
  if (field.has_unique_items) check_unique(checked, path);
  return checked;
}

// Ids in upper and lower case are equal.
void ValueChecker::check_unique(const Value& list, const Path& path) {
  std::unordered_set<std::string> known;
  for (std::size_t at = 0; at < list.items().size() && violations_.size() < violations_counted_max; ++at) {
    const Value& item = list.items()[at];
    if (!item.is_text()) continue;
    const auto id = parse_id(item.as_text());
    if (!known.insert(id ? to_text(*id) : item.as_text()).second)
      violate(path.at(at), "must not repeat an item of the list; " + quoted_text(item.as_text()) + " is there twice");
  }
}

}  // namespace orlop
