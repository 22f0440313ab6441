#include "store/active_machines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace orlop {
namespace {

Id machine_numbered(unsigned number) {
  Id id;
  id.bytes[14] = static_cast<std::uint8_t>(number >> 8);
  id.bytes[15] = static_cast<std::uint8_t>(number);
  return id;
}

// Machines that become active and come to rest at random, tidied after each few: those that are active are always noted, and not many others.
TEST(ActiveMachines, ThoseThatAreActiveAreNoted) {
  constexpr unsigned count = 2000;
  std::mt19937 random(3);
  ActiveMachines noted;
  std::set<Id> marked;  // as the table has them: noted, and not forgotten since
  std::set<Id> active;
  for (int round = 0; round < 20'000; ++round) {
    const Id machine = machine_numbered(static_cast<unsigned>(random() % count));
    if (active.erase(machine) == 0) {
      active.insert(machine);
      if (marked.insert(machine).second) noted.note(machine);
    }
    if (active.size() > 300) active.erase(active.begin());
    if (random() % 3 != 0) continue;
    noted.tidy([&](const Id& id) {
      if (active.contains(id)) return true;
      marked.erase(id);
      return false;
    });
    if (round % 100 != 0) continue;
    std::vector<Id> found;
    noted.for_each([&](const Id& id) { found.push_back(id); });
    std::ranges::sort(found);
    ASSERT_EQ(std::ranges::adjacent_find(found), found.end());
    ASSERT_TRUE(std::ranges::includes(found, active));
    ASSERT_LT(found.size(), 1500U);
  }
  EXPECT_GT(active.size(), 200U);
}

TEST(ActiveMachines, AreForgottenWhenTheyLeaveAndNoOthersCome) {
  constexpr unsigned count = 2000;
  ActiveMachines noted;
  std::set<Id> active;
  const auto is_active = [&](const Id& id) { return active.contains(id); };
  for (unsigned number = 0; number < count; ++number) {
    noted.note(machine_numbered(number));
    active.insert(machine_numbered(number));
    noted.tidy(is_active);
  }
  std::size_t looked_at = 0;
  for (unsigned number = 0; number < count; ++number) {
    active.erase(machine_numbered(number));
    noted.leave();
    noted.tidy([&](const Id& id) { return ++looked_at, is_active(id); });
    if (active.size() % 100 != 0) continue;
    std::size_t found = 0;
    noted.for_each([&](const Id&) { ++found; });
    ASSERT_GE(found, active.size());
    ASSERT_LE(found, active.size() * 3 + 64);
  }
  EXPECT_LE(looked_at, count * 4);
}

}  // namespace
}  // namespace orlop
