// The stored text of a deployment request: writing and parsing.
#include "deploy/request/request_record.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json.h"

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

TEST(RequestRecord, ReadsEveryMemberAsItWroteIt) {
  RequestBody body = a_request(1);
  body.created_at = *parse_instant("2026-01-01T00:00:00.001Z");
  body.action = Action::uninstall;
  body.origin = "CONSOLE";
  body.execution_id = make_execution_id(body.id, body.created_at);
  body.whole_environment = body.has_rows = body.has_following_rows = true;
  body.services = {numbered(7)};
  body.overrides =
      *parse_json(R"({"0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1007":{"tag":"1.0 \"new\"","list":[1,null,true]}})");
  body.forced = ForcedEvent::cron;
  body.cancel = CancelMode::interruptible;
  body.started_at = Instant{INT64_MAX};  // beyond the instants that have a text
  body.ended_at = *parse_instant("2026-01-01T00:10:00.000Z");
  body.status = ServiceState::deployment_error;
  for (const char* text : {"", "plain", "two \"quotes\"", "a \\ at the end \\", "lines\nand\ttabs", "\x01", "äöü €",
                           "comma, colon: {brace} [list]", "\x7F"}) {
    body.triggered_by = body.reason = text;
    const Result<RequestBody> read = parse_request(to_json(body));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->triggered_by, text);
    EXPECT_EQ(read->action, Action::uninstall);
    EXPECT_EQ(read->cancel, CancelMode::interruptible);
    EXPECT_EQ(read->status, ServiceState::deployment_error);
    EXPECT_EQ(read->started_at, body.started_at);
    EXPECT_EQ(read->overrides, body.overrides);
    expect_same(*read, body);
  }
}

// As after manual edits: a value that is not a text of the member's kind, and an unknown member.
TEST(RequestRecord, RefusesWhatIsNoRequest) {
  const std::string text = to_json(a_request(0));
  const auto with = [&](std::string_view was, std::string_view is) {
    std::string changed = text;
    const std::size_t at = changed.find(was);
    EXPECT_NE(at, std::string::npos) << was;
    return parse_request(changed.replace(at, was.size(), is));
  };
  EXPECT_FALSE(with(R"("reason":"none")", R"("reason":"no"ne")"));
  EXPECT_FALSE(with(R"("reason":"none")", R"("reason":"no" "ne")"));
  EXPECT_FALSE(with(R"("reason":"none")", "\"reason\":\"no\nne\""));
  EXPECT_FALSE(with(R"("reason":"none")", "\"reason\":\"no\xFFne\""));
  EXPECT_FALSE(with(R"("reason":"none"})", R"("reason":"none")"));
  EXPECT_FALSE(with(R"("reason":"none"})", R"("reason":"none"}})"));
  EXPECT_FALSE(with(R"("reason":"none")", R"("reason":none)"));
  const Result<RequestBody> added = with(R"("reason":"none")", R"("reason":"none","seen":true)");
  ASSERT_TRUE(added) << added.error().message;
  expect_same(*added, a_request(0));
  for (const char* list : {"[]", "null"}) {
    RequestBody read_with = a_request(0);
    const Result<RequestBody> planned = with(R"("reason":"none")", R"("reason":"none","planned":)" + std::string(list));
    ASSERT_TRUE(planned) << planned.error().message;
    add_planned(read_with, "");
    EXPECT_EQ(planned->planned, "");
  }
}

// A store may have been edited manually.
TEST(RequestRecord, ReadsAListThatSomethingElseWrote) {
  const std::string text = to_json(a_request(2));
  const std::size_t at = text.find("\"queuing\":[") + std::string_view("\"queuing\":[").size();
  const std::size_t second = at + 39;
  const auto read_with = [](std::string changed, std::size_t place, std::string_view inserted) {
    return parse_request(changed.insert(place, inserted));
  };
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

TEST(RequestRecord, ReadsListsOfAnyLengthHoweverTheyAreWritten) {
  for (const bool is_plain : {true, false}) {
    for (const std::size_t count : {0, 1, 7}) {
      RequestBody body = a_request(count);
      body.services = {numbered(4), numbered(5)};
      body.stages = "[]";
      std::string text = to_json(body);
      if (!is_plain) text.insert(text.find('[', text.find("\"queuing\"")) + 1, " ");
      const Result<RequestBody> read = parse_request(text);
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(read->queuing, body.queuing);
      EXPECT_EQ(read->services, body.services);
      expect_same(*read, body);
    }
  }
}

constexpr std::string_view one_planned =
    R"([{"id":"0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1000","name":"say {\"id\":","stage_order":1}])";

TEST(RequestRecord, KeepsWhatIsPlannedAsText) {
  RequestBody body = a_request(2);
  add_planned(body, "");
  EXPECT_EQ(body.planned, "");
  EXPECT_EQ(planned_count(body), 0U);
  for (std::size_t count = 1; count <= 3; ++count) {
    add_planned(body, one_planned);
    EXPECT_EQ(planned_count(body), count);
    const Result<RequestBody> read = parse_request(to_json(body));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->planned, body.planned);
    expect_same(*read, body);
  }
  // As after manual edits: the members in another order.
  const Result<RequestBody> moved =
      parse_request(R"({"planned":)" + std::string(one_planned) +
                    R"(,"queuing":[],"services":["0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1000"]})");
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->planned, one_planned);
  EXPECT_EQ(moved->services.size(), 1U);
}

// As after manual edits: the members in another order.
TEST(RequestRecord, ReadsListsInAnyOrder) {
  const RequestBody body = a_request(2);
  std::string text = to_json(body);
  const std::size_t at = text.find("\"following\":");
  const std::size_t end = text.find(']', at) + 2;
  const std::string moved = text.substr(at, end - at - 1);
  text.erase(at, end - at);
  text.insert(text.size() - 1, "," + moved);
  const Result<RequestBody> read = parse_request(text);
  ASSERT_TRUE(read) << read.error().message;
  expect_same(*read, body);
}

}  // namespace
}  // namespace orlop
