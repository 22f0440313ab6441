// Coordination data of engines that share the store: its changes, its reads, and an engine's membership.
#pragma once

#include <cstdint>

#include "orlop/storage.h"
#include "server/connection.h"
#include "server/listener.h"
#include "server/status.h"
#include "transaction.h"

namespace orlop::postgresql {

// Queues the statement that fails unless all fences hold.
void queue_fences(Connection& connection, const orlop_coordination& changes);
// Queues the other changes, and the notification of the other engines. Returns the number of statements.
std::size_t queue_coordination(Connection& connection, const orlop_coordination& changes, const Settings& settings);

Status read_peers(Transaction& transaction, orlop_peer_visitor visit, void* visitor);
Status read_leases(Transaction& transaction, std::uint64_t partitions, orlop_lease_visitor visit, void* visitor);
Status read_wake_ups(Transaction& transaction, std::uint64_t partitions, std::uint64_t limit,
                     orlop_wake_up_visitor visit, void* visitor);
Status read_reports(Transaction& transaction, std::uint64_t partitions, std::uint64_t limit, orlop_inbox_visitor visit,
                    void* visitor);

// The membership of an engine.
class Membership {
 public:
  Membership(Listener& listener, Member member) : listener_(listener), member_(member) { listener_.join(member_); }
  ~Membership() { listener_.leave(member_); }
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;
  std::uint64_t changes() const { return listener_.changes(); }
  bool has_ended(const orlop_id& engine) const { return listener_.has_ended(engine); }

 private:
  Listener& listener_;
  Member member_;
};

}  // namespace orlop::postgresql
