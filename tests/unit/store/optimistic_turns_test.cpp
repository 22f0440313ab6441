// Turns of the writer in a store whose transactions may begin without waiting for others: one whose reads have changed
// since runs again.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "store/forwarding_transaction.h"
#include "store/open.h"
#include "store/shared_turns.h"

namespace orlop {
namespace {

// A store in memory whose optimistic transactions have a preset outcome.
class OptimisticStore final : public Store {
 public:
  std::vector<Access> begun;
  std::optional<ErrorCode> found_out;  // result of validate() and apply() of an optimistic one

  bool is_optimistic() const override { return true; }
  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    begun.push_back(access);
    const bool is_optimistic = access == Access::optimistic;
    ORLOP_TRY(behind, store_->begin(is_optimistic ? Access::write : access));
    return std::unique_ptr<Transaction>(
        std::make_unique<Opened>(std::move(behind), is_optimistic ? found_out : std::nullopt));
  }

 private:
  class Opened final : public ForwardingTransaction {
   public:
    Opened(std::unique_ptr<Transaction> behind, std::optional<ErrorCode> found_out)
        : ForwardingTransaction(std::move(behind)), found_out_(found_out) {}
    Result<void> apply_and_commit(Changes changes) override {
      return Transaction::apply_and_commit(std::move(changes));
    }
    Result<void> validate() override { return found_out_ ? make_error(*found_out_, "found out") : Result<void>(); }
    Result<void> apply(Changes changes) override {
      ORLOP_CHECK(validate());
      has_applied_ = true;
      return behind().apply(std::move(changes));
    }
    std::optional<std::uint64_t> last_number() const override {
      return has_applied_ ? std::optional<std::uint64_t>(41) : std::nullopt;
    }

   private:
    std::optional<ErrorCode> found_out_;
    bool has_applied_ = false;
  };

  std::shared_ptr<Store> store_ = open_store("memory:").value();
};

class OptimisticTurns : public testing::Test {
 protected:
  using Act = std::function<Result<void>(Transaction&)>;
  Result<void> run(const Act& act) {
    runs = 0;
    store.begun.clear();
    return turns_.run([&](std::unique_ptr<Transaction> transaction) {
      ++runs;
      return act(*transaction);
    });
  }
  static Result<void> write(Transaction& transaction) {
    Changes changes;
    RecordWrite& write = changes.records.emplace_back();
    write.record.id.bytes[15] = 1;
    write.record.family = find_family("organization")->number;
    write.record.revision = 1;
    changes.events.emplace_back();
    return transaction.apply_and_commit(Changes(changes));
  }
  static Result<void> refuse(Transaction&) { return make_error(ErrorCode::invalid, "no"); }
  static Result<void> read(Transaction&) { return {}; }
  static Result<void> fail(Transaction&) { throw std::runtime_error("thrown by the act"); }
  static Result<void> lose(Transaction&) { return make_error(ErrorCode::lost_update, "by the act"); }
  bool is_stored() {
    Id id;
    id.bytes[15] = 1;
    return (*store.begin(Access::read))->record(id)->has_value();
  }

  OptimisticStore store;
  int runs = 0;

 private:
  TransactionTurns writer_{store};
  SharedTurns turns_{writer_};
};

const std::vector<Access> once{Access::optimistic};
const std::vector<Access> twice{Access::optimistic, Access::write};

TEST_F(OptimisticTurns, WhatIsStillSoRunsOnce) {
  EXPECT_EQ(run(refuse).error().code, ErrorCode::invalid);
  EXPECT_EQ(store.begun, once);
  EXPECT_TRUE(run(read));
  EXPECT_EQ(store.begun, once);
  EXPECT_TRUE(run(write));
  EXPECT_EQ(store.begun, once);
  EXPECT_TRUE(is_stored());
}

TEST_F(OptimisticTurns, WhatIsNoLongerSoRunsAgainBehindTheOthers) {
  store.found_out = ErrorCode::lost_update;
  EXPECT_EQ(run(refuse).error().code, ErrorCode::invalid);
  EXPECT_EQ(store.begun, twice);
  EXPECT_TRUE(run(read));
  EXPECT_EQ(store.begun, twice);
  EXPECT_TRUE(run(write));
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(store.begun, twice);
  EXPECT_TRUE(is_stored());
}

TEST_F(OptimisticTurns, AnotherOutcomeIsThatOfTheSecondRun) {
  store.found_out = ErrorCode::lost_update;
  const auto differs = [this](Transaction& transaction) {
    return runs == 1 ? write(transaction) : refuse(transaction);
  };
  EXPECT_EQ(run(differs).error().code, ErrorCode::invalid);
  EXPECT_FALSE(is_stored());
  EXPECT_EQ(run(lose).error().message, "by the act");
  EXPECT_EQ(runs, 2) << "not a third time";
}

TEST_F(OptimisticTurns, WhatTheStoreCannotSayIsAnError) {
  store.found_out = ErrorCode::storage_busy;
  EXPECT_EQ(run(refuse).error().code, ErrorCode::storage_busy);
  EXPECT_EQ(run(write).error().code, ErrorCode::storage_busy);
  EXPECT_EQ(store.begun, once);
}

TEST_F(OptimisticTurns, AFailureOfTheStoreIsNotReplacedByThatOfTheValidation) {
  store.found_out = ErrorCode::storage_failed;
  const auto busy = [](Transaction&) -> Result<void> {
    return make_error(ErrorCode::storage_busy, "the server is gone");
  };
  EXPECT_EQ(run(busy).error().code, ErrorCode::storage_busy);
  EXPECT_EQ(store.begun, once);
}

TEST_F(OptimisticTurns, AnExceptionFollowsFromNothing) {
  store.found_out = ErrorCode::lost_update;
  EXPECT_THROW((void)run(fail), std::runtime_error);
  EXPECT_EQ(store.begun, once);
}

TEST_F(OptimisticTurns, TheStoreSaysTheNumberOfTheLastEvent) {
  std::optional<std::uint64_t> number;
  EXPECT_TRUE(run([&number](Transaction& transaction) {
    Result<void> written = write(transaction);
    number = transaction.last_number();
    return written;
  }));
  EXPECT_EQ(number, 41U);
}

}  // namespace
}  // namespace orlop
