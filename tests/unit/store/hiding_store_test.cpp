#include "store/hiding_store.h"

#include <gtest/gtest.h>

#include <vector>

#include "store/open.h"

namespace orlop {
namespace {

constexpr FamilyNumber hidden_family = 7;

class HidingStoreTest : public testing::Test {
 protected:
  // root ── child ── grandchild (refers to target, has a machine owned by child); other refers to target too.
  void SetUp() override {
    Changes changes;
    add(changes, root, {}, "root", {});
    add(changes, child, root, "child", {});
    add(changes, grandchild, child, "grandchild", {target});
    add(changes, other, {}, "other", {target});
    add(changes, target, {}, "target", {});
    Machine machine;
    machine.id = grandchild;
    machine.family = hidden_family;
    machine.owner = child;
    machine.revision = 1;
    machine.active = true;
    changes.machines.push_back(machine);
    auto transaction = begin(Access::write);
    ASSERT_TRUE(transaction->apply(changes));
    ASSERT_TRUE(transaction->commit());
  }

  std::unique_ptr<Transaction> begin(Access access = Access::read) {
    auto begun = store_.begin(access);
    return begun ? std::move(*begun) : nullptr;
  }

  static void add(Changes& changes, const Id& id, const Id& parent, const std::string& name, std::vector<Id> references) {
    RecordWrite write;
    write.record.id = id;
    write.record.family = hidden_family;
    write.record.parent = parent;
    write.record.organization = root;
    write.record.revision = 1;
    write.record.body = "{}";
    write.name_key = name;
    write.references = std::move(references);
    changes.records.push_back(std::move(write));
  }

  static std::vector<Id> ids_of(Transaction& transaction, const RecordRange& range) {
    std::vector<Id> ids;
    EXPECT_TRUE(transaction.records(range, [&](const Record& record) { return ids.push_back(record.id), true; }));
    return ids;
  }
  static RecordRange by_reference() {
    RecordRange range;
    range.by = RecordRange::By::reference;
    range.key = target;
    return range;
  }
  static std::size_t machines_in(Transaction& transaction, MachineRange::By by) {
    std::size_t count = 0;
    EXPECT_TRUE(transaction.machines({by, child, 0}, [&](const Machine&) { return ++count, true; }));
    return count;
  }

  static constexpr Id root{{1}};
  static constexpr Id child{{2}};
  static constexpr Id grandchild{{3}};
  static constexpr Id other{{4}};
  static constexpr Id target{{5}};
  HidingStore store_{open_memory_store()};
};

TEST_F(HidingStoreTest, WhatLiesBelowAHiddenRootIsNotThere) {
  store_.hide(root);
  auto transaction = begin();
  for (const Id& id : {root, child, grandchild}) EXPECT_FALSE(*transaction->record(id));
  EXPECT_FALSE(*transaction->machine(grandchild));
  EXPECT_FALSE(*transaction->find("grandchild"));
  EXPECT_TRUE(transaction->links(grandchild)->references.empty());
  EXPECT_EQ(ids_of(*transaction, {}), (std::vector{other, target}));
  EXPECT_TRUE(ids_of(*transaction, {.key = child}).empty());
  EXPECT_EQ(ids_of(*transaction, by_reference()), std::vector{other});
  EXPECT_EQ(machines_in(*transaction, MachineRange::By::owner), 0U);
  EXPECT_EQ(machines_in(*transaction, MachineRange::By::active), 0U);
  EXPECT_TRUE(*transaction->record(other));
  EXPECT_EQ(**transaction->find("other"), other);
}

TEST_F(HidingStoreTest, ALimitCountsWhatIsSeen) {
  store_.hide(root);
  auto transaction = begin();
  RecordRange range;
  range.limit = 1;
  EXPECT_EQ(ids_of(*transaction, range), std::vector{other});
  RecordRange referrers = by_reference();
  referrers.limit = 1;
  EXPECT_EQ(ids_of(*transaction, referrers), std::vector{other});
}

TEST_F(HidingStoreTest, WhatIsShownAgainIsThere) {
  store_.hide(root);
  store_.hide(other);
  auto before = begin();
  store_.show(root);
  EXPECT_FALSE(*before->record(child));  // a transaction keeps what it began with
  before.reset();
  EXPECT_TRUE(*begin()->record(grandchild));
  EXPECT_FALSE(*begin()->record(other));
  store_.show(other);
  auto transaction = begin();
  EXPECT_EQ(ids_of(*transaction, {}), (std::vector{root, other, target}));
  EXPECT_EQ(machines_in(*transaction, MachineRange::By::active), 1U);
}

}  // namespace
}  // namespace orlop
