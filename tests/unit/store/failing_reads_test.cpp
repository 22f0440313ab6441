// A failed read is not damage: the store reports storage_failed, and a second attempt succeeds.
#include "unit/store/failing_reads.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "store/open.h"
#include "unit/scratch.h"

namespace orlop {
namespace {

constexpr std::uint64_t records = 400;

Id id_numbered(std::uint64_t number) {
  Id id = *parse_id("0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f0000");
  id.bytes[14] = static_cast<std::uint8_t>(number >> 8);
  id.bytes[15] = static_cast<std::uint8_t>(number);
  return id;
}

Changes changes_for(std::uint64_t first, std::uint64_t count) {
  Changes changes;
  for (std::uint64_t number = first; number < first + count; ++number) {
    RecordWrite write;
    write.record.id = id_numbered(number);
    write.record.family = 1;
    write.record.revision = 1;
    write.record.body = "{\"filler\":\"" + std::string(300, '.') + "\"}";
    write.name_key = "name " + std::to_string(number);
    changes.records.push_back(write);
  }
  changes.events = {Event{}};
  return changes;
}

Result<void> write(Store& store, const Changes& changes) {
  ORLOP_TRY(transaction, store.begin(Access::write));
  ORLOP_CHECK(transaction->apply(changes));
  return transaction->commit();
}

Result<void> read_one(Store& store) {
  ORLOP_TRY(transaction, store.begin(Access::read));
  ORLOP_TRY(found, transaction->record(id_numbered(records / 2)));
  return found ? Result<void>() : make_error(ErrorCode::internal, "a record is gone");
}

Result<void> read_all(Store& store) {
  ORLOP_TRY(transaction, store.begin(Access::read));
  std::uint64_t found = 0;
  ORLOP_CHECK(transaction->records({}, [&](const Record&) { return ++found, true; }));
  return found >= records ? Result<void>() : make_error(ErrorCode::internal, "records are gone");
}

class FailingRead : public testing::TestWithParam<tests::ReadFailure> {
 protected:
  // Opens the store again, so that its pages are read, and calls `act` while one read after another fails, until all
  // reads have failed once.
  void fail_each(const std::function<Result<void>(Store&)>& act) {
    const std::string path = tests::scratch_file("failing.db");
    {
      Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::normal);
      ASSERT_TRUE(store);
      ASSERT_TRUE(write(**store, changes_for(0, records)));
    }
    tests::FailingReads reads(GetParam());
    std::size_t failed = 0;
    for (std::size_t number = 1;; ++number) {
      ASSERT_LT(number, 500U);
      reads.fail_at(number);
      Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::normal);
      Result<void> outcome = store ? act(**store) : Result<void>(store.error());
      const bool is_done = reads.reads() < number;
      if (!outcome) {
        ++failed;
        EXPECT_EQ(outcome.error().code, ErrorCode::storage_failed)
            << "read " << number << ": " << outcome.error().message;
        if (!store) store = open_sqlite_store(path, Durability::normal);
        ASSERT_TRUE(store);
        outcome = act(**store);
        EXPECT_TRUE(outcome) << "again after read " << number << ": " << (outcome ? "" : outcome.error().message);
      }
      if (is_done) break;
    }
    EXPECT_GT(failed, 3U);
  }
};

TEST_P(FailingRead, of_one_record) { fail_each(read_one); }

TEST_P(FailingRead, of_all_records) { fail_each(read_all); }

TEST_P(FailingRead, below_a_change) {
  std::uint64_t next = records;
  fail_each([&](Store& store) { return write(store, changes_for(next += 7, 3)); });
}

INSTANTIATE_TEST_SUITE_P(Each, FailingRead, testing::Values(tests::ReadFailure::device, tests::ReadFailure::short_read),
                         [](const auto& info) {
                           return info.param == tests::ReadFailure::device ? "device" : "short";
                         });

}  // namespace
}  // namespace orlop
