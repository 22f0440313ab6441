// Cached reads of writers: a cached answer is never one that another writer, of this or another process, has changed
// since.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"

// Changes set only the members that they need.
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
    auto opened =
        open_postgresql(connection_to("direct"), "reads " + name.substr(0, 40) + " " + std::to_string(::getpid()));
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return opened ? std::move(*opened) : nullptr;
  }
  static Result<void> write(Store& store, const Changes& changes) {
    ORLOP_TRY(transaction, store.begin(Access::write));
    return transaction->apply_and_commit(Changes(changes));
  }
  static std::unique_ptr<Transaction> writing(Store& store) { return std::move(store.begin(Access::write)).value(); }
  // Returns the revision that a writer sees; 0 if the record does not exist.
  static std::uint64_t revision_of(Transaction& writer, std::uint64_t number) {
    const auto found = writer.record(id_of(number)).value();
    return found ? found->revision : 0;
  }
  // The same by a read without a cache.
  static std::uint64_t unread_revision_of(Store& store, std::uint64_t number) {
    const std::unique_ptr<Transaction> reader = std::move(store.begin(Access::read)).value();
    return revision_of(*reader, number);
  }
  static std::uint64_t revision_of(Store& store, std::uint64_t number) { return revision_of(*writing(store), number); }
  static Changes edit(std::uint64_t number, std::uint64_t revision) {
    RecordWrite write = write_of(record_of(number, 0, 1, revision));
    write.expected_revision = revision - 1;
    return changes_of({write});
  }

  static std::uint64_t machine_revision_of(Transaction& writer, std::uint64_t number) {
    const auto found = writer.machine(id_of(number)).value();
    return found ? found->revision : 0;
  }
  static Result<void> put(Store& store, Machine machine) { return write(store, changes_of({std::move(machine)})); }
  static std::vector<std::pair<Id, std::uint64_t>> owned(Transaction& writer, std::uint64_t owner,
                                                         FamilyNumber family = 0) {
    std::vector<std::pair<Id, std::uint64_t>> out;
    EXPECT_TRUE(writer.machines(machines_of(owner, family), [&](const Machine& machine) {
      out.emplace_back(machine.id, machine.revision);
      return true;
    }));
    return out;
  }
  // Reads the machines 10 to 15, and those of the owners 1 to 3.
  static std::vector<std::vector<std::pair<Id, std::uint64_t>>> all_machines(Access access, Store& store) {
    const auto seeing = std::move(store.begin(access)).value();
    std::vector<std::vector<std::pair<Id, std::uint64_t>>> out;
    for (std::uint64_t owner = 1; owner < 4; ++owner) {
      for (FamilyNumber family = 0; family < 3; ++family) out.push_back(owned(*seeing, owner, family));
    }
    for (std::uint64_t number = 10; number < 16; ++number)
      out.push_back({{id_of(number), machine_revision_of(*seeing, number)}});
    return out;
  }

  // Reads the records below 1 to 3 with every kind of range.
  static std::vector<std::string> all_below(Access access, Store& store) {
    return all_below(*std::move(store.begin(access)).value());
  }
  static std::vector<std::string> all_below(Transaction& seeing) {
    std::vector<std::string> out;
    const auto add = [&out](const Record& record) {
      out.back() += to_text(record.id) + " " + to_text(record.parent) + " " + std::to_string(record.family) + " " +
                    std::to_string(record.revision) + ", ";
      return true;
    };
    const auto add_with_text = [&](const Record& record) {
      return out.back() += std::to_string(record.body.size()) + " of ", add(record);
    };
    const Id parents[] = {id_of(1), id_of(2), id_of(3)};
    for (const Id& parent : parents) {
      for (FamilyNumber family = 0; family < 4; ++family) {
        RecordRange range = {.key = parent, .family = family, .fields = RecordRange::Fields::no_text};
        out.emplace_back("below: ");
        EXPECT_TRUE(seeing.records(range, add));
        range.fields = RecordRange::Fields::all;
        out.emplace_back("with text: ");
        EXPECT_TRUE(seeing.records(range, add_with_text));
        range.after = id_of(12);
        range.limit = 2;
        out.emplace_back("two after: ");
        EXPECT_TRUE(seeing.records(range, add_with_text));
        out.emplace_back("counts: ");
        const std::vector<RecordCount> counts = seeing.counts({.keys = parents, .family = family}).value();
        for (const RecordCount& count : counts) {
          out.push_back(to_text(count.key) + " " + std::to_string(count.family) + " " + std::to_string(count.count));
        }
      }
    }
    std::ranges::sort(out);  // counts come in any order
    std::vector<std::string> below;
    const Rows rows = seeing.rows({.parents = parents}).value();
    for (const Shared<Record>& record : rows.children) {
      out.emplace_back();
      add_with_text(*record);
      below.push_back(std::move(out.back()));
      out.pop_back();
    }
    std::ranges::stable_sort(below);
    out.insert(out.end(), below.begin(), below.end());
    return out;
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

TEST_F(PostgreSQLReads, lists_follow_every_commit) {
  const auto children = [&](Store& store) { return ids_of(*writing(store), children_of(0)).size(); };
  EXPECT_EQ(children(*ours_), 2U);
  ASSERT_TRUE(write(*ours_, changes_of({write_of(record_of(3))})));
  EXPECT_EQ(children(*ours_), 3U);
  ASSERT_TRUE(write(*theirs_, changes_of({write_of(record_of(4))})));
  EXPECT_EQ(children(*ours_), 4U);
}

TEST_F(PostgreSQLReads, machines_follow_every_commit) {
  ASSERT_TRUE(put(*ours_, machine_of(11, 1)));
  const auto of_owner = [&](std::uint64_t owner) { return owned(*writing(*ours_), owner).size(); };
  EXPECT_EQ(machine_revision_of(*writing(*ours_), 11), 1U);
  EXPECT_EQ(of_owner(1), 1U);
  ASSERT_TRUE(put(*theirs_, machine_of(11, 1, 1, 2)));
  EXPECT_EQ(machine_revision_of(*writing(*ours_), 11), 2U) << "of another process";
  ASSERT_TRUE(put(*theirs_, machine_of(12, 1)));
  EXPECT_EQ(of_owner(1), 2U);
  ASSERT_TRUE(put(*ours_, machine_of(13, 1)));
  EXPECT_EQ(of_owner(1), 3U) << "a new one";
  ASSERT_TRUE(put(*ours_, machine_of(13, 2, 1, 2)));
  EXPECT_EQ(of_owner(1), 2U) << "another owner";
  EXPECT_EQ(of_owner(2), 1U);
  Changes gone;
  gone.erasures = {id_of(12)};
  ASSERT_TRUE(write(*ours_, gone));
  EXPECT_EQ(of_owner(1), 1U);
  EXPECT_EQ(machine_revision_of(*writing(*ours_), 12), 0U);
}

TEST_F(PostgreSQLReads, machines_that_were_rolled_back_are_forgotten) {
  ASSERT_TRUE(put(*ours_, machine_of(11, 1)));
  EXPECT_EQ(owned(*writing(*ours_), 1).size(), 1U);
  {
    const auto writer = writing(*ours_);
    ASSERT_TRUE(writer->apply(changes_of({machine_of(11, 1, 1, 2), machine_of(12, 1)})));
    EXPECT_EQ(machine_revision_of(*writer, 11), 2U) << "its own change";
    EXPECT_EQ(owned(*writer, 1).size(), 2U);
  }
  EXPECT_EQ(machine_revision_of(*writing(*ours_), 11), 1U);
  EXPECT_EQ(owned(*writing(*ours_), 1).size(), 1U);
  EXPECT_FALSE(put(*ours_, machine_of(11, 1, 1, 3))) << "a lost update";
  EXPECT_EQ(machine_revision_of(*writing(*ours_), 11), 1U);
  ASSERT_TRUE(put(*ours_, machine_of(11, 1, 1, 2)));
  EXPECT_EQ(machine_revision_of(*writing(*ours_), 11), 2U);
}

// After any writes of two processes, a writer, which uses the cache, sees the same as a reader, which asks the server.
TEST_F(PostgreSQLReads, what_is_known_is_what_the_server_holds) {
  std::mt19937 random(7);
  const auto drawn = [&](std::uint64_t below) { return random() % below; };
  for (int round = 0; round < 300; ++round) {
    {
      const auto writer = writing(drawn(4) == 0 ? *theirs_ : *ours_);
      Changes changes;
      for (std::uint64_t number = 10; number < 16; ++number) {
        const std::uint64_t revision = machine_revision_of(*writer, number);
        if (drawn(6) == 0) changes.erasures.push_back(id_of(number));
        if (drawn(3) != 0 || !changes.erasures.empty()) continue;
        changes.machines.push_back(machine_of(
            number, drawn(3) + 1, static_cast<FamilyNumber>(revision == 0 ? drawn(2) + 1 : 1), revision + 1));
        // too large for the cache
        if (drawn(5) == 0) changes.machines.back().detail.edit().reason = std::string(9'000, 'x');
      }
      if (drawn(8) == 0) (void)writer->apply(changes);  // rolled back
      else ASSERT_TRUE(writer->apply_and_commit(Changes(changes)));
    }
    ASSERT_EQ(all_machines(Access::write, *ours_), all_machines(Access::read, *ours_)) << "round " << round;
  }
}

TEST_F(PostgreSQLReads, lists_of_records_are_what_the_server_holds) {
  std::mt19937 random(11);
  const auto drawn = [&](std::uint64_t below) { return random() % below; };
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> in_between;
    bool is_kept = false;
    {
      const auto writer = writing(drawn(6) == 0 ? *theirs_ : *ours_);
      Changes changes;
      for (std::uint64_t number = 10; number < 18; ++number) {
        const std::uint64_t revision =
            drawn(3) == 0 ? unread_revision_of(*theirs_, number) : revision_of(*writer, number);
        if (revision != 0 && drawn(8) == 0) {
          changes.erasures.push_back(id_of(number));
          continue;
        }
        if (drawn(4) != 0) continue;
        RecordWrite write =
            write_of(record_of(number, drawn(3) + 1, static_cast<FamilyNumber>(drawn(3) + 1), revision + 1));
        write.expected_revision = revision;
        write.record.body = std::string(drawn(9) == 0 ? 9'000 : drawn(30), 'x');  // sometimes too large for the cache
        changes.records.push_back(std::move(write));
      }
      if (drawn(2) == 0) {  // applied in two parts
        ASSERT_TRUE(writer->apply(changes));
        in_between = all_below(*writer);
        changes = changes_of({write_of(record_of(static_cast<std::uint64_t>(100 + round), 4))});
      }
      is_kept = drawn(6) != 0;
      if (is_kept) ASSERT_TRUE(writer->apply_and_commit(Changes(changes)));
      else (void)writer->apply(changes);
    }
    if (is_kept && !in_between.empty()) { ASSERT_EQ(in_between, all_below(Access::read, *ours_)) << "round " << round; }
    if (drawn(3) == 0) continue;
    ASSERT_EQ(all_below(Access::write, *ours_), all_below(Access::read, *ours_)) << "round " << round;
  }
}

TEST_F(PostgreSQLReads, what_was_read_without_its_text_is_read_again_for_it) {
  RecordWrite write_of_text = write_of(record_of(5, 1));
  write_of_text.record.body = "a text";
  ASSERT_TRUE(write(*theirs_, changes_of({write_of_text})));
  const auto writer = writing(*ours_);
  EXPECT_TRUE(
      writer->records({.key = id_of(1), .fields = RecordRange::Fields::no_text}, [](const Record&) { return true; }));
  EXPECT_EQ(writer->record(id_of(5)).value()->body, "a text");
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
