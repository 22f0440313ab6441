#include "unit/without_deleted.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "base/deletion_number.h"
#include "store/open.h"
#include "store/partition.h"
#include "unit/sim/refusing_store.h"

namespace orlop {
namespace {

constexpr FamilyNumber plain_family = 7;

class WithoutDeletedTest : public testing::Test {
 protected:
  // root ── child ── grandchild (refers to target, has a machine owned by child); other refers to target too.
  void SetUp() override {
    Changes changes;
    add(changes, root, {}, "root", {});
    add(changes, child, root, "child", {});
    add(changes, grandchild, child, "grandchild", {target});
    add(changes, other, {}, "other", {target});
    add(changes, target, {}, "target", {});
    add(changes, stranger, {}, "stranger", {target}, stranger);
    Machine machine;
    machine.id = grandchild;
    machine.family = plain_family;
    machine.owner = child;
    machine.partition = partition_of(root);
    machine.revision = 1;
    machine.active = true;
    changes.machines.push_back(machine);
    apply(changes);
  }

  std::unique_ptr<Transaction> begin(Access access = Access::read) {
    auto begun = store_->begin(access);
    if (!begun) return nullptr;
    auto present = without_deleted(std::move(*begun));
    return present ? std::move(*present) : nullptr;
  }
  // Writes a deletion mark, as any process may.
  void hide(const Id& mark, const std::vector<Id>& roots) {
    RecordWrite write;
    write.record.id = mark;
    write.record.family = deletion_number;
    write.record.organization = root;
    write.record.revision = 1;
    std::string ids;
    for (const Id& id : roots) append_text(ids, id);
    write.record.body = R"({"roots":")" + ids + "\"}";
    Changes changes;
    changes.records.push_back(std::move(write));
    apply(changes);
  }
  void show(const Id& mark) {
    Changes changes;
    changes.erasures = {mark};
    apply(changes);
  }
  void apply(const Changes& changes) {
    auto transaction = store_->begin(Access::write).value();
    ASSERT_TRUE(transaction->apply(changes));
    ASSERT_TRUE(transaction->commit());
  }

  static void add(Changes& changes, const Id& id, const Id& parent, const std::string& name, std::vector<Id> references,
                  const Id& organization = root) {
    RecordWrite write;
    write.record.id = id;
    write.record.family = plain_family;
    write.record.parent = parent;
    write.record.organization = organization;
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
  static constexpr Id stranger{{6}};  // in another organization
  static constexpr Id mark{{8}};
  static constexpr Id other_mark{{9}};
  std::unique_ptr<Store> store_ = open_memory_store();
};

TEST_F(WithoutDeletedTest, WhatLiesBelowARootIsNotThere) {
  hide(mark, {root});
  auto transaction = begin();
  for (const Id& id : {root, child, grandchild}) EXPECT_FALSE(*transaction->record(id));
  EXPECT_FALSE(*transaction->machine(grandchild));
  EXPECT_FALSE(*transaction->find("grandchild"));
  EXPECT_TRUE(transaction->links(grandchild)->references.empty());
  EXPECT_EQ(ids_of(*transaction, {.family = plain_family}), (std::vector{other, target, stranger}));
  EXPECT_TRUE(ids_of(*transaction, {.key = child}).empty());
  EXPECT_EQ(ids_of(*transaction, by_reference()), (std::vector{other, stranger}));
  EXPECT_EQ(machines_in(*transaction, MachineRange::By::owner), 0U);
  EXPECT_EQ(machines_in(*transaction, MachineRange::By::active), 0U);
  const Id keys[] = {child, target};
  EXPECT_EQ(*transaction->counts({.by = RecordRange::By::reference, .keys = keys}),
            (std::vector<RecordCount>{{target, plain_family, 2}}));
  EXPECT_TRUE(*transaction->record(other));
  EXPECT_TRUE(*transaction->record(stranger));
  EXPECT_EQ(**transaction->find("other"), other);
  for (const std::span<const Id> ids : {std::span<const Id>(keys), std::span<const Id>(&other, 1)}) {
    std::vector<Id> found;
    const Rows rows = transaction->rows({.records = ids}).value();
    for (const Shared<Record>& record : rows.records) found.push_back(record->id);
    EXPECT_EQ(found, std::vector{ids.back()});
  }
}

TEST_F(WithoutDeletedTest, ALimitCountsWhatIsSeen) {
  hide(mark, {root});
  auto transaction = begin();
  RecordRange range;
  range.limit = 1;
  EXPECT_EQ(ids_of(*transaction, range), std::vector{other});
  RecordRange referrers = by_reference();
  referrers.limit = 1;
  EXPECT_EQ(ids_of(*transaction, referrers), std::vector{other});
}

TEST_F(WithoutDeletedTest, WhatIsShownAgainIsThere) {
  hide(mark, {root});
  hide(other_mark, {other});
  auto before = begin();
  show(mark);
  EXPECT_FALSE(*before->record(child));  // a transaction keeps the marks from its beginning
  before.reset();
  EXPECT_TRUE(*begin()->record(grandchild));
  EXPECT_FALSE(*begin()->record(other));
  show(other_mark);
  auto transaction = begin();
  EXPECT_EQ(ids_of(*transaction, {}), (std::vector{root, other, target, stranger}));
  EXPECT_EQ(machines_in(*transaction, MachineRange::By::active), 1U);
}

TEST_F(WithoutDeletedTest, AMarkMayNameSeveralRoots) {
  hide(mark, {grandchild, other});
  auto transaction = begin();
  EXPECT_TRUE(*transaction->record(child));
  EXPECT_TRUE(ids_of(*transaction, {.key = child}).empty());
  EXPECT_EQ(machines_in(*transaction, MachineRange::By::owner), 0U);
  EXPECT_EQ(ids_of(*transaction, by_reference()), std::vector{stranger});
}

TEST_F(WithoutDeletedTest, AMarkThatIsNoListOfIdsIsRefused) {
  hide(mark, {root});
  Changes changes;
  RecordWrite write;
  write.record = **store_->begin(Access::read).value()->record(mark);
  write.expected_revision = write.record.revision++;
  write.record.body = R"({"roots":"x"})";
  changes.records.push_back(write);
  apply(changes);
  EXPECT_EQ(without_deleted(store_->begin(Access::read).value()).error().code, ErrorCode::storage_corrupt);
}

TEST_F(WithoutDeletedTest, AsksTheStoreWhetherWhatItHasReadIsStillSo) {
  auto refusing = std::make_unique<tests::RefusingStore>();
  refusing->can_be_optimistic = true;
  tests::RefusingStore& store = *refusing;
  store_ = std::move(refusing);
  hide(mark, {root});
  auto transaction = without_deleted(store.begin(Access::optimistic).value()).value();
  EXPECT_TRUE(transaction->validate());
  store.is_stale = true;
  EXPECT_EQ(transaction->validate().error().code, ErrorCode::lost_update);
}

}  // namespace
}  // namespace orlop
