// Copies of the store in memory share its rows and events, and a change to one is not visible in another.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "snapshot/snapshot.h"
#include "store/open.h"
#include "store/store.h"
#include "store/store_check.h"
#include "store/store_checkpoint.h"

namespace orlop {
namespace {

constexpr FamilyNumber family = 7;

Id copied_id(unsigned kind, unsigned number) {
  Id id;
  id.bytes[0] = static_cast<std::uint8_t>(kind);
  id.bytes[15] = static_cast<std::uint8_t>(number);
  return id;
}

// Returns everything that a reader finds, after a check of the counts.
std::string text_of(Transaction& reading) {
  EXPECT_TRUE(check_counts(reading).ok());
  auto text = take_snapshot(reading, Instant{});
  EXPECT_TRUE(text.ok()) << text.error().message;
  std::string all = std::move(text).value();
  for (unsigned number = 0; number < 12; ++number) {
    const auto found = reading.find("name " + std::to_string(number));
    EXPECT_TRUE(found.ok());
    all += *found ? to_text(**found) + "\n" : "-\n";
  }
  std::size_t active = 0;
  MachineRange range;
  range.by = MachineRange::By::active;
  EXPECT_TRUE(reading.machines(range, [&](const Machine&) { return ++active != 0; }).ok());
  EventRange of_one;
  of_one.subject = copied_id(1, 3);
  of_one.limit = 1000;
  EXPECT_TRUE(reading
                  .events(of_one,
                          [&](const Event& event) {
                            all += std::to_string(event.sequence) + " ";
                            return true;
                          })
                  .ok());
  return all + std::to_string(active);
}

std::string text_of(Store& store) { return text_of(**store.begin(Access::read)); }
Checkpoints& checkpoints_of(Store& store) { return dynamic_cast<Checkpoints&>(store); }

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}
  unsigned below(unsigned bound) { return std::uniform_int_distribution<unsigned>(0, bound - 1)(random_); }

  // Writes a random transaction: records are created, changed and erased, most with a machine and an event; some
  // transactions are rolled back.
  void write(Store& store) {
    auto writing = store.begin(Access::write);
    ASSERT_TRUE(writing.ok());
    Changes changes;
    for (unsigned left = below(6) + 1, number = below(12); left > 0; --left, number = (number + 1) % 12)
      add(**writing, number, changes);
    if (below(10) == 0) changes.forgotten_events = below(3);
    const auto applied = (*writing)->apply_and_commit(std::move(changes));
    ASSERT_TRUE(applied.ok()) << applied.error().message;
  }

 private:
  void add(Transaction& reading, unsigned number, Changes& changes) {
    const Id id = copied_id(1, number);
    const auto known = reading.record(id);
    const auto machine = reading.machine(id);
    ASSERT_TRUE(known.ok() && machine.ok());
    if (*known && below(4) == 0) {
      changes.erasures.push_back(id);
    } else {
      RecordWrite write;
      write.record.id = id;
      write.record.family = family;
      write.record.organization = copied_id(2, 0);
      write.record.revision = *known ? (*known)->revision + 1 : 1;
      write.record.body = "{\"drawn\":" + std::to_string(below(1000)) + "}";
      write.expected_revision = *known ? (*known)->revision : 0;
      write.name_key = "name " + std::to_string(number);
      if (below(3) == 0) write.references = {copied_id(1, below(12))};
      changes.records.push_back(std::move(write));
      Machine moved = *machine ? **machine : Machine();
      moved.id = id;
      moved.owner = copied_id(3, below(2));
      moved.family = family;
      moved.revision += 1;
      moved.active = below(2) == 0;
      changes.machines.push_back(std::move(moved));
    }
    Event event;
    event.kind = EventKind::edited;
    event.family = family;
    event.subject = id;
    event.at = Instant{1000 + below(5)};
    event.detail = "{\"text\":\"" + std::string(below(40) == 0 ? 9000 : below(90), 'x') + "\"}";
    changes.events.push_back(std::move(event));
  }

