#include "rest/request.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "rest/problem.h"
#include "wire/json.h"

namespace orlop {
namespace {

TEST(Target, DecodesPathAndQuery) {
  const auto target = parse_target("/a%20b/c?x=1&y=a%2Bb+c&flag&=e&x=2");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/a b/c");
  EXPECT_EQ(target->query.find("x"), "1");
  EXPECT_EQ(target->query.find("y"), "a+b c");
  EXPECT_EQ(target->query.find("flag"), "");
  EXPECT_FALSE(target->query.find("z"));
}

TEST(Target, RefusesWhatCannotBeMeant) {
  for (const char* text :
       {"", "a", "/%", "/%4", "/%zz", "/%00", "/%0d%0a", "/%ff", "/%7F", "/\x7F", "/?a=%80", "/a\nb"}) {
    const auto target = parse_target(text);
    ASSERT_FALSE(target) << text;
    EXPECT_EQ(target.error().code, ErrorCode::invalid);
  }
  EXPECT_TRUE(parse_target("/" + std::string(path_size_max - 1, 'a')));
  EXPECT_FALSE(parse_target("/" + std::string(path_size_max, 'a')));
}

TEST(Problem, RepeatsTheMessageAndCarriesEveryViolation) {
  const Error error{ErrorCode::invalid,
                    "size must be 1 to 2, not 3 (and 1 more)",
                    {{"size", "must be 1 to 2, not 3"}, {"name", "is required"}}};
  const auto body = parse_json(problem_body(error));
  ASSERT_TRUE(body);
  EXPECT_EQ(body->integer_or("status", 0), 400);
  EXPECT_EQ(body->text_or("error", ""), "Bad Request");
  EXPECT_EQ(body->text_or("message", ""), body->text_or("detail", "x"));
  EXPECT_EQ(body->find("violations")->items().size(), 2U);
}

TEST(Problem, SaysHowManyViolationsItLeavesOut) {
  Violations violations;
  for (int at = 0; at < 250; ++at)
    violations.push_back({"ports[" + std::to_string(at) + "].name", "must be a text, not an integer"});
  const auto body = parse_json(problem_body({ErrorCode::invalid, "too much", violations}));
  ASSERT_TRUE(body);
  EXPECT_EQ(body->find("violations")->items().size(), 100U);
  EXPECT_EQ(body->integer_or("violations_omitted", 0), 150);
  const auto few = parse_json(problem_body({ErrorCode::invalid, "once", {{"name", "is required"}}}));
  ASSERT_TRUE(few);
  EXPECT_EQ(few->find("violations_omitted"), nullptr);
}

TEST(Problem, OnlyABadRequestHasViolations) {
  EXPECT_EQ(
      problem_body(make_error(ErrorCode::not_found, "there is no such thing")),
      R"({"status":404,"error":"Not Found","message":"there is no such thing","detail":"there is no such thing"})");
}

}  // namespace
}  // namespace orlop
