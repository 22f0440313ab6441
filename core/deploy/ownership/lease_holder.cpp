#include "deploy/ownership/lease_holder.h"

#include <algorithm>
#include <utility>

namespace orlop {
namespace {

constexpr std::size_t wake_ups_by_tick = 1000;
constexpr std::size_t reports_by_tick = 256;
constexpr std::int64_t renewals_by_lease = 3;
// An engine without peers publishes the time of its clock (unit/agreed_time.h) with the first write after this
// time: engines that only answer requests compare their clocks with it.
constexpr Duration published_for = seconds(1800);

// Engines of role `drive` come first, then those whose host has a driver.
std::uint8_t rank_of(const LeaseHolder::Setup& setup) {
  switch (setup.role) {
    case EngineRole::serve: return 0;
    case EngineRole::drive: return 3;
    case EngineRole::both: break;
  }
  return setup.has_driver ? 2 : 1;
}

}  // namespace

LeaseHolder::LeaseHolder(Store& store, Clock& clock, RandomSource& random_source, Setup setup,
                         std::function<void()> notify)
    : store_(store),
      clock_(clock),
      random_source_(random_source),
      setup_(setup),
      notify_(std::move(notify)),
      rank_(rank_of(setup)),
      watch_(setup.lease_time),
      is_alone_(setup.is_alone) {}

// Ids of engines are random, but a seeded source may repeat the id of an earlier engine.
Result<void> LeaseHolder::join() {
  if (membership_ != nullptr) return {};
  Id engine;
  for (std::size_t at = 0; at < engine.bytes.size(); ++at) {
    if (at % 8 == 0) ++draws_;
    engine.bytes[at] = static_cast<std::uint8_t>(random_source_.draw(UINT64_MAX, draws_) >> (at % 8 * 8));
  }
  ORLOP_TRY(joined, store_.join(engine, [this] {
    is_told_ = true;
    if (notify_) notify_();
  }));
  if (joined == nullptr) {
    is_alone_ = true;
    return {};
  }
  engine_ = engine;
  const std::lock_guard lock(mutex_);
  membership_ = std::move(joined);
  joined_ = engine;
  return {};
}

bool LeaseHolder::look() {
  std::shared_ptr<Membership> membership;
  {
    const std::lock_guard lock(mutex_);
    membership = membership_;
  }
  if (membership == nullptr) return false;
  const auto changes = membership->changes();
  if (changes && *changes != seen_changes_) is_told_ = true;
  return is_told();
}

// The last renewal is at most a third of a lease older than the look. So no other engine can have seen this one silent
// for a whole lease until half a lease after the look.
bool LeaseHolder::may_have_lost() {
  if (is_alone_ || rank_ == 0) return false;
  return clock_.monotonic().milliseconds - looked_at_ >= setup_.lease_time.milliseconds / 2 && look();
}

bool LeaseHolder::is_certain() const {
  if (is_alone_ || rank_ == 0 || others_.empty()) return true;
  return clock_.monotonic().milliseconds - beaten_at_.milliseconds < setup_.lease_time.milliseconds;
}

void LeaseHolder::part() noexcept {
  std::shared_ptr<Membership> membership;
  const std::lock_guard lock(mutex_);
  membership_.swap(membership);
}

std::optional<Duration> LeaseHolder::due(PartitionSet busy) {
  if (is_alone_ || membership_ == nullptr) return std::nullopt;
  if (is_told() || has_come_to_rest(busy)) return Duration{0};
  if (is_leaving_ && !is_registered_) return std::nullopt;
  if (others_.empty()) return std::nullopt;
  Duration at{beaten_at_.milliseconds + setup_.lease_time.milliseconds / renewals_by_lease};
  if (const auto silence = watch_.first_silence(others_)) at = std::min(at, *silence);
  return Duration{std::max<std::int64_t>(at.milliseconds - clock_.monotonic().milliseconds, 0)};
}

void LeaseHolder::leave(bool is_forced) {
  if (is_forced) is_forced_ = true;
  is_leaving_ = true;
  is_told_ = true;
}

Result<LeaseHolder::Change> LeaseHolder::tend(PartitionSet busy) {
  if (rank_ == 0) return Change();
  if (!is_alone_) ORLOP_CHECK(join());
  if (is_alone_) {
    Change change{PartitionSet::all().without(held_), {}};
    held_ = PartitionSet::all();
    return change;
  }
  const Duration now = clock_.monotonic();
  if (!must_look(busy, now)) return Change();
  ORLOP_TRY(number, membership_->changes());
  seen_changes_ = number;
  is_told_ = false;  // before the look: it may not see later changes
  seen_busy_ = busy;
  auto gained = look_and_write(busy, now);
  if (!gained) {
    is_told_ = true;
    return gained.error();
  }
  // The next look reads the mail of partitions that are new here.
  if (!gained->empty() || !lost_.empty()) is_told_ = true;
  return Change{*gained, std::exchange(lost_, PartitionSet())};
}

Result<PartitionSet> LeaseHolder::look_and_write(PartitionSet busy, Duration now) {
  ORLOP_TRY(transaction, store_.begin(Access::read));
  ORLOP_TRY(seen, view(*transaction));
  looked_at_ = now.milliseconds;
  watch_.see(seen.peers, now);
  find_loss(seen);
  ORLOP_CHECK(join());
  ORLOP_CHECK(read_mail(*transaction));
  transaction.reset();
  if (!must_write(seen, moves(seen, busy, now), now)) return PartitionSet();
  ORLOP_TRY(taken, write(busy, now));
  // Mail of partitions that are released by now is for the next holder.
  std::erase_if(wake_ups_, [this](const WakeUp& wake_up) { return !read().contains(wake_up.partition); });
  std::erase_if(reports_, [this](const InboxReport& report) { return !read().contains(report.partition); });
  return taken;
}

bool LeaseHolder::is_beat_due(Duration now) const {
  return now.milliseconds - beaten_at_.milliseconds >= setup_.lease_time.milliseconds / renewals_by_lease;
}

bool LeaseHolder::must_look(PartitionSet busy, Duration now) {
  if (look() || !is_registered_ || has_come_to_rest(busy)) return true;
  if (others_.empty()) return false;
  return is_beat_due(now) ||
         std::ranges::any_of(others_, [&](const Peer& peer) { return watch_.is_silent(peer.engine, now); });
}

Result<LeaseHolder::View> LeaseHolder::view(Transaction& transaction) {
  Coordination* const coordination = transaction.coordination();
  if (coordination == nullptr)
    return make_error(ErrorCode::storage_failed, "the store lets several engines join, and keeps nothing for them");
  View view;
  ORLOP_TRY(peers, coordination->peers());
  ORLOP_TRY(leases, coordination->leases(PartitionSet::all()));
  view.peers = std::move(peers);
  view.leases = std::move(leases);
  others_.clear();
  for (const Peer& peer : view.peers) {
    if (peer.engine != engine_) others_.push_back(peer);
  }
  return view;
}

// An engine that was silent for too long is not a peer any more and has lost everything: it joins again under another
// id.
void LeaseHolder::find_loss(const View& view) {
  const bool is_peer = std::ranges::any_of(view.peers, [&](const Peer& peer) { return peer.engine == engine_; });
  if (is_registered_ && !is_peer) {
    lost_ = lost_ | held_;
    return forget_all();
  }
  PartitionSet still;
  for (const Lease& lease : view.leases) {
    if (lease.holder == engine_ && lease.epoch == epochs_[lease.partition]) still.add(lease.partition);
  }
  const PartitionSet lost = held_.without(still);
  if (lost.empty()) return;
  lost.for_each([this](std::uint8_t partition) { epochs_[partition] = 0; });
  lost_ = lost_ | lost;
  held_ = held_ & still;
  read_ = (read() & still).bits();
}

void LeaseHolder::forget_all() {
  for (auto& epoch : epochs_) epoch = 0;
  held_ = PartitionSet();
  read_ = 0;
  is_registered_ = false;
  counter_ = 0;
  const std::lock_guard lock(mutex_);
  membership_.reset();
}

Claimant LeaseHolder::claimant(PartitionSet busy) const {
  return {engine_, rank_, is_leaving_, held_, busy & held_, is_forced_};
}

Moves LeaseHolder::moves(const View& view, PartitionSet busy, Duration now) {
  return plan_moves(claimant(busy), view.peers, view.leases,
                    [&](const Id& engine) { return membership_->has_ended(engine) || watch_.is_silent(engine, now); });
}

// The clock's time, as other engines read it (unit/agreed_time.h); never the same number twice in succession.
std::uint64_t LeaseHolder::next_counter() {
  const auto reading = static_cast<std::uint64_t>(std::max<std::int64_t>(clock_.now().milliseconds, 0));
  return reading == counter_ ? counter_ + 1 : reading;
}

bool LeaseHolder::has_others(const View& view) const {
  return std::ranges::any_of(view.peers, [&](const Peer& peer) { return peer.engine != engine_; });
}

bool LeaseHolder::must_write(const View& view, const Moves& moves, Duration now) const {
  if (is_leaving_ && held_.empty() && !is_registered_) return false;
  if (!moves.empty() || !is_registered_) return true;
  if (is_leaving_ && held_.empty()) return true;  // it departs
  return has_others(view) ? is_beat_due(now) : now.milliseconds - beaten_at_.milliseconds >= published_for.milliseconds;
}

// Decides again, on data that no other engine can change until the commit. If this engine waited long for it, the
// others may have waited, too: their silence does not count.
Result<PartitionSet> LeaseHolder::write(PartitionSet busy, Duration asked_at) {
  ORLOP_TRY(transaction, store_.begin(Access::write));
  const Duration now = clock_.monotonic();
  if (now.milliseconds - asked_at.milliseconds > setup_.lease_time.milliseconds / renewals_by_lease) watch_.forget();
  ORLOP_TRY(seen, view(*transaction));
  const bool is_peer = std::ranges::any_of(seen.peers, [&](const Peer& peer) { return peer.engine == engine_; });
  if (is_peer != is_registered_) {
    // It was removed since the look, or another engine drew the same id: the next look begins anew.
    is_told_ = true;
    if (is_registered_) return PartitionSet();
    const std::lock_guard lock(mutex_);
    membership_.reset();
    return PartitionSet();
  }
  watch_.see(seen.peers, now);
  const Moves decided = moves(seen, busy, now);
  Changes changes;
  CoordinationChanges& coordination = changes.coordination;
  std::array<std::uint64_t, partition_count> epochs{};
  for (const Lease& lease : seen.leases) epochs[lease.partition] = lease.epoch;
  const PartitionSet after = (held_ | decided.taken).without(decided.released);
  coordination.departures = decided.ended;
  const std::uint64_t counter = next_counter();
  if (is_leaving_ && after.empty()) coordination.departures.push_back(engine_);
  else coordination.peers.push_back({engine_, counter, rank_});
  decided.taken.for_each([&](std::uint8_t partition) {
    coordination.leases.push_back({partition, engine_, epochs[partition] + 1});
  });
  decided.released.for_each([&](std::uint8_t partition) {
    coordination.leases.push_back({partition, Id{}, epochs[partition] + 1});
  });
  ORLOP_CHECK(transaction->apply_and_commit(std::move(changes)));
  counter_ = counter;
  is_registered_ = !(is_leaving_ && after.empty());
  beaten_at_ = now;
  held_ = after;
  lost_ = lost_ | decided.released;
  read_ = (read() & after).bits();
  decided.released.for_each([&](std::uint8_t partition) { epochs_[partition] = 0; });
  decided.taken.for_each([&](std::uint8_t partition) { epochs_[partition] = epochs[partition] + 1; });
  return decided.taken;
}

Result<void> LeaseHolder::read_mail(Transaction& transaction) {
  wake_ups_.clear();
  reports_.clear();
  const PartitionSet of = read();
  if (of.empty()) return {};
  ORLOP_TRY(wake_ups, transaction.coordination()->wake_ups(of, wake_ups_by_tick));
  ORLOP_TRY(reports, transaction.coordination()->reports(of, reports_by_tick));
  if (wake_ups.size() == wake_ups_by_tick || reports.size() == reports_by_tick) is_told_ = true;
  wake_ups_ = std::move(wake_ups);
  reports_ = std::move(reports);
  return {};
}

void LeaseHolder::clear_mail() {
  wake_ups_.clear();
  reports_.clear();
}

Result<bool> LeaseHolder::holds(Coordination& coordination, std::uint8_t partition) const {
  if (is_alone_) return true;
  const std::uint64_t epoch = epochs_[partition];
  if (epoch == 0) return false;
  ORLOP_TRY(leases, coordination.leases(PartitionSet::one(partition)));
  return leases.size() == 1 && leases.front().epoch == epoch;
}

// The lease of an engine that has left does not count.
Result<PartitionSet> LeaseHolder::of_others(Coordination& coordination) const {
  PartitionSet of_others;
  if (is_alone_) return of_others;
  ORLOP_TRY(leases, coordination.leases(PartitionSet::all()));
  ORLOP_TRY(peers, coordination.peers());
  const std::lock_guard lock(mutex_);
  for (const Lease& lease : leases) {
    if (lease.holder != joined_ &&
        std::ranges::any_of(peers, [&](const Peer& peer) { return peer.engine == lease.holder; }))
      of_others.add(lease.partition);
  }
  return of_others;
}

void LeaseHolder::fence(Changes& changes, PartitionSet asked) const {
  if (is_alone_) return;
  PartitionSet touched = asked;
  for (const Machine& machine : changes.machines) touched.add(machine.partition);
  for (const WakeUp& wake_up : changes.coordination.taken_wake_ups) touched.add(wake_up.partition);
  for (const InboxReport& report : reports_) touched.add(report.partition);
  touched.for_each([&](std::uint8_t partition) {
    changes.coordination.fences.push_back({partition, epochs_[partition]});
  });
}

}  // namespace orlop
