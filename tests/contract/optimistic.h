// The fixture of the tests of optimistic transactions: one store opened by two processes, and changes of it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "contract/fixture.h"

namespace orlop::contract {

class Optimistic : public Contract {
 protected:
  void SetUp() override {
    Contract::SetUp();
    if (HasFatalFailure()) return;
    if (!store().is_optimistic()) GTEST_SKIP() << "the store has no optimistic transactions";
    Result<std::unique_ptr<Store>> opened = GetParam().open(folder());
    ASSERT_TRUE(opened) << opened.error().message;
    other_ = std::move(*opened);
    Changes first = changes_of({write_of(record_of(1)), write_of(record_of(2, 1)), write_of(record_of(3, 1))});
    first.records[1].name_key = "two";
    first.records[1].references = std::vector<Id>{id_of(1)};
    first.machines = {machine_of(2, 1), machine_of(3, 1)};
    first.machines[0].active = true;
    first.events = {event_of(1)};
    first.events[0].id_count = 100;
    first.coordination.leases = {{5, id_of(70), 1}};
    write(store(), first);
  }
  void TearDown() override {
    other_.reset();
    Contract::TearDown();
  }
  static void write(Store& store, const Changes& changes) {
    auto transaction = store.begin(Access::write);
    ASSERT_TRUE(transaction) << transaction.error().message;
    const Result<void> written = (*transaction)->apply_and_commit(Changes(changes));
    ASSERT_TRUE(written) << written.error().message;
  }
  std::unique_ptr<Transaction> begin() { return begin(store(), Access::optimistic); }
  static std::unique_ptr<Transaction> begin(Store& store, Access access) {
    auto begun = store.begin(access);
    EXPECT_TRUE(begun) << (begun ? "" : begun.error().message);
    return begun ? std::move(*begun) : nullptr;
  }
  // Starts again with a store that holds only what SetUp() writes.
  void begin_anew() {
    TearDown();
    SetUp();
  }
  // The same store as another process opens it.
  Store& other() { return *other_; }
  void open_again() { reopen(), know_end(store()); }
  // An optimistic transaction begins at the last commit that the process knows.
  static void know_end(Store& store) { begin(store, Access::write); }
  std::vector<Event> feed() { return events_of(*begin(store(), Access::read)); }

 private:
  std::unique_ptr<Store> other_;
};

inline Changes edit(std::uint64_t number) {
  return changes_of({write_of(record_of(number, number == 1 ? 0 : 1, 1, 2))});
}

inline Changes with_name(std::uint64_t number, const char* name) {
  Changes changes = changes_of({write_of(record_of(number))});
  changes.records[0].name_key = name;
  return changes;
}

inline Changes erasure_of(std::uint64_t number) {
  Changes changes;
  changes.erasures = {id_of(number)};
  return changes;
}

inline Changes lease_of(Lease lease) {
  Changes changes;
  changes.coordination.leases = {lease};
  return changes;
}

inline Changes write_beside() {
  Changes changes = changes_of({write_of(record_of(50))});
  changes.events = {event_of(50)};
  return changes;
}

}  // namespace orlop::contract
