// A snapshot without a key keeps the positions of secrets.
#include "model/missing_secret.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string outline(const std::string& secrets) { return to_json(without_values(parse_stored(secrets).value())); }

TEST(MissingSecret, StandsInTheOutlineWhereAValueWas) {
  EXPECT_EQ(outline(R"({"config":{"password":"p"},"keys":["a",{"b":1}]})"),
            R"({"config":{"password":{"missing_secret":true}},"keys":[{"missing_secret":true},{"b":{"missing_secret":)"
            R"(true}}]})");
  EXPECT_EQ(outline(R"({"config":{"password":{"missing_secret":true}}})"),
            R"({"config":{"password":{"missing_secret":true}}})");
}

TEST(MissingSecret, IsNoneThatWasEmptyOrNull) {
  EXPECT_EQ(outline(R"({"value":"","token":null,"config":{}})"), R"({"value":"","token":null,"config":{}})");
  EXPECT_EQ(count_missing(parse_stored(R"({"value":"","token":null,"config":{}})").value()), 0U);
  EXPECT_EQ(count_missing(without_values(parse_stored(R"({"a":"","b":"1","c":["2"]})").value())), 2U);
}

}  // namespace
}  // namespace orlop
