#include "families/shapes/rules.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace orlop::shapes {
namespace {

bool is_same(const Value& left, const Value& right, Names key) {
  return std::all_of(key.begin(), key.end(), [&](std::string_view member) {
    const Value* one = left.find(member);
    const Value* other = right.find(member);
    return one == nullptr || other == nullptr ? one == other : *one == *other;
  });
}

}  // namespace

void refuse(Violations& violations, std::string_view field, std::string reason) {
  violations.push_back({std::string(field), std::move(reason)});
}

std::string quoted(std::string_view text) {
  constexpr std::size_t size_max = 80;
  if (text.size() <= size_max) return "\"" + std::string(text) + "\"";
  std::size_t size = size_max;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;  // never half a character
  return "\"" + std::string(text.substr(0, size)) + "…\"";
}

std::string item_path(std::string_view list, std::size_t index, std::string_view member) {
  std::string path = std::string(list) + "[" + std::to_string(index) + "]";
  return member.empty() ? path : path + "." + std::string(member);
}

std::string member_path(std::string_view object, std::string_view member) {
  return object.empty() ? std::string(member) : std::string(object) + "." + std::string(member);
}

std::optional<Id> id_of(const Value& object, std::string_view member) { return parse_id(object.text_or(member, "")); }

bool is_given(const Value& object, std::string_view member) { return !object.text_or(member, "").empty(); }

void set_absent(Value& object, std::string_view member, Value value) {
  if (!object.has(member)) object.set(member, std::move(value));
}

void drop_nulls(Value& object, Names members) {
  for (const std::string_view member : members) {
    const Value* held = object.find(member);
    if (held != nullptr && held->is_null()) object.erase(member);
  }
}

void keep_from(Value& object, const Value* previous, Names members) {
  if (previous == nullptr) return;
  for (const std::string_view member : members) {
    if (object.find(member) != nullptr) continue;
    if (const Value* held = previous->find(member)) object.set(member, *held);
  }
}

const Value* before(const Surroundings& around, Names path) {
  return around.previous() == nullptr ? nullptr : around.previous()->find_path(path);
}

const Value::List& items_of(const Value& record, std::string_view list) {
  static const Value::List none;
  const Value* held = record.find(list);
  return held != nullptr && held->is_list() ? held->items() : none;
}

void check_distinct(const Value& record, std::string_view list, std::string_view member, Violations& violations,
                    std::string_view path) {
  const std::string list_path = member_path(path, list);
  const Value::List& items = items_of(record, list);
  for (std::size_t index = 0; index < items.size(); ++index) {
    if (!items[index].has(member)) continue;
    for (std::size_t earlier = 0; earlier < index; ++earlier) {
      const Value* other = items[earlier].find(member);
      if (other == nullptr || *other != *items[index].find(member)) continue;
      refuse(violations, item_path(list_path, index, member), "must differ from that of " + item_path(list_path, earlier));
      break;
    }
  }
}

void check_order(const Value& record, std::string_view smaller, std::string_view larger, Violations& violations) {
  const std::int64_t low = record.integer_or(smaller, 0);
  const std::int64_t high = record.integer_or(larger, low);
  if (low <= high) return;
  refuse(violations, smaller,
         "must be at most " + std::string(larger) + " (" + std::to_string(high) + "), not " + std::to_string(low));
}

void complete_ids(Value& items, const Value* previous, Names key, Surroundings& around) {
  Value::List earlier;
  if (previous != nullptr && previous->is_list()) earlier = previous->items();
  const auto take = [&earlier](const auto& is_wanted) -> std::optional<Value> {
    const auto found = std::find_if(earlier.begin(), earlier.end(), is_wanted);
    if (found == earlier.end() || !found->has("id")) return std::nullopt;
    Value id = *found->find("id");
    earlier.erase(found);
    return id;
  };
  std::vector<Value*> waiting;
  for (Value& item : items.items()) {
    const auto named = id_of(item, "id");
    if (const auto id = take([&](const Value& other) { return named && id_of(other, "id") == named; })) {
      item.set("id", *id);
    } else {
      waiting.push_back(&item);
    }
  }
  for (Value* item : waiting) {
    if (const auto id = take([&](const Value& other) { return is_same(other, *item, key); })) {
      item->set("id", *id);
    } else {
      item->set("id", Value(to_text(around.make_id())));
    }
  }
}

}  // namespace orlop::shapes
