#include "model/value.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace orlop {
namespace {

// Lengths around those at which a name changes its representation.
std::vector<std::string> texts() {
  std::vector<std::string> made;
  for (const std::size_t size : {0U, 1U, 15U, 16U, 22U, 23U, 24U, 25U, 64U, 300U}) made.emplace_back(size, 'n');
  return made;
}

TEST(Name, HoldsItsTextOfAnyLengthWhenTheTextHasGone) {
  for (std::string text : texts()) {
    const std::string expected = text;
    const Name name(text);
    text.assign(text.size(), 'x');
    EXPECT_EQ(name.view(), expected);
    EXPECT_FALSE(name.is_lasting());
  }
}

TEST(Name, RefersToALastingText) {
  for (const std::string& text : texts()) {
    const Name name = Name::lasting(text);
    EXPECT_EQ(name.view().data(), text.data());
    EXPECT_TRUE(name == Name(text));
    EXPECT_TRUE(name.is_lasting());
    EXPECT_TRUE(Name(name).is_lasting());
  }
}

TEST(Name, IsCopiedMovedAndAssignedInEveryForm) {
  std::vector<Name> names;
  const std::vector<std::string> kept = texts();
  for (const std::string& text : kept) names.emplace_back(text);
  for (const std::string& text : kept) names.push_back(Name::lasting(text));
  for (const Name& from : names) {
    for (const Name& to : names) {
      const std::string expected(from);
      Name source = from;
      Name copied = to;
      copied = source;
      EXPECT_EQ(copied.view(), expected);
      EXPECT_EQ(source.view(), expected);
      Name moved = to;
      moved = std::move(source);
      EXPECT_EQ(moved.view(), expected);
      const Name made(std::move(moved));
      EXPECT_EQ(made.view(), expected);
    }
  }
}

TEST(Name, IsEqualToItsTextOnly) {
  EXPECT_TRUE(Name("cpu") == "cpu");
  EXPECT_FALSE(Name("cpu") == "cpus");
  EXPECT_FALSE(Name("cpu") == "cpv");
  EXPECT_FALSE(Name::lasting("maximum_running_instances") == Name("maximum_running_instancez"));
}

TEST(Value, KeepsTheNamesOfItsMembersWhenItIsCopied) {
  Value value = Value::object();
  for (const std::string& text : texts()) value.set(text, Value(text));
  const Value copy = value;
  value = Value();
  for (const std::string& text : texts()) EXPECT_EQ(copy.text_or(text, "none"), text);
}

// Names with equal marks, and names of one size with the same first and last letter.
TEST(Value, FindsEachOfItsMembersByName) {
  Value object = Value::object();
  std::vector<std::string> names = texts();
  for (const char* name : {"abba", "acca", "a", "aa", "b", "ba", "ab"}) names.emplace_back(name);
  for (std::size_t at = 0; at < 100; ++at) names.push_back("n" + std::to_string(at) + "n");
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at % 2 == 0) object.add(Name::lasting(names[at]), Value(static_cast<std::int64_t>(at)));
    else object.add(names[at], Value(static_cast<std::int64_t>(at)));
  }
  for (std::size_t at = 0; at < names.size(); ++at)
    EXPECT_EQ(object.integer_or(names[at], -1), static_cast<std::int64_t>(at)) << names[at];
  for (const char* name : {"adda", "bb", "n100n", "c"}) EXPECT_EQ(object.find(name), nullptr) << name;
  object.add(Name::lasting("empty"));
  EXPECT_TRUE(object.find("empty")->is_null());
}

}  // namespace
}  // namespace orlop
