#include "base/text/connection_string.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace orlop {
namespace {

TEST(ConnectionString, IsShownWithoutItsPassword) {
  const std::pair<const char*, const char*> texts[] = {
      {"", ""},
      {"no such host: db.example.com", "no such host: db.example.com"},
      {"cannot reach postgresql://orlop:s3cret@db/p: timed out", "cannot reach postgresql://orlop:***@db/p: timed out"},
      {"cannot reach postgresql://orlop@db/p", "cannot reach postgresql://orlop@db/p"},
      {"redis://:s3cret@cache:6379", "redis://:***@cache:6379"},
      {"a://u:p@ss/w@h \"b://u:p@h\" c://h:1/x", "a://u:***@h \"b://u:***@h\" c://h:1/x"},
      {"host=db password=s3cret user=a", "host=db password=*** user=a"},
      {"host=db PASSWORD='s3 cret' user=a", "host=db PASSWORD=*** user=a"},
      {R"(password='s3\'cret\\' user=a)", "password=*** user=a"},
      {"postgresql:///p?password=s3cret&user=a", "postgresql:///p?password=***&user=a"},
      {"password= is empty", "password= is empty"},
      {"password=", "password="},
      {"password='", "password=***"},
      {"https://example.com/a?time=10:00@noon", "https://example.com/a?time=10:***@noon"},
  };
  for (const auto& [text, shown] : texts) EXPECT_EQ(without_passwords(text), shown);
}

}  // namespace
}  // namespace orlop
