// Two simulations that get the same requests: one unchanged, and one where a refused request comes before each
// creation, so that its rules make each record: a refused unit clears what an engine remembers of earlier records.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rest/request_batch.h"
#include "unit/sim/course.h"
#include "unit/sim/simulation.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::tests {

class Twins {
 public:
  explicit Twins(Authentication authentication = Authentication::off)
      : repeating_({}, authentication), calling_({}, authentication) {}

  // Sends the request to both and compares the replies. `token`: "Token …" of a caller from outside; "" for the host.
  Reply ask(std::string_view method, const std::string& path, std::string_view body = "", std::string_view token = "") {
    if (method == "POST") refuse();
    return same(answer(repeating_, method, path, body, token), answer(calling_, method, path, body, token), path, body);
  }
  std::string make(const std::string& path, std::string_view body, const std::string& member = "id") {
    const Reply reply = ask("POST", path, body);
    EXPECT_LT(reply.status, 300) << path << ": " << body << "\n" << reply.body;
    return Simulation::text_in(reply.body, member);
  }
  static std::string body_of(std::string_view name, std::string_view members) {
    return R"({"name":)" + to_json(Value(name)) + (members.empty() ? "" : ",") + std::string(members) + "}";
  }

  // Creates one resource for each name: in one request, or, if that is accepted, by one request each.
  void make_many(const std::string& path, std::string_view members, const std::vector<std::string>& names) {
    const std::string body = "{" + std::string(members) + "}";
    const Reply made = answer(repeating_, "POST", path, body, "", names);
    if (made.status >= 300) {
      refuse();
      same(made, answer(calling_, "POST", path, body, "", names), path, body);
      return;
    }
    std::string ids;
    for (const std::string& name : names) {
      refuse();
      const Reply one = answer(calling_, "POST", path, body_of(name, members), "");
      EXPECT_LT(one.status, 300) << path << ": " << one.body;
      ids += (ids.empty() ? "[\"" : ",\"") + Simulation::text_in(one.body, "id") + "\"";
    }
    EXPECT_EQ(made.body, ids + "]") << path;
  }
  // In one commit, or, after a refusal, in none.
  void make_in_batch(const std::vector<std::pair<std::string, std::string>>& paths_and_bodies) {
    const std::vector<Reply> made = batch(repeating_, paths_and_bodies);
    refuse();
    const std::vector<Reply> wanted = batch(calling_, paths_and_bodies);
    ASSERT_EQ(made.size(), wanted.size());
    for (std::size_t at = 0; at < made.size(); ++at)
      same(made[at], wanted[at], paths_and_bodies[at].first, paths_and_bodies[at].second);
  }

  // Calls `act` for both.
  template <typename Act>
  void each(const Act& act) {
    act(repeating_);
    act(calling_);
  }
  void advance(Duration duration) {
    each([duration](Simulation& one) { EXPECT_TRUE(one->advance(duration).ok()); });
  }
  void settle() {
    each([](Simulation& one) { EXPECT_TRUE(one->run_until_idle().ok()); });
  }
  Simulation& repeating() { return repeating_; }

  // Checks that both hold the same, secrets included, and returns the events. Skipped after a reply that differed.
  std::string compare(const std::string& what) {
    const CourseTrace repeating = trace_of(repeating_);
    if (testing::Test::HasFailure()) return repeating.events;
    expect_alike(repeating, trace_of(calling_), what);
    EXPECT_TRUE(repeating_->snapshot(PlainSecrets::included).value() ==
                calling_->snapshot(PlainSecrets::included).value())
        << what;
    return repeating.events;
  }

 private:
  // Sends a request that is refused in its unit, by the rules of the family or because the environment does not exist.
  void refuse() {
    const auto before = std::pair(calling_->engine().ids_given(), calling_->engine().last_event().value());
    EXPECT_GE(answer(calling_, "POST", "/environment/" + to_text(Id{{1}}) + "/database", "{}", "").status, 400);
    EXPECT_EQ(before, std::pair(calling_->engine().ids_given(), calling_->engine().last_event().value()))
        << "a refusal leaves what changes the ids behind it";
  }
  static Reply answer(Simulation& of, std::string_view method, const std::string& path, std::string_view body,
                      std::string_view token, const std::vector<std::string>& names = {}) {
    Request request;
    request.method = method;
    request.path = path;
    request.body = body;
    if (!token.empty()) {
      request.trust = Trust::outside;
      request.headers.emplace_back("authorization", token);
    }
    request.names.assign(names.begin(), names.end());
    auto reply = of->dispatch(request);
    EXPECT_TRUE(reply.ok()) << reply.error().message;
    return reply ? std::move(*reply) : Reply{};
  }
  // Runs the batch up to the first refused request.
  static std::vector<Reply> batch(Simulation& of,
                                  const std::vector<std::pair<std::string, std::string>>& paths_and_bodies) {
    std::vector<Reply> replies;
    const auto begun = of->engine().begin_batch();
    EXPECT_TRUE(begun.ok());
    for (const auto& [path, body] : paths_and_bodies) {
      Request request;
      request.method = "POST";
      request.path = path;
      request.body = body;
      replies.push_back((*begun)->dispatch(request).value());
      if (replies.back().status >= 400) return replies;
    }
    EXPECT_TRUE((*begun)->commit().ok());
    return replies;
  }
  Reply same(Reply reply, const Reply& wanted, const std::string& path, std::string_view body) {
    EXPECT_EQ(reply.status, wanted.status) << path << ": " << body;
    EXPECT_EQ(reply.body, wanted.body) << path << ": " << body;
    return reply;
  }

  Simulation repeating_;
  Simulation calling_;
};

}  // namespace orlop::tests
