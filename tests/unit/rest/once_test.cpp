// Writes with a single effect: ETags with If-Match, and Idempotency-Key.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "model/role.h"
#include "unit/rest/guarded.h"

namespace orlop::tests {
namespace {

constexpr std::int64_t day = 24 * 60 * 60 * 1000;
constexpr std::int64_t start = 1'767'225'600'000;

class Once : public ::testing::Test {
 protected:
  std::string projects() const { return "/organization/" + guarded_.organization() + "/project"; }
  std::string new_project(std::string_view name) {
    return "/project/" + guarded_.make(projects(), R"({"name": ")" + std::string(name) + "\"}");
  }
  Reply with_key(std::string_view key, std::string_view method, std::string_view path, std::string_view body = "") {
    return guarded_.ask_with({{"Idempotency-Key", key}}, method, path, body);
  }
  Reply if_match(std::string_view tags, std::string_view method, std::string_view path, std::string_view body = "") {
    return guarded_.ask_with({{"If-Match", tags}}, method, path, body);
  }
  std::size_t count_of_projects() { return parsed(guarded_.ask("GET", projects())).find("results")->items().size(); }
  // Counts the stored answers in a snapshot with plain secrets, which holds them.
  std::size_t kept_answers() {
    const std::string snapshot = guarded_.engine().snapshot(PlainSecrets::included).value();
    std::size_t count = 0;
    for (std::size_t at = snapshot.find("\"kept_answer\""); at != std::string::npos;
         at = snapshot.find("\"kept_answer\"", at + 1))
      ++count;
    return count;
  }

