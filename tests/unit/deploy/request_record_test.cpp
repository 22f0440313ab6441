// The stored text of a deployment request, and back.
#include "deploy/request/request_record.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace orlop {
namespace {

Id numbered(std::uint8_t last) {
  Id id = *parse_id("0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1000");
  id.bytes[15] = last;
  return id;
}

RequestBody a_request(std::size_t queuing) {
  RequestBody body;
  body.id = numbered(1);
  body.environment = numbered(2);
  body.action = Action::deploy;
  body.following = {numbered(3)};
  for (std::size_t at = 0; at < queuing; ++at) body.queuing.push_back(numbered(static_cast<std::uint8_t>(10 + at)));
  body.reason = "none";
  return body;
}

void expect_same(const RequestBody& read, const RequestBody& written) {
  EXPECT_EQ(read.queuing, written.queuing);
  EXPECT_EQ(read.following, written.following);
  EXPECT_EQ(read.stages, written.stages);
  EXPECT_EQ(to_json(read), to_json(written));
}

TEST(RequestRecord, ReadsWhatItWrote) {
  for (const std::size_t queuing : {0, 1, 2, 100}) {
    for (const char* stages : {"", "[]", R"([{"queuing":["x"]}])"}) {
      RequestBody body = a_request(queuing);
      body.stages = stages;
      const Result<RequestBody> read = parse_request(to_json(body));
      ASSERT_TRUE(read) << read.error().message;
      expect_same(*read, body);
    }
  }
}

// A store may have been edited by hand.
TEST(RequestRecord, ReadsAListThatSomethingElseWrote) {
  const std::string text = to_json(a_request(2));
  const std::size_t at = text.find("\"queuing\":[") + std::string_view("\"queuing\":[").size();
  const std::size_t second = at + 39;
  const auto read_with = [](std::string changed, std::size_t place, std::string_view inserted) { return parse_request(changed.insert(place, inserted)); };
  for (const std::size_t place : {at, second}) {
    const Result<RequestBody> read = read_with(text, place, " ");
    ASSERT_TRUE(read) << read.error().message;
    expect_same(*read, a_request(2));
  }
  EXPECT_FALSE(read_with(text, at, ","));
  std::string no_quote = text;
  no_quote[second] = ' ';
  EXPECT_FALSE(parse_request(no_quote));
  std::string no_comma = text;
  no_comma[second - 1] = ' ';
  EXPECT_FALSE(parse_request(no_comma));
  std::string no_end = text;
  no_end[second + 38] = ',';
  EXPECT_FALSE(parse_request(no_end));
}

}  // namespace
}  // namespace orlop
