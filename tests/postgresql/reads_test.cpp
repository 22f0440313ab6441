// What a writer has read, and need not ask the server again: it is never what another writer, of this process or another one, has changed since.
#include <unistd.h>

#include <memory>
#include <string>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"
#include "store/commits_at_once.h"

// Changes name only what they change.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace orlop::contract {
namespace {

class PostgreSQLReads : public testing::Test {
 protected:
  void SetUp() override {
    ours_ = open();
    theirs_ = open();
    ASSERT_TRUE(ours_ && theirs_);
    ASSERT_TRUE(write(*ours_, changes_of({write_of(record_of(1)), write_of(record_of(2))})));
  }
  static std::unique_ptr<Store> open() {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    auto opened = open_postgresql(connection_to("direct"), "reads " + name.substr(0, 40) + " " + std::to_string(::getpid()));
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return opened ? std::move(*opened) : nullptr;
  }
  static Result<void> write(Store& store, const Changes& changes) {
    ORLOP_TRY(transaction, store.begin(Access::write));
    return apply_and_commit(*transaction, changes);
  }
  static std::unique_ptr<Transaction> writing(Store& store) { return std::move(store.begin(Access::write)).value(); }
  // As a writer sees it; 0: it is not there.
  static std::uint64_t revision_of(Transaction& writer, std::uint64_t number) {
    const auto found = writer.record(id_of(number)).value();
    return found ? found->revision : 0;
  }
  static std::uint64_t revision_of(Store& store, std::uint64_t number) { return revision_of(*writing(store), number); }
  static Changes edit(std::uint64_t number, std::uint64_t revision) {
    RecordWrite write = write_of(record_of(number, 0, 1, revision));
    write.expected_revision = revision - 1;
    return changes_of({write});
  }

  std::unique_ptr<Store> ours_;
  std::unique_ptr<Store> theirs_;
};

TEST_F(PostgreSQLReads, what_another_process_has_changed_is_read_anew) {
  EXPECT_EQ(revision_of(*ours_, 1), 1U);
  ASSERT_TRUE(write(*theirs_, edit(1, 2)));
  EXPECT_EQ(revision_of(*ours_, 1), 2U);
  Changes gone;
  gone.erasures = {id_of(1)};
  ASSERT_TRUE(write(*theirs_, gone));
  EXPECT_EQ(revision_of(*ours_, 1), 0U);
  EXPECT_EQ(revision_of(*ours_, 2), 1U);
}

TEST_F(PostgreSQLReads, what_a_writer_has_changed_is_read_anew) {
  EXPECT_EQ(revision_of(*ours_, 1), 1U);
  {
    const auto writer = writing(*ours_);
    EXPECT_EQ(revision_of(*writer, 1), 1U);
    ASSERT_TRUE(writer->apply(edit(1, 2)));
    EXPECT_EQ(revision_of(*writer, 1), 2U) << "its own change";
    EXPECT_EQ(revision_of(*writer, 2), 1U);
    ASSERT_TRUE(writer->commit());
  }
  EXPECT_EQ(revision_of(*ours_, 1), 2U);
  ASSERT_TRUE(write(*ours_, edit(1, 3)));
  EXPECT_EQ(revision_of(*ours_, 1), 3U);
  Changes gone;
  gone.erasures = {id_of(1)};
  ASSERT_TRUE(write(*ours_, gone));
  EXPECT_EQ(revision_of(*ours_, 1), 0U);
}

TEST_F(PostgreSQLReads, what_was_rolled_back_is_forgotten) {
  {
    const auto writer = writing(*ours_);
    ASSERT_TRUE(writer->apply(edit(1, 2)));
    EXPECT_EQ(revision_of(*writer, 1), 2U);
  }
  EXPECT_EQ(revision_of(*ours_, 1), 1U);
  ASSERT_TRUE(write(*ours_, edit(1, 2)));
  EXPECT_EQ(revision_of(*ours_, 1), 2U);
}

TEST_F(PostgreSQLReads, lists_end_with_their_writer) {
  const auto children = [&](Store& store) { return ids_of(*writing(store), children_of(0)).size(); };
  EXPECT_EQ(children(*ours_), 2U);
  ASSERT_TRUE(write(*ours_, changes_of({write_of(record_of(3))})));
  EXPECT_EQ(children(*ours_), 3U);
  ASSERT_TRUE(write(*theirs_, changes_of({write_of(record_of(4))})));
  EXPECT_EQ(children(*ours_), 4U);
}

TEST_F(PostgreSQLReads, leases_are_those_of_the_last_commit) {
  const auto epoch = [&](Store& store) {
    const auto found = writing(store)->coordination()->leases(PartitionSet::all()).value();
    return found.empty() ? 0 : found.front().epoch;
  };
  const auto set = [&](Store& store, std::uint64_t to) {
    Changes changes;
    changes.coordination.leases = {{4, id_of(9), to}};
    ASSERT_TRUE(write(store, changes));
  };
  EXPECT_EQ(epoch(*ours_), 0U);
  set(*ours_, 1);
  EXPECT_EQ(epoch(*ours_), 1U);
  ASSERT_TRUE(write(*ours_, edit(1, 2)));
  EXPECT_EQ(epoch(*ours_), 1U);
  set(*theirs_, 2);
  EXPECT_EQ(epoch(*ours_), 2U);
}

}  // namespace
}  // namespace orlop::contract
