#include "families/shapes/rule_functions.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace orlop::shapes {
namespace {

// Equal values have the same hash.
std::size_t hash_of(const Value& value) {
  constexpr std::size_t factor = 31;
  auto hash = static_cast<std::size_t>(value.type());
  const auto mix = [&hash](std::size_t part) { hash = hash * factor + part; };
  switch (value.type()) {
    case Value::Type::null: break;
    case Value::Type::boolean: mix(value.as_boolean() ? 1 : 0); break;
    case Value::Type::integer: mix(std::hash<std::int64_t>()(value.as_integer())); break;
    case Value::Type::number: mix(std::hash<double>()(value.as_number())); break;
    case Value::Type::text: mix(std::hash<std::string>()(value.as_text())); break;
    case Value::Type::list:
      for (const Value& item : value.items()) mix(hash_of(item));
      break;
    case Value::Type::object:
      for (const Member& member : value.members()) {
        mix(std::hash<std::string_view>()(member.name));
        mix(hash_of(member.value));
      }
      break;
  }
  return hash;
}

// Hashes and compares members by value.
struct HashValue {
  std::size_t operator()(const Value* value) const { return hash_of(*value); }
};
struct EqualValues {
  bool operator()(const Value* left, const Value* right) const { return *left == *right; }
};

// The ids of a list's items, each assigned once: by the id itself, or by the members of the key.
class EarlierItems {
 public:
  EarlierItems(const Value::List& items, Names key) : items_(items), key_(key), is_taken_(items.size(), false) {
    by_id_.reserve(items.size());
    by_key_.reserve(items.size());
    for (std::size_t at = items.size(); at-- > 0;) {  // backward: of equal items the first one is found first
      if (const auto id = id_of(items[at], "id")) by_id_[*id] = at;
      by_key_[hash_of_key(items[at])].push_back(at);
    }
  }

  const Value* take(const Id& id) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : take_at(found->second);
  }
  const Value* take_like(const Value& item) {
    const auto found = by_key_.find(hash_of_key(item));
    if (found == by_key_.end()) return nullptr;
    std::vector<std::size_t>& places = found->second;
    while (!places.empty() && is_taken_[places.back()]) places.pop_back();
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
      if (!is_taken_[*place] && is_same(items_[*place], item)) return take_at(*place);
    }
    return nullptr;
  }

 private:
  const Value* take_at(std::size_t at) {
    const Value* id = items_[at].find("id");
    if (is_taken_[at] || id == nullptr || id->is_null()) return nullptr;
    is_taken_[at] = true;
    return id;
  }
  std::size_t hash_of_key(const Value& item) const {
    std::size_t hash = 0;
    for (const std::string_view member : key_) {
      const Value* held = item.find(member);
      hash = hash * 31 + (held == nullptr ? 0 : hash_of(*held));
    }
    return hash;
  }
  bool is_same(const Value& left, const Value& right) const {
    return std::all_of(key_.begin(), key_.end(), [&](std::string_view member) {
      const Value* one = left.find(member);
      const Value* other = right.find(member);
      return one == nullptr || other == nullptr ? one == other : *one == *other;
    });
  }

  const Value::List& items_;
  Names key_;
  std::vector<bool> is_taken_;
  std::unordered_map<Id, std::size_t> by_id_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_key_;  // by hash of the key; the first one last
};

}  // namespace

void refuse(Violations& violations, std::string_view field, std::string reason) {
  violations.push_back({std::string(field), std::move(reason)});
}

std::string quoted(std::string_view text) {
  constexpr std::size_t size_max = 80;
  if (text.size() <= size_max) return "\"" + std::string(text) + "\"";
  std::size_t size = size_max;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;  // never split a character
  return "\"" + std::string(text.substr(0, size)) + "…\"";
}

bool check_no_password(std::string_view url, std::string_view field, std::string_view instead, Violations& violations) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return true;
  const std::string_view rest = url.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t user_end = authority.rfind('@');
  if (user_end == std::string_view::npos || authority.substr(0, user_end).find(':') == std::string_view::npos)
    return true;
  refuse(violations, field,
         "must not hold a password, which answers would show; " + std::string(instead) + " takes it");
  return false;
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

void set_place(Value& record, std::string_view member, ValidationContext& context) {
  if (context.previous() == nullptr) record.set(member, Value(static_cast<std::int64_t>(context.sibling_count())));
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

const Value* before(const ValidationContext& context, Names path) {
  return context.previous() == nullptr ? nullptr : context.previous()->find_path(path);
}

const Value::List& items_of(const Value& record, std::string_view list) {
  static const Value::List none;
  const Value* held = record.find(list);
  return held != nullptr && held->is_list() ? held->items() : none;
}

void check_distinct(const Value& record, std::string_view list, std::string_view member, Violations& violations,
                    std::string_view path) {
  const Value::List& items = items_of(record, list);
  if (items.size() < 2) return;
  const std::string list_path = member_path(path, list);
  std::unordered_map<const Value*, std::size_t, HashValue, EqualValues> first;  // by the member's value
  for (std::size_t index = 0; index < items.size(); ++index) {
    if (!items[index].has(member)) continue;
    const auto [earlier, is_new] = first.try_emplace(items[index].find(member), index);
    if (is_new) continue;
    refuse(violations, item_path(list_path, index, member),
           "must differ from that of " + item_path(list_path, earlier->second));
  }
}

void check_growth(const Value& record, Names path, ValidationContext& context, Violations& violations) {
  const Value* given = record.find_path(path);
  const Value* stored = before(context, path);
  const bool is_compared = given != nullptr && stored != nullptr && given->type() == Value::Type::integer &&
                           stored->type() == Value::Type::integer;
  if (!is_compared || given->as_integer() >= stored->as_integer() || !context.may_have_data()) return;
  std::string name;
  for (const std::string_view member : path) name = name.empty() ? std::string(member) : member_path(name, member);
  refuse(violations, name,
         "must be at least " + std::to_string(stored->as_integer()) + ", the size of the existing volume, not " +
             std::to_string(given->as_integer()));
}

void check_order(const Value& record, std::string_view smaller, std::string_view larger, Violations& violations) {
  const std::int64_t low = record.integer_or(smaller, 0);
  const std::int64_t high = record.integer_or(larger, low);
  if (low <= high) return;
  refuse(violations, smaller,
         "must be at most " + std::string(larger) + " (" + std::to_string(high) + "), not " + std::to_string(low));
}

void complete_ids(Value& items, const Value* previous, Names key, ValidationContext& context) {
  static const Value::List none;
  if (items.items().empty()) return;
  EarlierItems earlier(previous != nullptr && previous->is_list() ? previous->items() : none, key);
  std::vector<Value*> waiting;
  for (Value& item : items.items()) {
    const auto named = id_of(item, "id");
    if (const Value* id = named ? earlier.take(*named) : nullptr) {
      item.set("id", *id);
    } else {
      waiting.push_back(&item);
    }
  }
  for (Value* item : waiting) {
    const Value* id = earlier.take_like(*item);
    item->set("id", id != nullptr ? *id : Value(to_text(context.make_id())));
  }
}

}  // namespace orlop::shapes
