// Months that end during failures: each month is invoiced once, with all its usage.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "store/open.h"
#include "whole/jumping_clock.h"
#include "whole/large_environment.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::int64_t day = 86'400;

// Charges cards, and records the invoices.
class Provider final : public ExternalSystems {
 public:
  Result<std::string> ask(std::string_view question, std::string_view input) override {
    if (question != "charge_invoice") return make_error(ErrorCode::unanswered, "not this");
    charged.emplace_back(parse_stored(input)->text_or("invoice_id", ""));
    return std::string("\"\"");
  }
  bool answers(std::string_view question) const override { return question == "charge_invoice"; }
  std::vector<std::string> charged;
};

struct Invoice {
  std::string id;
  std::string begin;
  std::string status;
  std::int64_t cents = 0;
  double instance_hours = 0;
};

class BillingAttacks : public testing::Test {
 protected:
  struct Process {
    Watch watch;
    Provider provider;
    std::unique_ptr<SeededRandomSource> random_source;
    std::unique_ptr<Engine> engine;
  };

  BillingAttacks() : memory_(open_memory_store()) { open(one_); }

  // Ends the engine without closing it if it is open, as a crash does, and opens another one.
  void open(Process& process, EngineRole role = EngineRole::both) {
    process.engine.reset();
    process.random_source = std::make_unique<SeededRandomSource>(++seeds_);
    EngineOptions options;
    options.store = store_for(process);
    options.clock = &clock_;
    options.random_source = process.random_source.get();
    options.role = role;
    options.settings.require_cluster = false;
    options.settings.external_systems = &process.provider;
    options.settings.billing = {"currency=EUR", "plan.TEAM=31", "instance_hour=0.5"};
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    process.engine = std::move(*opened);
  }

  Value ask(Process& process, std::string_view method, const std::string& path, std::string_view body = "") {
    const auto reply = process.engine->dispatch({method, path, body, {}, Trust::host});
    EXPECT_TRUE(reply) << path << " " << reply.error().message;
    if (!reply) return {};
    EXPECT_LT(reply->status, 300) << method << " " << path << " " << reply->body;
    auto value = reply->body.empty() ? Result<Value>(Value()) : parse_stored(reply->body);
    return value ? std::move(*value) : Value();
  }
  Value ask(std::string_view method, const std::string& path, std::string_view body = "") {
    return ask(one_, method, path, body);
  }

