#include "model/value.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace orlop {
namespace {

// Lengths around those at which a name changes its form.
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

}  // namespace
}  // namespace orlop
