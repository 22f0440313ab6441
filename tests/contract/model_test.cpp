// Random transactions on a store and on the model; a reader is compared with the model as of its begin.
#include "contract/model.h"

namespace orlop::contract {
namespace {

struct Reader {
  std::unique_ptr<Transaction> transaction;
  Model model;
};

class Play : public Contract {
 protected:
  void TearDown() override {
    readers_.clear();
    Contract::TearDown();
  }

  // Runs one write transaction of up to three applies, and commits it or not.
  void write_once() {
    auto transaction = writing();
    // A writer sees the committed state before its first change, at every read.
    if (random_.below(3) == 0) { ASSERT_EQ(difference(*transaction, model_), ""); }
    Model changed = model_;
    bool is_committed = false;
    for (std::uint64_t count = 1 + random_.below(3); count > 0; --count) {
      const Changes changes = random_.next(changed);
      const std::optional<ErrorCode> expected = changed.apply(changes);
      is_committed = count == 1 && random_.below(2) == 0;
      const Result<void> applied =
          is_committed ? transaction->apply_and_commit(Changes(changes)) : transaction->apply(changes);
      ASSERT_EQ(applied.ok(), !expected.has_value()) << (applied.ok() ? "" : applied.error().message);
      if (expected) {
        ASSERT_EQ(applied.error().code, *expected);
        return;
      }
      // Readers begin and end while the change is open.
      while (!is_committed && random_.below(3) == 0) ASSERT_NO_FATAL_FAILURE(read_once());
    }
    if (!is_committed && random_.below(4) == 0) { ASSERT_EQ(difference(*transaction, changed), ""); }
    if (!is_committed && random_.below(5) == 0) return;
    if (!is_committed) { ASSERT_TRUE(transaction->commit()); }
    model_ = changed;
  }

  void read_once() {
    if (!readers_.empty() && random_.below(2) == 0) {
      const auto at = readers_.begin() + static_cast<std::ptrdiff_t>(random_.below(readers_.size()));
      ASSERT_EQ(difference(*at->transaction, at->model), "");
      readers_.erase(at);
      return;
    }
    Reader reader{reading(), model_};
    ASSERT_EQ(difference(*reader.transaction, reader.model), "");
    // Twice: a cache may answer the second read.
    for (int time = 0; time < 2; ++time) {
      std::string found;
      ASSERT_TRUE(store().read([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
        found = difference(*transaction, model_);
        return {};
      }));
      ASSERT_EQ(found, "");
    }
    if (readers_.size() < 6) readers_.push_back(std::move(reader));
  }

  Model model_;
  std::vector<Reader> readers_;
  RandomChanges random_{seed_of_run()};
};

INSTANTIATE_TEST_SUITE_P(stores, Play, testing::ValuesIn(all_kinds()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Play, a_store_does_what_the_model_does) {
  for (int round = 0; round < GetParam().rounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round) + ", ORLOP_SEED=" + std::to_string(seed_of_run()));
    ASSERT_NO_FATAL_FAILURE(write_once());
    if (random_.below(5) == 0) { ASSERT_NO_FATAL_FAILURE(read_once()); }
    if (GetParam().survives_close && random_.below(60) == 0) {
      readers_.clear();
      ASSERT_NO_FATAL_FAILURE(reopen());
      ASSERT_EQ(difference(*reading(), model_), "");
    }
  }
  ASSERT_EQ(difference(*reading(), model_), "");
  EXPECT_GT(model_.events.size(), static_cast<std::size_t>(GetParam().rounds / 2));
  EXPECT_GT(model_.records.size(), 10U);
}

}  // namespace
}  // namespace orlop::contract