  // Creates a customer with a card whose environment runs `services` containers of one instance.
  void furnish(int services) {
    organization_ = ask("POST", "/organization", R"({"name": "acme", "plan": "TEAM"})").text_or("id", "");
    const std::string home = "/organization/" + organization_;
    ask("POST", home + "/creditCard",
        R"({"number": "4242 4242 4242 4242", "cvv": "123", "expiry_month": 12, "expiry_year": 2090, "token": "tok"})");
    const std::string cluster(
        ask("POST", home + "/cluster", R"({"name": "c", "region": "eu-west-3", "cloud_provider": "AWS"})")
            .text_or("id", ""));
    const std::string registry(
        ask("POST", home + "/containerRegistry",
            R"({"name": "r", "kind": "DOCKER_HUB", "config": {"username": "a", "password": "b"}})")
            .text_or("id", ""));
    const std::string project(ask("POST", home + "/project", R"({"name": "p"})").text_or("id", ""));
    environment_ =
        ask("POST", "/project/" + project + "/environment", R"({"name": "e", "cluster": ")" + cluster + "\"}")
            .text_or("id", "");
    for (int number = 0; number < services; ++number) {
      service_ = ask("POST", "/environment/" + environment_ + "/container",
                     R"({"name": "s)" + std::to_string(number) + R"(", "registry_id": ")" + registry +
                         R"(", "image_name": "a", "tag": "1", "healthchecks": {}})")
                     .text_or("id", "");
    }
    ask("POST", "/environment/" + environment_ + "/deploy");
    settle(one_);
  }

  // Ticks until nothing is left to do at this instant. The test handles errors.
  void settle(Process& process, const std::function<void()>& after_tick = nullptr) {
    for (int ticks = 0; ticks < 5'000; ++ticks) {
      const auto wanted = process.engine->tick();
      if (after_tick) after_tick();
      if (wanted && (!*wanted || **wanted > clock_.now())) return;
      if (!wanted && process.watch.is_failing) return;
    }
    FAIL() << "the engine wants to be called for ever";
  }
  void pass(std::int64_t days) {
    for (std::int64_t passed = 0; passed < days; ++passed) {
      clock_.pass(seconds(day));
      settle(one_);
    }
  }

  std::vector<Invoice> invoices(Process& process) {
    std::vector<Invoice> found;
    const Value listed = ask(process, "GET", "/organization/" + organization_ + "/invoice");
    for (const Value& each : listed.find("results")->items()) {
      Invoice invoice{std::string(each.text_or("id", "")), std::string(each.text_or("period_start", "")).substr(0, 7),
                      std::string(each.text_or("status", "")), each.integer_or("total_in_cents", 0), 0};
      for (const Value& line : each.find("lines")->items()) {
        if (line.text_or("kind", "") == "INSTANCES") invoice.instance_hours += line.find("quantity")->as_number();
      }
      found.push_back(std::move(invoice));
    }
    std::ranges::sort(found, {}, &Invoice::begin);
    return found;
  }
  // "2026-01 2026-02"
  std::string months(Process& process) {
    std::string text;
    for (const Invoice& invoice : invoices(process)) text += (text.empty() ? "" : " ") + invoice.begin;
    return text;
  }

  std::shared_ptr<Store> memory_;
  JumpingClock clock_;
  Process one_, two_;
  std::string organization_, environment_, service_;
  std::uint64_t seeds_ = 0;

 private:
  // Engines share the underlying store; each has a separate watch.
  class Shared final : public Store {
   public:
    Shared(std::shared_ptr<Store> behind, Watch& watch) : behind_(std::move(behind)), watch_(watch) {}
    Result<std::unique_ptr<Transaction>> begin(Access access) override {
      if (access == Access::write && watch_.is_failing)
        return make_error(ErrorCode::storage_failed, "the disk is full");
      return behind_->begin(access);
    }
    Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override {
      return behind_->join(engine, std::move(notify));
    }

   private:
    std::shared_ptr<Store> behind_;
    Watch& watch_;
  };
  std::shared_ptr<Store> store_for(Process& process) { return std::make_shared<Shared>(memory_, process.watch); }
};

constexpr double january = 31 * 24;
constexpr double february = 28 * 24;

void expect_whole(const std::vector<Invoice>& invoices, double first, double second) {
  ASSERT_EQ(invoices.size(), 2U);
  EXPECT_EQ(invoices[0].begin, "2026-01");
  EXPECT_EQ(invoices[1].begin, "2026-02");
  EXPECT_NEAR(invoices[0].instance_hours, first, 0.01);
  EXPECT_NEAR(invoices[1].instance_hours, second, 0.01);
  for (const Invoice& invoice : invoices) EXPECT_EQ(invoice.status, "PAID") << invoice.begin;
}

// A crash after each tick in turn that follows the furnishing.
TEST_F(BillingAttacks, AnEngineThatIsKilledMakesEachInvoiceOnce) {
  furnish(2);
  const std::shared_ptr<const std::string> start = std::make_shared<const std::string>(*one_.engine->snapshot());
  std::size_t ticks = 0;
  for (std::size_t killed_after = 0; killed_after == 0 || killed_after <= ticks; ++killed_after) {
    ticks = 0;
    clock_.set({1'767'225'600'000});
    memory_ = open_memory_store();
    one_.engine.reset();
    EngineOptions options;
    options.store = memory_;
    options.clock = &clock_;
    options.random_source = one_.random_source.get();
    options.settings.require_cluster = false;
    options.snapshot = *start;
    ASSERT_TRUE(Engine::open(std::move(options)));
    open(one_);
    for (const std::int64_t days : {31, 28, 1}) {
      clock_.pass(seconds(days * day));
      settle(one_, [&] {
        if (++ticks == killed_after) open(one_);
      });
    }
    const auto made = invoices(one_);
    SCOPED_TRACE(killed_after);
    expect_whole(made, 2 * january, 2 * february);
    for (const Invoice& invoice : made) EXPECT_GE(std::ranges::count(one_.provider.charged, invoice.id), 1);
    if (HasFailure()) return;
  }
  EXPECT_GE(ticks, 4U);
}

