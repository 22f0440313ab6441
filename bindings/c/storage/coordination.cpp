#include "storage/coordination.h"

#include <utility>

#include "storage/host_calls.h"

namespace orlop::c {

ErrorCode understood(orlop_code code) {
  using enum ErrorCode;
  for (const ErrorCode known : {lost_update, lease_lost, conflict, storage_busy, storage_newer, storage_corrupt,
                                storage_foreign, out_of_memory}) {
    if (static_cast<orlop_code>(known) == code) return known;
  }
  return storage_failed;
}

template <typename Row>
template <typename From>
void GivenCoordination::Rows<Row>::take(const From& from) {
  rows.reserve(from.size());
  for (const auto& row : from) rows.push_back(given(row));
  for (const Row& row : rows) places.push_back(&row);
}

GivenCoordination::GivenCoordination(const CoordinationChanges& changes) {
  for (const Fence& fence : changes.fences)
    fences_.rows.push_back({sizeof(orlop_lease), orlop_id{}, fence.epoch, fence.partition});
  for (const orlop_lease& fence : fences_.rows) fences_.places.push_back(&fence);
  for (const Id& engine : changes.departures) departures_.push_back(id_of(engine));
  peers_.take(changes.peers);
  leases_.take(changes.leases);
  taken_wake_ups_.take(changes.taken_wake_ups);
  wake_ups_.take(changes.wake_ups);
  reports_.take(changes.reports);
  all.size = sizeof all;
  all.fences = fences_.places.data();
  all.fence_count = fences_.places.size();
  all.departures = departures_.data();
  all.departure_count = departures_.size();
  all.peers = peers_.places.data();
  all.peer_count = peers_.places.size();
  all.leases = leases_.places.data();
  all.lease_count = leases_.places.size();
  all.taken_wake_ups = taken_wake_ups_.places.data();
  all.taken_wake_up_count = taken_wake_ups_.places.size();
  all.wake_ups = wake_ups_.places.data();
  all.wake_up_count = wake_ups_.places.size();
  all.taken_reports = changes.taken_reports.data();
  all.taken_report_count = changes.taken_reports.size();
  all.reports = reports_.places.data();
  all.report_count = reports_.places.size();
}

HostMembership::~HostMembership() {
  if (!has_joined_) return;
  guard_or(0, [&] {
    const Inside inside(host_, Callback::store);
    store_.leave(held_);
    return 1;
  });
}

Result<void> HostMembership::join(const Id& engine) {
  const orlop_id given_id = id_of(engine);
  ORLOP_CHECK(call_store(host_, [&] { return store_.join(store_.context, &given_id, notify, this, &held_); }));
  has_joined_ = true;
  return {};
}

Result<std::uint64_t> HostMembership::changes() {
  std::uint64_t number = 0;
  ORLOP_CHECK(call_store(host_, [&] { return store_.changes(held_, &number); }));
  return number;
}

bool HostMembership::has_ended(const Id& engine) {
  const orlop_id given_id = id_of(engine);
  return guard_or(false, [&] {
    const Inside inside(host_, Callback::store);
    return store_.has_ended(held_, &given_id) != 0;
  });
}

void HostMembership::notify(void* self) {
  guard_or(0, [&] {
    const auto& membership = *static_cast<HostMembership*>(self);
    if (membership.notify_) membership.notify_();
    return 1;
  });
}

}  // namespace orlop::c
