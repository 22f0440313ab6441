// A store of the host that breaks its contract gets an error, and none of its answers damages the engine.
#include "contract/host_store.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "contract/fixture.h"
#include "guard.h"
#include "storage/host_store.h"
#include "storage/rows.h"

namespace orlop::contract {
namespace {

// Functions of the misbehaving store, set by each test.
struct Misdeed {
  std::function<orlop_error*(orlop_record_visitor, void*)> records;
  std::function<orlop_error*(orlop_event_visitor, void*)> events;
  std::function<orlop_error*(orlop_links_visitor, void*)> links;
  std::function<orlop_error*()> apply;
  std::function<orlop_error*()> commit;
  int begun = 0;
  int ended = 0;
};

Misdeed* misdeed = nullptr;

orlop_store misbehaving() {
  orlop_store store{};
  store.size = sizeof store;
  store.begin = [](void*, orlop_access, void** transaction) -> orlop_error* {
    ++misdeed->begun;
    *transaction = misdeed;
    return nullptr;
  };
  store.record = [](void*, const orlop_id*, orlop_record_visitor visit, void* visitor) {
    return misdeed->records(visit, visitor);
  };
  store.machine = [](void*, const orlop_id*, orlop_machine_visitor, void*) -> orlop_error* { return nullptr; };
  store.find = [](void*, orlop_text, orlop_id*) -> orlop_error* { return nullptr; };
  store.links = [](void*, const orlop_id*, orlop_links_visitor visit, void* visitor) {
    return misdeed->links(visit, visitor);
  };
  store.records = [](void*, const orlop_range*, orlop_record_visitor visit, void* visitor) {
    return misdeed->records(visit, visitor);
  };
  store.machines = [](void*, const orlop_range*, orlop_machine_visitor, void*) -> orlop_error* { return nullptr; };
  store.events = [](void*, const orlop_event_range*, orlop_event_visitor visit, void* visitor) {
    return misdeed->events(visit, visitor);
  };
  store.apply = [](void*, const orlop_changes*) { return misdeed->apply(); };
  store.commit = [](void*) { return misdeed->commit(); };
  store.end = [](void*) { ++misdeed->ended; };
  return store;
}

class HostStoreMisdeeds : public testing::Test {
 protected:
  void SetUp() override { misdeed = &deeds; }
  void TearDown() override {
    transaction.reset();
    EXPECT_EQ(deeds.begun, deeds.ended) << "every transaction is ended, once";
  }
  std::unique_ptr<Transaction> begin(Access access) {
    auto begun = store.begin(access);
    return begun ? std::move(*begun) : nullptr;
  }
  // Reads the children of the nil id; returns the error, or "".
  std::string walk(std::size_t limit = SIZE_MAX, int* visited = nullptr) {
    transaction = begin(Access::read);
    RecordRange range;
    range.limit = limit;
    range.after = id_of(5);
    const auto walked =
        transaction->records(range, [&](const Record&) { return visited != nullptr && ++*visited < 100; });
    return walked ? "" : std::string(name_of(walked.error().code)) + ": " + walked.error().message;
  }
  static orlop_record row(std::uint64_t number) {
    orlop_record out{};
    out.size = sizeof out;
    const Id id = id_of(number);
    std::memcpy(out.id.bytes, id.bytes.data(), sizeof out.id.bytes);
    out.body = ORLOP_TEXT("{}");
    return out;
  }

