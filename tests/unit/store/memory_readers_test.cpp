// Readers of the store in memory next to a writer; they read without its lock.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "store/open.h"
#include "store/store.h"
#include "store/store_checkpoint.h"

namespace orlop {
namespace {

constexpr unsigned machine_count = 40;
constexpr std::uint64_t commits = 400;

Id machine_id(unsigned number) {
  Id id;
  id.bytes[0] = 1;
  id.bytes[15] = static_cast<std::uint8_t>(number);
  return id;
}

// Returns the id of the record that a commit creates, and the next one erases.
Id record_made_by(std::uint64_t commit) {
  Id id;
  id.bytes[0] = 3;
  id.bytes[14] = static_cast<std::uint8_t>(commit >> 8);
  id.bytes[15] = static_cast<std::uint8_t>(commit);
  return id;
}

Id owner_id() {
  Id id;
  id.bytes[0] = 2;
  return id;
}

// The writer of these tests: each commit writes its number into every machine, every second one of which is active,
// with an event about each of them, and it replaces the record of the previous commit. A third of its transactions are
// rolled back.
class NumberWriter {
 public:
  explicit NumberWriter(Store& store) : store_(store) {}

  void write(std::uint64_t number) {
    for (const bool is_kept : {number % 3 != 0, true}) {
      auto transaction = store_.begin(Access::write);
      ASSERT_TRUE(transaction.ok());
      Changes changes;
      for (unsigned at = 0; at < machine_count; ++at) {
        const auto stored = (*transaction)->machine(machine_id(at));
        ASSERT_TRUE(stored.ok());
        ASSERT_EQ(stored->has_value(), number > 1);
        Machine machine = *stored ? **stored : Machine();
        ASSERT_EQ(machine.progress, number - 1);
        machine.id = machine_id(at);
        machine.owner = owner_id();
        machine.family = 7;
        ++machine.revision;
        machine.progress = number;
        machine.active = (at + number) % 2 == 0;
        changes.machines.push_back(machine);
        Event event;
        event.subject = machine.id;
        event.revision = number;
        changes.events.push_back(event);
      }
      const auto before = (*transaction)->record(record_made_by(number - 1));
      ASSERT_TRUE(before.ok());
      ASSERT_EQ(before->has_value(), number > 1);
      if (number > 1) changes.erasures.push_back(record_made_by(number - 1));
      changes.records.push_back({{.id = record_made_by(number),
                                  .family = 7,
                                  .parent = owner_id(),
                                  .organization = owner_id(),
                                  .revision = 1,
                                  .body = "{}",
                                  .secrets = {}},
                                 0,
                                 {},
                                 {}});
      if (number % 50 == 0) changes.forgotten_events = machine_count;
      ASSERT_TRUE((*transaction)->apply(changes).ok());
      std::uint64_t last = 0;
      ASSERT_TRUE((*transaction)
                      ->events({.subject = machine_id(3), .order = EventRange::Order::newest_first, .limit = 1},
                               [&](const Event& event) { return last = event.revision, true; })
                      .ok());
      ASSERT_EQ(last, number);
      if (!is_kept) continue;
      ASSERT_TRUE((*transaction)->commit().ok());
      return;
    }
  }

 private:
  Store& store_;
};

// Checks that a reader sees the state of one commit.
void expect_one_state(Transaction& transaction) {
  std::uint64_t number = 0;
  unsigned count = 0;
  unsigned active = 0;
  ASSERT_TRUE(transaction
                  .machines({.by = MachineRange::By::owner, .owner = owner_id()},
                            [&](const Machine& machine) {
                              number = count++ == 0 ? machine.progress : number;
                              EXPECT_EQ(machine.progress, number);
                              active += machine.active ? 1 : 0;
                              return true;
                            })
                  .ok());
  unsigned found = 0;
  ASSERT_TRUE(transaction
                  .machines({.by = MachineRange::By::active},
                            [&](const Machine& machine) {
                              EXPECT_EQ(machine.progress, number);
                              return ++found, true;
                            })
                  .ok());
  EXPECT_EQ(found, active);
  const auto machine = transaction.machine(machine_id(1));
  ASSERT_TRUE(machine.ok());
  EXPECT_EQ(*machine ? (*machine)->progress : 0, number);
  std::uint64_t last = 0;
  ASSERT_TRUE(
      transaction.events({.subject = machine_id(5)}, [&](const Event& event) { return last = event.revision, true; })
          .ok());
  EXPECT_EQ(last, number);
  for (const std::uint64_t commit : {number - 1, number, number + 1}) {
    const auto record = transaction.record(record_made_by(commit));
    ASSERT_TRUE(record.ok());
    EXPECT_EQ(record->has_value(), commit == number && number != 0);
  }
  const auto end = transaction.feed_end();
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end->sequence, number * machine_count);
}

TEST(MemoryReaders, SeeOneStateWhileAnotherIsWritten) {
  const std::unique_ptr<Store> store = open_memory_store();
  std::atomic<bool> is_over = false;
  std::vector<std::thread> readers;
  std::atomic<unsigned> reads = 0;
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      while (!is_over || reads < 10) {
        const auto transaction = store->begin(Access::read);
        ASSERT_TRUE(transaction.ok());
        expect_one_state(**transaction);
        ++reads;
      }
    });
  }
  std::vector<std::shared_ptr<const StoreCheckpoint>> checkpoints;
  auto* const states = dynamic_cast<Checkpoints*>(store.get());
  ASSERT_NE(states, nullptr);
  NumberWriter writer(*store);
  for (std::uint64_t number = 1; number <= commits && !HasFailure(); ++number) {
    writer.write(number);
    if (number % 20 == 0) checkpoints.push_back(states->checkpoint());
    if (checkpoints.size() > 3) checkpoints.erase(checkpoints.begin());
  }
  is_over = true;
  for (std::thread& reader : readers) reader.join();
  const auto old = states->read(*checkpoints.front());
  ASSERT_TRUE(old.ok());
  expect_one_state(**old);
}

}  // namespace
}  // namespace orlop
