#include "unit/unit.h"

#include <gtest/gtest.h>

#include <map>

#include "store/open.h"

namespace orlop {
namespace {

class OrderedRandomSource final : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override { return transaction * 31 + index; }
};

class UnitTest : public testing::Test {
 protected:
  template <typename Work>
  void commit(Work work) {
    auto transaction = store_->begin(Access::write);
    ASSERT_TRUE(transaction);
    Unit unit(**transaction, random_source_, {++transactions_, {}, static_cast<std::uint32_t>(transactions_ * 1000)},
              Instant{1000}, settings_);
    work(unit);
    const auto applied = (*transaction)->apply(unit.changes());
    ASSERT_TRUE(applied) << applied.error().message;
    ASSERT_TRUE((*transaction)->commit());
  }

  static Record record_of(const Id& id, const Id& parent, std::string body) {
    Record record;
    record.id = id;
    record.family = 2;
    record.parent = parent;
    record.body = std::move(body);
    return record;
  }

  std::unique_ptr<Store> store_ = open_memory_store();
  OrderedRandomSource random_source_;
  Settings settings_;
  std::uint64_t transactions_ = 0;
};

TEST_F(UnitTest, VisitsWhatItReads) {
  const Id parent{{7}};
  Id stored;
  Id gone;
  commit([&](Unit& unit) {
    stored = unit.make_id();
    gone = unit.make_id();
    unit.put(record_of(stored, parent, "old"));
    unit.put(record_of(gone, parent, "gone"));
  });
  commit([&](Unit& unit) {
    Record changed = **unit.record(stored);
    changed.body = "new";
    unit.put(changed);
    unit.erase(gone);
    const Id added = unit.make_id();
    unit.put(record_of(added, parent, "added"));
    const auto texts = [&](std::size_t wanted) {
      std::vector<std::string> found;
      EXPECT_TRUE(unit.visit({.key = parent, .family = 2}, [&](const Record& record) {
        found.push_back(record.body);
        return found.size() < wanted;
      }));
      return found;
    };
    EXPECT_EQ(texts(9), (std::vector<std::string>{"new", "added"}));
    EXPECT_EQ(texts(1), (std::vector<std::string>{"new"}));
    EXPECT_EQ(unit.records({.key = parent, .family = 2})->size(), 2U);
    EXPECT_EQ(unit.records({.key = parent, .family = 3})->size(), 0U);
    unit.hide(parent);
    EXPECT_EQ(texts(9).size(), 0U);
  });
}

TEST_F(UnitTest, ReadsItsOwnChangesBeforeTheyAreStored) {
  commit([](Unit& unit) {
    const Id id = unit.make_id();
    unit.put(record_of(id, {}, "{\"a\":1}"), "key");
    EXPECT_EQ((*unit.record(id))->body, "{\"a\":1}");
    EXPECT_EQ(*unit.find("key"), id);
    EXPECT_EQ(unit.records({.key = {}, .family = 2})->size(), 1U);
  });
}

TEST_F(UnitTest, ListsMergeWhatIsStoredWithWhatChanged) {
  Id first;
  Id second;
  Id third;
  commit([&](Unit& unit) {
    first = unit.make_id();
    second = unit.make_id();
    unit.put(record_of(first, {}, "1"), "");
    unit.put(record_of(second, {}, "2"), "");
  });
  commit([&](Unit& unit) {
    third = unit.make_id();
    Record changed = **unit.record(second);
    changed.body = "22";
    unit.put(changed);
    unit.erase(first);
    unit.put(record_of(third, {}, "3"), "");
    const auto records = unit.records({.key = {}, .family = 2});
    ASSERT_EQ(records->size(), 2U);
    EXPECT_EQ((*records)[0].body, "22");
    EXPECT_EQ((*records)[1].body, "3");
    EXPECT_FALSE(*unit.record(first));
  });
}

TEST_F(UnitTest, SeveralPutsOfOneRecordAreOneRevision) {
  Id id;
  commit([&](Unit& unit) {
    id = unit.make_id();
    unit.put(record_of(id, {}, "1"), "name");
    unit.put(**unit.record(id));
    ASSERT_EQ(unit.changes().records.size(), 1U);
    EXPECT_EQ(unit.changes().records[0].record.revision, 1U);
    EXPECT_EQ(unit.changes().records[0].name_key, "name");
  });
  commit([&](Unit& unit) {
    Record read = **unit.record(id);
    EXPECT_EQ(read.revision, 1U);
    unit.put(read);
    unit.put(**unit.record(id));
    EXPECT_EQ(unit.changes().records[0].record.revision, 2U);
  });
}

TEST_F(UnitTest, SeveralPutsOfOneMachineAreOneRevision) {
  Machine machine;
  commit([&](Unit& unit) {
    machine.id = unit.make_id();
    machine.owner = unit.make_id();
    machine.state = 1;
    unit.put(machine);
    Machine read = **unit.machine(machine.id);
    read.state = 2;
    unit.put(read);
    ASSERT_EQ(unit.changes().machines.size(), 1U);
    EXPECT_EQ(unit.machines(machine.owner)->at(0).state, 2);
  });
  commit([&](Unit& unit) { EXPECT_EQ((*unit.machine(machine.id))->revision, 1U); });
}

TEST_F(UnitTest, VisitsStatesAsItReadsMachines) {
  const Id owner{{7}};
  std::vector<Id> ids;
  const auto state_of = [&](std::uint8_t state) {
    Machine machine;
    machine.id = ids.back();
    machine.owner = owner;
    machine.state = state;
    return machine;
  };
  commit([&](Unit& unit) {
    for (std::uint8_t state = 1; state <= 3; ++state) {
      ids.push_back(unit.make_id());
      unit.put(record_of(ids.back(), owner, "{}"));
      unit.put(state_of(state));
    }
  });
  commit([&](Unit& unit) {
    Machine changed = **unit.machine(ids[0]);
    changed.state = 11;
    unit.put(changed);
    unit.erase(ids[1]);
    ids.push_back(unit.make_id());
    unit.put(state_of(4));
    std::map<Id, std::uint8_t> visited;
    ASSERT_TRUE(unit.visit_states(owner, [&](const Machine& machine) { visited[machine.id] = machine.state; }));
    EXPECT_EQ(visited, (std::map<Id, std::uint8_t>{{ids[0], 11}, {ids[2], 3}, {ids[3], 4}}));
    unit.hide(owner);
    ASSERT_TRUE(unit.visit_states(owner, [&](const Machine&) { ADD_FAILURE() << "the owner is hidden"; }));
  });
}

TEST_F(UnitTest, ATrialLeavesTheUnitAsItIs) {
  commit([](Unit& unit) {
    unit.set_author("anna");
    const Id first = unit.make_id();
    {
      Unit trial(Unit::Trial(), unit);
      EXPECT_EQ(trial.author(), "anna");
      EXPECT_EQ(trial.now(), unit.now());
      trial.put(record_of(trial.make_id(), first, "{}"), "name");
    }
    EXPECT_TRUE(unit.changes().empty());
    EXPECT_EQ(unit.id_count(), 1U + 1000U);
    unit.put(record_of(first, {}, "{}"), "name");
  });
}

TEST_F(UnitTest, ErasingWhatThisUnitMadeLeavesNoTrace) {
  commit([](Unit& unit) {
    const Id gone = unit.make_id();
    const Id stays = unit.make_id();
    unit.put(record_of(gone, {}, "1"), "a");
    unit.put(record_of(stays, {}, "2"), "b");
    unit.erase(gone);
    EXPECT_TRUE(unit.changes().erasures.empty());
    ASSERT_EQ(unit.changes().records.size(), 1U);
    EXPECT_EQ((*unit.record(stays))->body, "2");
    EXPECT_FALSE(*unit.find("a"));
  });
}

TEST_F(UnitTest, ALimitCountsWhatIsLeftAfterItsErasures) {
  std::vector<Id> ids;
  commit([&](Unit& unit) {
    for (int at = 0; at < 6; ++at) {
      ids.push_back(unit.make_id());
      unit.put(record_of(ids.back(), {}, "1"), "");
    }
  });
  commit([&](Unit& unit) {
    unit.erase(ids[0]);
    unit.erase(ids[2]);
    const auto records = unit.records({.key = {}, .family = 2, .limit = 2});
    ASSERT_EQ(records->size(), 2U);
    EXPECT_EQ((*records)[0].id, ids[1]);
    EXPECT_EQ((*records)[1].id, ids[3]);
  });
}

TEST_F(UnitTest, WhatIsHiddenIsNotReadNorWhatLiesBelow) {
  Id root;
  Id child;
  commit([&](Unit& unit) {
    root = unit.make_id();
    child = unit.make_id();
    unit.put(record_of(root, {}, "1"), "root");
    unit.put(record_of(child, root, "2"), "");
    unit.hide(root);
    EXPECT_FALSE(*unit.record(root));
    EXPECT_TRUE(unit.records({.key = root})->empty());
    EXPECT_TRUE(unit.changes().erasures.empty());
  });
  commit([&](Unit& unit) { EXPECT_TRUE(*unit.record(root)); });
}

TEST_F(UnitTest, ANameThatIsGivenAnewLeadsToItsNewHolder) {
  commit([](Unit& unit) {
    const Id first = unit.make_id();
    const Id second = unit.make_id();
    unit.put(record_of(first, {}, "1"), "a");
    unit.put(**unit.record(first), "b");
    EXPECT_FALSE(*unit.find("a"));
    unit.put(record_of(second, {}, "2"), "a");
    EXPECT_EQ(*unit.find("a"), second);
    EXPECT_EQ(*unit.find("b"), first);
    unit.put(**unit.record(first), "");
    EXPECT_FALSE(*unit.find("b"));
  });
}

TEST_F(UnitTest, ANameIsFreeOnceItsHolderGaveItUp) {
  Id id;
  commit([&](Unit& unit) {
    id = unit.make_id();
    unit.put(record_of(id, {}, "1"), "old");
  });
  commit([&](Unit& unit) {
    unit.put(**unit.record(id), "new");
    EXPECT_FALSE(*unit.find("old"));
    EXPECT_EQ(*unit.find("new"), id);
  });
}

}  // namespace
}  // namespace orlop
