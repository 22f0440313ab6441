#include "releases/json_patch.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "releases/configuration_digest.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct Case {
  const char* before;
  const char* after;
  const char* patch;
};

constexpr Case cases[] = {
    {R"({"a":1})", R"({"a":1})", R"([])"},
    {R"({"a":1,"b":2})", R"({"b":2,"a":1})", R"([])"},
    {R"({"a":1})", R"({"a":"1"})", R"([{"op":"replace","path":"/a","value":"1"}])"},
    {R"({"a":null})", R"({})", R"([{"op":"remove","path":"/a"}])"},
    {R"({})", R"({"a":null})", R"([{"op":"add","path":"/a","value":null}])"},
    {R"({"a/b":{"~":1}})", R"({"a/b":{"~":2}})", R"([{"op":"replace","path":"/a~1b/~0","value":2}])"},
    {R"({"":1})", R"({"":2})", R"([{"op":"replace","path":"/","value":2}])"},
    {R"([1,2,3])", R"([1,9,3])", R"([{"op":"replace","path":"/1","value":9}])"},
    {R"([1,3])", R"([1,2,3])", R"([{"op":"add","path":"/1","value":2}])"},
    {R"([1,2,3])", R"([1,3])", R"([{"op":"remove","path":"/1"}])"},
    {R"([1,1])", R"([1,1,1])", R"([{"op":"add","path":"/2","value":1}])"},
    {R"([1,2,3,4])", R"([])",
     R"([{"op":"remove","path":"/3"},{"op":"remove","path":"/2"},{"op":"remove","path":"/1"},)"
     R"({"op":"remove","path":"/0"}])"},
    {R"([{"k":1},{"k":2},{"k":3}])", R"([{"k":1},{"k":5}])",
     R"([{"op":"replace","path":"/1/k","value":5},{"op":"remove","path":"/2"}])"},
    {R"({"a":[1]})", R"({"a":{"0":1}})", R"([{"op":"replace","path":"/a","value":{"0":1}}])"},
    {R"(1)", R"([])", R"([{"op":"replace","path":"","value":[]}])"},
};

TEST(JsonPatch, HasTheOperationsThatTurnOneValueIntoTheOther) {
  for (const Case& row : cases) {
    Value value = parse_json(row.before).value();
    const Value after = parse_json(row.after).value();
    const Value patch = patch_between(value, after);
    EXPECT_EQ(to_json(patch), row.patch) << row.before << " to " << row.after;
    ASSERT_TRUE(apply_patch(value, patch)) << row.before;
    EXPECT_EQ(canonical_json(value), canonical_json(after));
  }
}

TEST(JsonPatch, RefusesWhatDoesNotFit) {
  for (const char* patch :
       {R"([{"op":"replace","path":"/b","value":1}])", R"([{"op":"remove","path":"/b"}])",
        R"([{"op":"add","path":"/a/1","value":1}])", R"([{"op":"add","path":"/list/3","value":1}])",
        R"([{"op":"remove","path":"/list/2"}])", R"([{"op":"remove","path":"/list/-"}])",
        R"([{"op":"remove","path":"/list/01x"}])", R"([{"op":"remove","path":""}])",
        R"([{"op":"replace","path":"a","value":1}])", R"([{"op":"replace","path":"/~2","value":1}])",
        R"([{"op":"replace","path":"/~","value":1}])", R"([{"op":"replace","path":"/a"}])",
        R"([{"op":"move","path":"/a","value":1}])", R"([{"path":"/a","value":1}])", R"([1])"}) {
    Value value = parse_json(R"({"a":1,"list":[1,2]})").value();
    const auto applied = apply_patch(value, parse_json(patch).value());
    ASSERT_FALSE(applied) << patch;
    EXPECT_EQ(applied.error().code, ErrorCode::storage_corrupt) << patch;
  }
}

class Values {
 public:
  explicit Values(std::uint32_t seed) : random_(seed) {}

  Value next(int depth) {
    const auto kind = random_() % (depth > 0 ? 8 : 5);
    if (kind == 0) return Value();
    if (kind == 1) return Value(random_() % 2 == 0);
    if (kind <= 3) return Value(static_cast<std::int64_t>(random_() % 3));
    if (kind == 4) return Value(std::string(random_() % 3, 'x'));
    Value made = kind == 5 ? Value::list() : Value::object();
    for (auto count = random_() % 5; count > 0; --count) {
      if (made.is_list()) made.append(next(depth - 1));
      else made.set(std::string(1, "a/~bc"[random_() % 5]), next(depth - 1));
    }
    return made;
  }
  // Changes some members and items.
  void change(Value& value) {
    if (random_() % 4 == 0) value = next(2);
    for (Member& member : value.is_object() ? value.members() : none_.members()) change(member.value);
    for (Value& item : value.is_list() ? value.items() : none_.items()) change(item);
    if (value.is_list() && random_() % 3 == 0) {
      const auto at = static_cast<std::ptrdiff_t>(random_() % (value.items().size() + 1));
      value.items().insert(value.items().begin() + at, next(1));
    }
    none_ = Value();
  }

 private:
  std::mt19937 random_;
  Value none_;
};

TEST(JsonPatch, TurnsAnyValueIntoAnyOther) {
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    Values values(seed);
    const Value before = values.next(4);
    Value after = before;
    values.change(after);
    Value value = before;
    const Value patch = patch_between(before, after);
    ASSERT_TRUE(apply_patch(value, patch)) << "seed " << seed;
    ASSERT_EQ(canonical_json(value), canonical_json(after)) << "seed " << seed << ": " << to_json(before);
    EXPECT_EQ(patch.items().empty(), canonical_json(before) == canonical_json(after)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace orlop