  std::mt19937 random_;
};

// Stores with their expected contents, and saved states of them.
class Stores {
 public:
  explicit Stores(unsigned seed) : writer_(seed) { add(open_memory_store()); }

  void step() {
    const unsigned at = writer_.below(static_cast<unsigned>(stores_.size()));
    Kept& kept = *stores_[at];
    switch (writer_.below(8)) {
      case 0:
        kept.saved = checkpoints_of(*kept.store).checkpoint();
        kept.saved_text = kept.text;
        break;
      case 1: {
        if (kept.saved == nullptr || stores_.size() == 5) break;
        auto copy = checkpoints_of(*kept.store).copy(*kept.saved);
        ASSERT_TRUE(copy.ok()) << copy.error().message;
        add(std::move(*copy));
        EXPECT_EQ(stores_.back()->text, kept.saved_text);
        break;
      }
      case 2:
        if (kept.saved == nullptr) break;
        ASSERT_TRUE(checkpoints_of(*kept.store).go_back(*kept.saved).ok());
        kept.text = text_of(*kept.store);
        EXPECT_EQ(kept.text, kept.saved_text);
        break;
      case 3:
        if (stores_.size() > 1) {
          kept.saved.reset();
          stores_.erase(stores_.begin() + at);
        }
        break;
      default: writer_.write(*kept.store); kept.text = text_of(*kept.store);
    }
    for (const auto& each : stores_) ASSERT_EQ(text_of(*each->store), each->text);
  }

 private:
  struct Kept {
    std::unique_ptr<Store> store;
    std::string text;
    std::shared_ptr<const StoreCheckpoint> saved;  // last: destroyed before the store
    std::string saved_text;
  };
  void add(std::unique_ptr<Store> store) {
    auto kept = std::make_unique<Kept>();
    kept->text = text_of(*store);
    kept->store = std::move(store);
    stores_.push_back(std::move(kept));
  }

  Writer writer_;
  std::vector<std::unique_ptr<Kept>> stores_;
};

TEST(MemoryCopies, AreOfOneStateAndOfNoOther) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Stores stores(seed);
    for (int step = 0; step < 120 && !testing::Test::HasFailure(); ++step) stores.step();
    ASSERT_FALSE(testing::Test::HasFailure()) << "with the seed " << seed;
  }
}

TEST(MemoryCopies, AreMadeBesideAWriter) {
  const auto store = open_memory_store();
  Writer writer(3);
  for (int times = 0; times < 40; ++times) writer.write(*store);
  std::atomic<bool> is_over = false;
  std::thread writes([&] {
    for (int commits = 0; commits < 300; ++commits) writer.write(*store);
    is_over = true;
  });
  for (int times = 0; times == 0 || !is_over; ++times) {
    const auto saved = checkpoints_of(*store).checkpoint();
    const auto copy = checkpoints_of(*store).copy(*saved);
    ASSERT_TRUE(copy.ok());
    EXPECT_EQ(text_of(**copy), text_of(**checkpoints_of(*store).read(*saved)));
    Writer(static_cast<unsigned>(times)).write(**copy);
  }
  writes.join();
}

TEST(MemoryCopies, OfAnotherStoresStateAreRefused) {
  const auto store = open_memory_store();
  const auto other = open_memory_store();
  const auto saved = checkpoints_of(*store).checkpoint();
  Writer(1).write(*store);
  const auto later = checkpoints_of(*store).checkpoint();
  ASSERT_TRUE(checkpoints_of(*store).go_back(*saved).ok());
  EXPECT_EQ(checkpoints_of(*store).copy(*later).error().code, ErrorCode::conflict);
  EXPECT_EQ(checkpoints_of(*other).copy(*saved).error().code, ErrorCode::conflict);
}

}  // namespace
}  // namespace orlop
