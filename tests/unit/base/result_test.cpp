#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace orlop {
namespace {

struct Counted {
  Counted() { ++there; }
  Counted(const Counted&) { ++there; }
  Counted(Counted&&) noexcept { ++there; }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&&) = default;
  ~Counted() { --there; }
  static inline int there = 0;
};

Result<std::string> text(bool is_there) {
  if (!is_there) return make_error(ErrorCode::not_found, "no text");
  return std::string("a text that is too long to lie inside of its string");
}

Result<std::size_t> length(bool is_there) {
  ORLOP_TRY(found, text(is_there));
  return found.size();
}

Result<void> require(bool is_there) {
  ORLOP_CHECK(length(is_there));
  return {};
}

TEST(Result, HasAValueOrTheErrorThatWasHandedOn) {
  EXPECT_EQ(*length(true), 51U);
  EXPECT_TRUE(require(true));
  const Result<void> refused = require(false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_EQ(refused.error().message, "no text");
}

TEST(Result, IsAsSmallAsItsValueAndOnePointer) {
  EXPECT_EQ(sizeof(Result<void>), sizeof(void*));
  EXPECT_EQ(sizeof(Result<void*>), 2 * sizeof(void*));
}

TEST(Result, DestroysItsValueOnce) {
  {
    Result<Counted> made{Counted()};
    EXPECT_EQ(Counted::there, 1);
    Result<Counted> copied = made;
    Result<Counted> moved = std::move(made);
    EXPECT_EQ(Counted::there, 3);
    copied = Result<Counted>(invalid("not this one"));
    EXPECT_EQ(Counted::there, 2);
    copied = std::move(moved);
    EXPECT_EQ(Counted::there, 3);
    EXPECT_TRUE(copied);
  }
  EXPECT_EQ(Counted::there, 0);
}

TEST(Result, OneWhoseErrorWasMovedAwayHasNoValueEither) {
  Result<Counted> first(invalid("a reason"));
  Result<Counted> second = std::move(first);
  EXPECT_FALSE(first);
  EXPECT_EQ(first.error().code, ErrorCode::out_of_memory);
  ASSERT_FALSE(second);
  EXPECT_EQ(std::move(second).error().message, "a reason");
  EXPECT_FALSE(second);
  Result<Counted> third = std::move(first);  // moved a second time
  EXPECT_FALSE(third);
  EXPECT_EQ(Counted::there, 0);
}

TEST(Result, ACopyHasAnErrorOfItsOwn) {
  std::optional<Result<void>> first(std::in_place,
                                    Error{ErrorCode::invalid, "refused", {{"name", "must not be empty"}}});
  const Result<void> second = *first;
  first.reset();
  ASSERT_EQ(second.error().violations.size(), 1U);
  EXPECT_EQ(second.error().violations.front().field, "name");
}

TEST(Result, HoldsWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> made(std::make_unique<int>(7));
  const Result<std::unique_ptr<int>> moved = std::move(made);
  EXPECT_EQ(**moved, 7);
}

}  // namespace
}  // namespace orlop
