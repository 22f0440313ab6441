// Coordination data of engines that share a memory store. Small: a writer changes a copy, and its commit publishes it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "store/coordination.h"
#include "store/refusal.h"

namespace orlop {

class CoordinationTables {
 public:
  Result<void> check(const std::vector<Fence>& fences) const {
    for (const Fence& fence : fences) {
      const auto lease = leases_.find(fence.partition);
      if (lease == leases_.end() || lease->second.epoch != fence.epoch) return lease_lost(fence.partition);
    }
    return {};
  }
  Result<void> apply(const CoordinationChanges& changes) {
    ORLOP_CHECK(check(changes.fences));
    for (const Id& engine : changes.departures) peers_.erase(engine);
    for (const Peer& peer : changes.peers) peers_[peer.engine] = peer;
    for (const Lease& lease : changes.leases) leases_[lease.partition] = lease;
    for (const WakeUp& wake_up : changes.taken_wake_ups) wake_ups_.erase(wake_up);
    wake_ups_.insert(changes.wake_ups.begin(), changes.wake_ups.end());
    for (const std::uint64_t number : changes.taken_reports) reports_.erase(number);
    for (const InboxReport& report : changes.reports) {
      InboxReport& added = reports_[++last_number_];
      added = report;
      added.number = last_number_;
    }
    return {};
  }

  std::vector<Peer> peers() const { return values_of(peers_); }
  std::vector<Lease> leases(PartitionSet of) const {
    std::vector<Lease> found;
    for (const auto& [partition, lease] : leases_) {
      if (of.contains(partition)) found.push_back(lease);
    }
    return found;
  }
  std::vector<WakeUp> wake_ups(PartitionSet of, std::size_t limit) const {
    std::vector<WakeUp> found;
    for (const WakeUp& wake_up : wake_ups_) {
      if (found.size() == limit) break;
      if (of.contains(wake_up.partition)) found.push_back(wake_up);
    }
    return found;
  }
  std::vector<InboxReport> reports(PartitionSet of, std::size_t limit) const {
    std::vector<InboxReport> found;
    for (const auto& [number, report] : reports_) {
      if (found.size() == limit) break;
      if (of.contains(report.partition)) found.push_back(report);
    }
    return found;
  }

 private:
  template <typename Key, typename Value>
  static std::vector<Value> values_of(const std::map<Key, Value>& map) {
    std::vector<Value> values;
    for (const auto& entry : map) values.push_back(entry.second);
    return values;
  }

  std::map<Id, Peer> peers_;
  std::map<std::uint8_t, Lease> leases_;
  std::set<WakeUp> wake_ups_;
  std::map<std::uint64_t, InboxReport> reports_;
  std::uint64_t last_number_ = 0;
};

// The engines that use the store. Thread-safe.
class MemoryMembers {
 public:
  // `member` is the key, because two engines may draw the same id.
  void join(const void* member, const Id& engine, std::function<void()> notify) {
    const std::lock_guard lock(mutex_);
    members_[member] = {engine, std::move(notify)};
  }
  void leave(const void* member) {
    const std::lock_guard lock(mutex_);
    members_.erase(member);
  }
  bool has(const Id& engine) {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(members_, [&](const auto& entry) { return entry.second.engine == engine; });
  }
  std::uint64_t changes() const { return changes_; }
  // Called after a commit that changed coordination data. A listener must not call the store.
  void notify() {
    ++changes_;
    const std::lock_guard lock(mutex_);
    for (const auto& entry : members_) {
      if (entry.second.notify) entry.second.notify();
    }
  }

 private:
  struct Joined {
    Id engine;
    std::function<void()> notify;
  };
  std::atomic<std::uint64_t> changes_ = 0;
  std::mutex mutex_;
  std::map<const void*, Joined> members_;
};

class MemoryMembership final : public Membership {
 public:
  MemoryMembership(MemoryMembers& members, const Id& engine, std::function<void()> notify) : members_(members) {
    members_.join(this, engine, std::move(notify));
  }
  ~MemoryMembership() override { members_.leave(this); }
  MemoryMembership(const MemoryMembership&) = delete;
  MemoryMembership& operator=(const MemoryMembership&) = delete;

  Result<std::uint64_t> changes() override { return members_.changes(); }
  bool has_ended(const Id& engine) override { return !members_.has(engine); }

 private:
  MemoryMembers& members_;
};

}  // namespace orlop