TEST_F(BillingAttacks, ADiskThatIsFullAtTheEndOfTheMonthDelaysTheInvoice) {
  furnish(2);
  one_.watch.is_failing = true;
  clock_.pass(seconds(31 * day + 5));
  for (int tries = 0; tries < 5; ++tries) settle(one_);
  EXPECT_EQ(months(one_), "");
  one_.watch.is_failing = false;
  settle(one_);
  EXPECT_EQ(months(one_), "2026-01");
  one_.watch.is_failing = true;
  clock_.pass(seconds(28 * day));
  settle(one_);
  open(one_, EngineRole::serve);
  one_.watch.is_failing = false;
  open(one_);
  settle(one_);
  clock_.pass(seconds(day));
  settle(one_);
  expect_whole(invoices(one_), 2 * january, 2 * february);
}

TEST_F(BillingAttacks, TwoEnginesMakeOneInvoice) {
  furnish(2);
  open(two_);
  const auto work = [&](std::int64_t length) {
    for (std::int64_t passed = 0; passed < length; passed += 2) {
      clock_.pass(seconds(2));
      for (Process* process : {&one_, &two_}) {
        if (process->engine) (void)process->engine->tick();
      }
    }
  };
  work(120);  // spreads the partitions
  clock_.pass(seconds(31 * day - 130));
  work(60);
  EXPECT_EQ(months(two_), "2026-01");
  clock_.pass(seconds(28 * day - 60));
  one_.engine.reset();
  work(120);
  ASSERT_EQ(months(two_), "2026-01 2026-02");
  const auto made = invoices(two_);
  EXPECT_NEAR(made[0].instance_hours, 2 * january, 0.01);
  EXPECT_NEAR(made[1].instance_hours, 2 * february, 0.01);
  for (const Invoice& invoice : made) EXPECT_EQ(invoice.status, "PAID") << invoice.begin;
}

// Ten years of months are invoiced, and none of them again when the clock is right: later months follow.
TEST_F(BillingAttacks, AClockThatJumpsTenYearsInvoicesNoMonthTwice) {
  furnish(1);
  pass(3);
  clock_.jump(10);
  settle(one_);
  const auto early = invoices(one_);
  EXPECT_EQ(early.size(), 120U);
  clock_.jump(-10);
  pass(70);
  std::vector<std::string> begins;
  double hours = 0;
  for (const Invoice& invoice : invoices(one_)) {
    begins.push_back(invoice.begin);
    hours += invoice.instance_hours;
    EXPECT_GE(invoice.cents, 0);
  }
  EXPECT_EQ(begins.size(), 122U) << "70 days end two months";
  EXPECT_EQ(std::ranges::adjacent_find(begins), begins.end());
  clock_.jump(10);
  pass(31);
  const auto late = invoices(one_);
  ASSERT_GT(late.size(), 120U);
  begins.clear();
  hours = 0;
  for (const Invoice& invoice : late) {
    begins.push_back(invoice.begin);
    hours += invoice.instance_hours;
  }
  EXPECT_EQ(std::ranges::adjacent_find(begins), begins.end());
  // Usage is counted once: the hours of all invoiced months.
  const double years = static_cast<double>((3652 + 31 * 5) * 24);
  EXPECT_GT(hours, 3'600.0 * 24);
  EXPECT_LT(hours, years);
}

// A process that only serves writes to the meter while no engine makes invoices.
TEST_F(BillingAttacks, WhatHappensInALaterMonthLosesNoUsageOfEarlierOnes) {
  furnish(2);
  one_.engine.reset();
  open(two_, EngineRole::serve);
  clock_.pass(seconds((31 + 28 + 10) * day));
  ask(two_, "DELETE", "/container/" + service_ + "?deleteMode=UNINSTALL");
  ask(two_, "DELETE", "/environment/" + environment_ + "?skipReconcile=true");
  two_.engine.reset();
  open(one_);
  settle(one_);
  const auto made = invoices(one_);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_NEAR(made[0].instance_hours, 2 * january, 0.01);
  EXPECT_NEAR(made[1].instance_hours, 2 * february, 0.01);
}

TEST_F(BillingAttacks, TenThousandServicesAreOneInvoice) {
  furnish(10'000);
  clock_.pass(seconds(31 * day));
  std::size_t ticks = 0;
  settle(one_, [&] { ++ticks; });
  EXPECT_LE(ticks, 4U);
  const auto made = invoices(one_);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_NEAR(made[0].instance_hours, 10'000 * january, 1);
}

}  // namespace
}  // namespace orlop
