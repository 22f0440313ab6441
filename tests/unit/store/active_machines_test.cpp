#include "store/active_machines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace orlop {
namespace {

Id machine_numbered(unsigned number) {
  Id id;
  id.bytes[0] = 1;
  id.bytes[14] = static_cast<std::uint8_t>(number >> 8);
  id.bytes[15] = static_cast<std::uint8_t>(number);
  return id;
}

// Positions at which machines are noted, as a table of machines has them.
class Marks {
 public:
  void note(ActiveMachines& noted, const Id& machine) {
    noted.make_room(1);
    if (!places_.contains(machine)) places_[machine] = noted.note(machine);
  }
  void forget(ActiveMachines& noted, const Id& machine) {
    noted.make_room(1);
    noted.forget(places_.at(machine));
    places_.erase(machine);
  }
  void tidy(ActiveMachines& noted, const std::set<Id>& active) {
    noted.tidy([&](const Id& machine, std::uint32_t from, std::uint32_t to) {
      ++looked_at_;
      const auto place = places_.find(machine);
      if (place == places_.end() || place->second != from) return false;
      if (!active.contains(machine)) return places_.erase(place), false;
      place->second = to;
      return true;
    });
  }
  std::size_t looked_at() const { return looked_at_; }
  std::uint32_t place_of(const Id& machine) const { return places_.at(machine); }

 private:
  std::map<Id, std::uint32_t> places_;
  std::size_t looked_at_ = 0;
};

void note_many(ActiveMachines& noted, Marks& marks, std::set<Id>& active, unsigned count) {
  for (unsigned number = 0; number < count; ++number) {
    marks.note(noted, machine_numbered(number));
    active.insert(machine_numbered(number));
    marks.tidy(noted, active);
  }
}

std::vector<Id> all_of(const ActiveMachines& noted) {
  std::vector<Id> found;
  noted.for_each([&](const Id& machine) { found.push_back(machine); });
  std::ranges::sort(found);
  return found;
}

// Machines become active and inactive at random, some unseen, with a tidy after every few: active ones are always
// noted, once each, with few others.
TEST(ActiveMachines, ThoseThatAreActiveAreNoted) {
  constexpr unsigned count = 2000;
  for (const unsigned seen : {0U, 50U, 100U}) {  // percentage of machines that become inactive unseen
    std::mt19937 random(3);
    ActiveMachines noted;
    Marks marks;
    std::set<Id> active;
    const auto rest = [&](const Id& machine) {
      active.erase(machine);
      if (random() % 100 < seen) noted.leave();
      else marks.forget(noted, machine);
    };
    for (int round = 0; round < 20'000; ++round) {
      const Id machine = machine_numbered(static_cast<unsigned>(random() % count));
      if (active.contains(machine)) {
        rest(machine);
      } else {
        active.insert(machine);
        marks.note(noted, machine);
      }
      if (active.size() > 300) rest(Id(*active.begin()));
      if (random() % 3 != 0) continue;
      marks.tidy(noted, active);
      if (round % 100 != 0) continue;
      const std::vector<Id> found = all_of(noted);
      ASSERT_EQ(std::ranges::adjacent_find(found), found.end());
      ASSERT_TRUE(std::ranges::includes(found, active));
      ASSERT_LT(found.size(), 1500U);
      ASSERT_TRUE(seen != 0 || found.size() == active.size());
    }
    EXPECT_GT(active.size(), 200U);
  }
}

TEST(ActiveMachines, AreForgottenWhenTheyLeaveAndNoOthersCome) {
  constexpr unsigned count = 2000;
  ActiveMachines noted;
  Marks marks;
  std::set<Id> active;
  note_many(noted, marks, active, count);
  const std::size_t before = marks.looked_at();
  for (unsigned number = 0; number < count; ++number) {
    active.erase(machine_numbered(number));
    noted.leave();
    marks.tidy(noted, active);
    if (active.size() % 100 != 0) continue;
    const std::size_t found = all_of(noted).size();
    ASSERT_GE(found, active.size());
    ASSERT_LE(found, active.size() * 3 + 64);
  }
  EXPECT_LE(marks.looked_at() - before, count * 4);
}

// Remaining machines are not visited while the others leave, whose slots are given to new ones.
TEST(ActiveMachines, ThatLeaveUnseenCostNoLook) {
  ActiveMachines noted;
  Marks marks;
  std::set<Id> active;
  for (const unsigned count : {8000U, 8000U, 4000U, 100U}) {
    note_many(noted, marks, active, count);
    const std::size_t before = marks.looked_at();
    for (unsigned number = 0; number < count; ++number) {
      active.erase(machine_numbered(number));
      marks.forget(noted, machine_numbered(number));
      marks.tidy(noted, active);
      ASSERT_TRUE(number % 100 != 0 || all_of(noted).size() == active.size());
    }
    EXPECT_LE(marks.looked_at() - before, count / 100);
  }
  marks.note(noted, machine_numbered(0));
  EXPECT_EQ(marks.place_of(machine_numbered(0)), 0U);  // the slots of former machines are freed
}

}  // namespace
}  // namespace orlop
