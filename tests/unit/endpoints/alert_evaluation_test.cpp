#include <gtest/gtest.h>

#include <string>

#include "endpoints/alerts/parts/evaluation.h"
#include "wire/json.h"

namespace orlop {
namespace {

Evaluation evaluated(std::string_view comparison, std::string_view function, const std::vector<double>& samples) {
  Value condition = Value::object();
  condition.set("operator", Value(comparison));
  condition.set("function", Value(function));
  condition.set("threshold", Value(std::int64_t{2}));
  return evaluate(condition, samples);
}

TEST(AlertEvaluation, ComparesWhatTheFunctionMakesOfTheSamples) {
  const std::vector<double> samples = {1, 2, 3};
  EXPECT_TRUE(evaluated("ABOVE", "NONE", samples).holds);
  EXPECT_EQ(evaluated("ABOVE", "NONE", samples).value, 3);
  EXPECT_TRUE(evaluated("ABOVE", "MAX", samples).holds);
  EXPECT_FALSE(evaluated("ABOVE", "AVG", samples).holds);
  EXPECT_TRUE(evaluated("ABOVE_OR_EQUAL", "AVG", samples).holds);
  EXPECT_TRUE(evaluated("BELOW", "MIN", samples).holds);
  EXPECT_FALSE(evaluated("BELOW_OR_EQUAL", "SUM", samples).holds);
  EXPECT_EQ(evaluated("ABOVE", "COUNT", samples).value, 3);
  EXPECT_TRUE(evaluated("EQUAL", "NONE", samples).holds);
  EXPECT_FALSE(evaluated("EQUAL", "MAX", samples).holds);
}

TEST(AlertEvaluation, WithoutASampleOnlyACountCompares) {
  EXPECT_FALSE(evaluated("NONE", "NONE", {}).holds);
  EXPECT_TRUE(evaluated("NONE", "NONE", {0}).holds);
  EXPECT_FALSE(evaluated("BELOW", "MAX", {}).holds);
  EXPECT_TRUE(evaluated("BELOW", "COUNT", {}).holds);
  EXPECT_FALSE(evaluated("NONE", "COUNT", {}).holds);
}

TEST(AlertEvaluation, ReadsAnswersOfPrometheusAndNothingElse) {
  const auto infinite = samples_of(
      R"({"status":"success","data":{"resultType":"vector","result":[{"value":[1,"-Inf"]},{"value":[1,"+Inf"]}]}})");
  ASSERT_TRUE(infinite);
  EXPECT_GT(infinite->back(), 1e300);
  EXPECT_LT(infinite->front(), -1e300);
  EXPECT_EQ(
      samples_of(
          R"({"status":"success","data":{"resultType":"vector","result":[{"value":[1,"0.5"]},{"value":[1,"2e3"]}]}})"),
      (std::vector<double>{0.5, 2000}));
  EXPECT_EQ(samples_of(R"({"status":"success","data":{"resultType":"scalar","result":[1,"7"]}})"),
            std::vector<double>{7});
  EXPECT_EQ(samples_of(R"({"status":"success","data":{"resultType":"vector","result":[]}})"), std::vector<double>());
  for (const std::string_view bad :
       {"", "null", "[]", "no json", R"({"status":"error"})", R"({"status":"success"})",
        R"({"status":"success","data":{"result":{}}})", R"({"status":"success","data":{"result":[1]}})",
        R"({"status":"success","data":{"result":[{"value":["1"]}]}})",
        R"({"status":"success","data":{"result":[{"value":[1,"1x"]}]}})"}) {
    EXPECT_FALSE(samples_of(bad)) << bad;
  }
}

TEST(AlertEvaluation, MeasuresDurations) {
  EXPECT_EQ(length_of("PT5M").milliseconds, 300'000);
  EXPECT_EQ(length_of("PT1H30M").milliseconds, 5'400'000);
  EXPECT_EQ(length_of("P1DT2S").milliseconds, 86'402'000);
  EXPECT_EQ(length_of("PT0.5S").milliseconds, 500);
  EXPECT_EQ(length_of("P1M").milliseconds, 30 * std::int64_t{86'400'000});
  EXPECT_EQ(length_of("PT0S").milliseconds, 0);
  EXPECT_EQ(length_of("").milliseconds, 0);
  EXPECT_EQ(length_of("P99999999999999999999Y").milliseconds, 366 * std::int64_t{86'400'000});
}

}  // namespace
}  // namespace orlop