  Guarded guarded_;
};

TEST_F(Once, a_resource_has_an_etag_that_each_change_raises) {
  const Reply created = guarded_.ask("POST", projects(), R"({"name": "shop"})");
  EXPECT_EQ(header_of(created, "etag"), "\"1\"");
  const std::string project = "/project/" + std::string(parsed(created).text_or("id", ""));
  EXPECT_EQ(header_of(guarded_.ask("GET", project), "etag"), "\"1\"");
  EXPECT_EQ(header_of(guarded_.ask("PUT", project, R"({"name": "store"})"), "etag"), "\"2\"");
  EXPECT_EQ(header_of(guarded_.ask("PUT", project, R"({"name": "store"})"), "etag"), "\"2\"") << "nothing was changed";
  EXPECT_EQ(header_of(guarded_.ask("GET", projects()), "etag"), "") << "a list";
}

TEST_F(Once, a_write_of_what_has_changed_meanwhile_is_refused) {
  const std::string project = new_project("shop");
  ASSERT_EQ(if_match("\"1\"", "PUT", project, R"({"name": "store"})").status, 200);
  const Reply late = if_match("\"1\"", "PUT", project, R"({"name": "market"})");
  EXPECT_EQ(late.status, 412);
  EXPECT_NE(late.body.find(R"(has the ETag \"2\")"), std::string::npos) << late.body;
  EXPECT_EQ(parsed(guarded_.ask("GET", project)).text_or("name", ""), "store");
  EXPECT_EQ(if_match("\"1\"", "DELETE", project).status, 412);
  EXPECT_EQ(if_match("W/\"2\"", "DELETE", project).status, 412) << "a weak tag matches nothing";
  EXPECT_EQ(if_match("\"x\"", "DELETE", project).status, 412);
  EXPECT_EQ(if_match("\"7\" , \"2\"", "PUT", project, R"({"name": "bazaar"})").status, 200);
  EXPECT_EQ(if_match("*", "DELETE", project).status, 204);
  EXPECT_EQ(if_match("*", "DELETE", project).status, 404) << "there is none";
  EXPECT_EQ(if_match("*", "POST", "/organization", R"({"name": "new", "plan": "FREE"})").status, 412)
      << "the path names none";
}

TEST_F(Once, the_condition_holds_for_actions_and_for_what_is_created_below) {
  (void)guarded_.id_for(Route(), "clusterId");
  const std::string project = new_project("shop");
  EXPECT_EQ(if_match("\"2\"", "POST", project + "/environment", R"({"name": "staging"})").status, 412);
  const Reply made = if_match("\"1\"", "POST", project + "/environment", R"({"name": "staging"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string environment = "/environment/" + std::string(parsed(made).text_or("id", ""));
  EXPECT_EQ(if_match("\"9\"", "POST", environment + "/deploy").status, 412);
  EXPECT_EQ(if_match("\"1\"", "POST", environment + "/deploy").status, 202);
}

TEST_F(Once, a_header_that_is_no_list_of_tags_is_refused) {
  const std::string project = new_project("shop");
  for (const std::string_view tags : {"", " ", "1", "\"1", "\"1\" \"2\"", "W/1"}) {
    const Reply reply = if_match(tags, "DELETE", project);
    EXPECT_EQ(reply.status, 400) << tags;
    EXPECT_NE(reply.body.find("If-Match"), std::string::npos) << reply.body;
  }
}

TEST_F(Once, settings_that_were_never_written_have_the_tag_of_zero) {
  const std::string container = "/container/" + guarded_.id_for(Route(), "containerId");
  const std::string settings = container + "/advancedSettings";
  const Reply read = guarded_.ask("GET", settings);
  EXPECT_EQ(header_of(read, "etag"), "\"0\"");
  EXPECT_EQ(if_match("\"1\"", "PUT", settings, read.body).status, 412);
  const Reply written = if_match("\"0\"", "PUT", settings, read.body);
  EXPECT_EQ(header_of(written, "etag"), "\"1\"") << written.body;
  EXPECT_EQ(if_match("\"0\"", "PUT", settings, read.body).status, 412);
}

TEST_F(Once, a_repeated_request_has_one_effect_and_one_answer) {
  const Reply first = with_key("one", "POST", projects(), R"({"name": "shop"})");
  ASSERT_EQ(first.status, 200);
  EXPECT_EQ(header_of(first, "idempotency-replayed"), "");
  const Reply second = with_key("one", "POST", projects(), R"({"name": "shop"})");
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(header_of(second, "etag"), header_of(first, "etag"));
  EXPECT_EQ(header_of(second, "idempotency-replayed"), "true");
  EXPECT_EQ(count_of_projects(), 1U);
  const std::string project = "/project/" + std::string(parsed(first).text_or("id", ""));
  EXPECT_EQ(with_key("two", "DELETE", project).status, 204);
  EXPECT_EQ(with_key("two", "DELETE", project).status, 204);
  EXPECT_EQ(guarded_.ask("DELETE", project).status, 404);
}

TEST_F(Once, a_key_stands_for_one_request_of_one_caller) {
  ASSERT_EQ(with_key("one", "POST", projects(), R"({"name": "shop"})").status, 200);
  const Reply other = with_key("one", "POST", projects(), R"({"name": "store"})");
  EXPECT_EQ(other.status, 422);
  EXPECT_NE(other.body.find("Idempotency-Key"), std::string::npos);
  EXPECT_EQ(with_key("one", "DELETE", "/organization/" + guarded_.organization()).status, 422);
  const std::string token = guarded_.token_of(guarded_.organization(), admin_role.id);
  EXPECT_EQ(
      guarded_
          .ask_with({{"Authorization", token}, {"Idempotency-Key", "one"}}, "POST", projects(), R"({"name": "store"})")
          .status,
      200);
  EXPECT_EQ(count_of_projects(), 2U);
}

TEST_F(Once, a_refused_request_may_be_sent_again_with_its_key) {
  ASSERT_EQ(with_key("one", "POST", projects(), R"({"name": ""})").status, 400);
  EXPECT_EQ(with_key("one", "POST", projects(), R"({"name": "shop"})").status, 200);
}

TEST_F(Once, a_key_has_between_one_and_255_printable_characters) {
  EXPECT_EQ(with_key("", "POST", projects(), R"({"name": "shop"})").status, 400);
  EXPECT_EQ(with_key("a\tb", "POST", projects(), R"({"name": "shop"})").status, 400);
  EXPECT_EQ(with_key(std::string(256, 'a'), "POST", projects(), R"({"name": "shop"})").status, 400);
  EXPECT_EQ(with_key(std::string(70'000, 'a'), "POST", projects(), R"({"name": "shop"})").status, 400);
  EXPECT_EQ(with_key(std::string(255, 'a'), "POST", projects(), R"({"name": "shop"})").status, 200);
  EXPECT_EQ(with_key("", "GET", projects()).status, 200) << "a read has no effect";
}

TEST_F(Once, keys_are_forgotten_after_a_day) {
  for (const std::string_view key : {"one", "two", "three"}) {
    ASSERT_EQ(with_key(key, "POST", projects(), R"({"name": ")" + std::string(key) + "\"}").status, 200);
  }
  EXPECT_EQ(kept_answers(), 3U);
  guarded_.clock().move_to({start + day});
  EXPECT_EQ(with_key("two", "POST", projects(), R"({"name": "four"})").status, 200) << "the key is free again";
  EXPECT_EQ(with_key("five", "POST", projects(), R"({"name": "five"})").status, 200);
  EXPECT_EQ(kept_answers(), 2U) << "of the first three none is left";
}

TEST_F(Once, creating_and_deleting_an_organization) {
  const Reply first = with_key("one", "POST", "/organization", R"({"name": "new", "plan": "FREE"})");
  ASSERT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(with_key("one", "POST", "/organization", R"({"name": "new", "plan": "FREE"})").body, first.body);
  const std::string organization = "/organization/" + std::string(parsed(first).text_or("id", ""));
  ASSERT_EQ(with_key("two", "DELETE", organization).status, 204);
  EXPECT_EQ(with_key("two", "DELETE", organization).status, 404) << "its answers have gone with it";
}

TEST_F(Once, who_may_not_write_learns_nothing_by_a_key) {
  const std::string viewer = guarded_.token_of(guarded_.organization(), viewer_role.id);
  const std::string other = guarded_.token_of(guarded_.other_organization(), admin_role.id);
  ASSERT_EQ(with_key("one", "POST", projects(), R"({"name": "shop"})").status, 200);
  EXPECT_EQ(
      guarded_
          .ask_with({{"Authorization", viewer}, {"Idempotency-Key", "one"}}, "POST", projects(), R"({"name": "shop"})")
          .status,
      403);
  EXPECT_EQ(
      guarded_
          .ask_with({{"Authorization", other}, {"Idempotency-Key", "one"}}, "POST", projects(), R"({"name": "shop"})")
          .status,
      404);
  EXPECT_EQ(
      guarded_.ask_with({{"Authorization", other}, {"If-Match", "\"1\""}}, "POST", projects(), R"({"name": "shop"})")
          .status,
      404);
}

TEST_F(Once, sixty_four_threads_with_one_key) {
  std::vector<Reply> replies(64);
  std::vector<std::thread> threads;
  for (Reply& reply : replies)
    threads.emplace_back([&] { reply = with_key("one", "POST", projects(), R"({"name": "shop"})"); });
  for (std::thread& thread : threads) thread.join();
  for (const Reply& reply : replies) {
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, replies.front().body);
  }
  EXPECT_EQ(count_of_projects(), 1U);
  EXPECT_EQ(std::ranges::count_if(replies,
                                  [](const Reply& reply) { return header_of(reply, "idempotency-replayed").empty(); }),
            1);
}

// Calls `act` once, while a request is between its first read of the store and its change.
class Meanwhile final : public ExternalSystems {
 public:
  std::function<void()> act;
  bool answers(std::string_view question) const override { return question == "admit" && act != nullptr; }
  Result<std::string> ask(std::string_view, std::string_view) override {
    std::exchange(act, nullptr)();
    return std::string(R"({"allowed": true})");
  }
};

TEST(OnceBetween, a_request_that_comes_in_between_is_the_one_that_counts) {
  VirtualClock clock({start});
  SeededRandomSource random_source(7);
  Meanwhile meanwhile;
  EngineOptions options;
  options.clock = &clock;
  options.random_source = &random_source;
  options.settings.external_systems = &meanwhile;
  const auto engine = Engine::open(std::move(options)).value();
  const auto send = [&](std::string_view path, std::string_view body) {
    return engine->dispatch({"POST", path, body, {{"Idempotency-Key", path}}, Trust::host}).value();
  };
  const std::string organization(
      parsed(send("/organization", R"({"name": "ours", "plan": "FREE"})")).text_or("id", ""));
  const std::string path = "/organization/" + organization + "/project";
  Reply first;
  meanwhile.act = [&] { first = send(path, R"({"name": "shop"})"); };
  const Reply second = send(path, R"({"name": "shop"})");
  EXPECT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(second.status, 200) << second.body;
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(header_of(first, "idempotency-replayed"), "");
  EXPECT_EQ(header_of(second, "idempotency-replayed"), "true");
}

TEST_F(Once, the_value_of_a_new_token_is_no_part_of_what_is_shown_of_the_store) {
  const Reply made = with_key("one", "POST", "/organization/" + guarded_.organization() + "/apiToken",
                              R"({"name": "ci", "role_id": ")" + std::string(viewer_role.id) + "\"}");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string token(parsed(made).text_or("token", ""));
  EXPECT_EQ(guarded_.engine().events({.limit = 10'000})->find(token), std::string::npos);
  EXPECT_EQ(guarded_.engine().snapshot()->find(token), std::string::npos);
}

}  // namespace
}  // namespace orlop::tests