  Misdeed deeds;
  c::HostStore store{misbehaving(), nullptr};
  std::unique_ptr<Transaction> transaction;
};

TEST_F(HostStoreMisdeeds, WhatCannotBeReadIsRefused) {
  const std::vector<std::function<void(orlop_record&)>> garbage = {
      [](orlop_record& record) { record.size = 0; },
      [](orlop_record& record) { record.size = SIZE_MAX; },
      [](orlop_record& record) {
        record.body = {nullptr, 7};
      },
      [](orlop_record& record) { record.body.size = SIZE_MAX; },
      [](orlop_record& record) {
        record.secrets.size = SIZE_MAX / 2;
        record.secrets.data = "x";
      },
  };
  for (const auto& spoil : garbage) {
    deeds.records = [&](orlop_record_visitor visit, void* visitor) -> orlop_error* {
      orlop_record record = row(9);
      spoil(record);
      EXPECT_EQ(visit(visitor, &record), 0);
      EXPECT_EQ(visit(visitor, &record), 0);
      return nullptr;
    };
    EXPECT_EQ(walk().substr(0, 48), "storage_failed: the host's store broke its promi");
  }
  deeds.records = [&](orlop_record_visitor visit, void* visitor) -> orlop_error* {
    return visit(visitor, nullptr), visit(nullptr, nullptr), nullptr;
  };
  EXPECT_EQ(walk().substr(0, 14), "storage_failed");
}

TEST_F(HostStoreMisdeeds, OrdersAndBoundsAreWatched) {
  const auto give = [&](std::vector<std::uint64_t> numbers) {
    deeds.records = [=](orlop_record_visitor visit, void* visitor) -> orlop_error* {
      for (const std::uint64_t number : numbers) {
        const orlop_record record = row(number);
        visit(visitor, &record);  // continues although the visitor may return "stop"
      }
      return nullptr;
    };
  };
  int visited = 0;
  give({6, 7, 9});
  EXPECT_EQ(walk(SIZE_MAX, &visited), "");
  EXPECT_EQ(visited, 3);
  give({6, 9, 7});
  EXPECT_NE(walk(SIZE_MAX, &visited).find("out of their order"), std::string::npos);
  give({5});
  EXPECT_NE(walk(SIZE_MAX, &visited).find("out of their order"), std::string::npos);
  give({6, 7, 8});
  EXPECT_NE(walk(2, &visited).find("more than was asked for"), std::string::npos);
  transaction = begin(Access::read);
  give({6});
  EXPECT_NE(transaction->record(id_of(7)).error().message.find("another than"), std::string::npos);
  deeds.events = [](orlop_event_visitor visit, void* visitor) -> orlop_error* {
    orlop_event event{};
    event.size = sizeof event;
    for (const uint64_t number : {4, 5, 5}) event.sequence = number, visit(visitor, &event);
    return nullptr;
  };
  EXPECT_EQ(transaction->events({.after = 3}, [](const Event&) { return true; }).error().code,
            ErrorCode::storage_failed);
  EXPECT_EQ(transaction->events({.after = 4}, [](const Event&) { return true; }).error().code,
            ErrorCode::storage_failed);
  deeds.links = [](orlop_links_visitor visit, void* visitor) -> orlop_error* {
    return visit(visitor, {nullptr, 0}, nullptr, 3), nullptr;
  };
  EXPECT_EQ(transaction->links(id_of(1)).error().code, ErrorCode::storage_failed);
  deeds.links = [](orlop_links_visitor visit, void* visitor) -> orlop_error* {
    return visit(visitor, {"x", SIZE_MAX}, nullptr, 0), nullptr;
  };
  EXPECT_EQ(transaction->links(id_of(1)).error().code, ErrorCode::storage_failed);
}

TEST_F(HostStoreMisdeeds, ErrorsKeepTheCodesThatAreUnderstood) {
  const auto code_of = [&](orlop_code code) {
    deeds.apply = [=] { return orlop_error_new(code, ORLOP_TEXT("because")); };
    transaction = begin(Access::write);
    const Error error = transaction->apply({}).error();
    EXPECT_EQ(error.message, "because");
    EXPECT_EQ(transaction->commit().error().code, ErrorCode::misuse);
    return error.code;
  };
  EXPECT_EQ(code_of(ORLOP_ERROR_LOST_UPDATE), ErrorCode::lost_update);
  EXPECT_EQ(code_of(ORLOP_ERROR_CONFLICT), ErrorCode::conflict);
  EXPECT_EQ(code_of(ORLOP_ERROR_STORAGE_BUSY), ErrorCode::storage_busy);
  EXPECT_EQ(code_of(ORLOP_ERROR_NOT_FOUND), ErrorCode::storage_failed);
  EXPECT_EQ(code_of(77'777), ErrorCode::storage_failed);
}

TEST_F(HostStoreMisdeeds, AnExceptionIsAnError) {
  deeds.apply = []() -> orlop_error* { throw std::runtime_error("oops"); };
  deeds.commit = []() -> orlop_error* { throw 7; };
  transaction = begin(Access::write);
  EXPECT_EQ(transaction->apply({}).error().code, ErrorCode::storage_failed);
  transaction = begin(Access::write);
  EXPECT_EQ(transaction->commit().error().code, ErrorCode::storage_failed);
  EXPECT_EQ(transaction->commit().error().code, ErrorCode::misuse);
}

TEST(HostStoreOptions, AreCheckedBeforeAnythingIsCalled) {
  orlop_store functions = misbehaving();
  EXPECT_TRUE(c::read_store(&functions));
  functions.links = nullptr;
  EXPECT_EQ(c::read_store(&functions).error().code, ErrorCode::misuse);
  functions.size = 3;
  EXPECT_EQ(c::read_store(&functions).error().code, ErrorCode::misuse);

  functions = misbehaving();
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.store = &functions;
  options.storage = ORLOP_TEXT("platform.db");
  orlop_engine* engine = nullptr;
  orlop_error* error = orlop_open(&engine, &options);
  EXPECT_EQ(orlop_error_code(error), ORLOP_ERROR_MISUSE);
  orlop_error_free(error);
}

int released = 0;

// An engine on the host's store, from opening to closing. A function of the store that calls the engine gets an error.
TEST(HostStoreEngine, RunsOnIt) {
  released = 0;
  orlop_store functions = functions_of_hosted_store();
  HostedStore hosted{open_memory_store()};
  functions.context = &hosted;
  functions.release = [](void*) { ++released; };
  static orlop_engine* engine = nullptr;
  static orlop_code inside = 0;
  static orlop_store passed_on{};
  passed_on = functions;
  functions.events = [](void* transaction, const orlop_event_range* range, orlop_event_visitor visit, void* visitor) {
    uint64_t number = 0;
    orlop_error* error = engine == nullptr ? nullptr : orlop_last_event(engine, &number);
    if (error != nullptr) inside = orlop_error_code(error);
    orlop_error_free(error);
    return passed_on.events(transaction, range, visit, visitor);
  };
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.store = &functions;
  ASSERT_EQ(orlop_open(&engine, &options), nullptr);
  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = ORLOP_TEXT("POST");
  request.path = ORLOP_TEXT("/organization");
  request.body = ORLOP_TEXT("{\"name\":\"acme\",\"plan\":\"FREE\"}");
  orlop_reply* reply = nullptr;
  ASSERT_EQ(orlop_dispatch(&reply, engine, &request), nullptr);
  EXPECT_EQ(orlop_reply_status(reply), 201);
  orlop_reply_free(reply);
  EXPECT_EQ(inside, ORLOP_ERROR_MISUSE);
  orlop_error_free(orlop_close(engine));
  engine = nullptr;
  EXPECT_EQ(released, 1);
  ASSERT_TRUE(hosted.store->begin(Access::read));
}

}  // namespace
}  // namespace orlop::contract
