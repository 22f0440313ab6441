#include "webhooks/queue.h"

#include <algorithm>

namespace orlop {
namespace {

template <typename Key>
std::size_t count_of(const std::map<Key, std::size_t>& counts, const Key& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

template <typename Key>
void subtract_one(std::map<Key, std::size_t>& counts, const Key& key) {
  const auto found = counts.find(key);
  if (--found->second == 0) counts.erase(found);
}

}  // namespace

void DeliveryQueue::leave(const Id& delivery) {
  const auto found = places_.find(delivery);
  if (found == places_.end()) return;
  const Place place = std::move(found->second);
  places_.erase(found);
  is_changed_ = true;
  Circuit& circuit = circuits_[place.receiver];
  switch (place.stage) {
    case Stage::waiting: waiting_.erase({place.at, delivery}); break;
    case Stage::due:
      if (auto& due = due_[place.receiver]; due.erase({place.at, delivery}), due.empty()) due_.erase(place.receiver);
      break;
    case Stage::sending:
      answers_.erase({place.at, delivery});
      --sending_;
      --circuit.sending;
      subtract_one(sending_of_organization_, place.receiver.organization);
      subtract_one(sending_of_host_, place.receiver.host);
      break;
    case Stage::refused: std::erase(refused_, delivery); break;
  }
  if (--circuit.deliveries == 0) circuits_.erase(place.receiver);
}

void DeliveryQueue::wait(const Receiver& receiver, const Id& delivery, Instant at) {
  ++circuits_[receiver].deliveries;  // before leave(), which may erase the circuit
  leave(delivery);
  places_[delivery] = {receiver, at};
  waiting_.insert({at, delivery});
}

void DeliveryQueue::drop(const Id& delivery) { leave(delivery); }

const Receiver* DeliveryQueue::receiver_of(const Id& delivery) const {
  const auto found = places_.find(delivery);
  return found == places_.end() ? nullptr : &found->second.receiver;
}

// Marks a due delivery as ready to be sent. While the circuit is open, postpones it the first time and refuses it the
// second time.
void DeliveryQueue::admit(const Id& delivery, Place& place, Instant now) {
  const Circuit& circuit = circuits_.at(place.receiver);
  if (now >= circuit.open_until) {
    place.stage = Stage::due;
    due_[place.receiver].insert({place.at, delivery});
    is_changed_ = true;
  } else if (place.is_postponed) {
    refused_.push_back(delivery);
    place.stage = Stage::refused;
  } else {
    place.is_postponed = true;
    place.stage = Stage::waiting;
    place.at = circuit.open_until;
    waiting_.insert({place.at, delivery});
  }
}

void DeliveryQueue::note(const Id& delivery, bool is_answered, Instant now) {
  const auto found = places_.find(delivery);
  if (found == places_.end()) return;
  const Receiver receiver = found->second.receiver;
  Circuit& circuit = circuits_.at(receiver);
  is_changed_ = true;
  if (is_answered) {
    circuit.unanswered = 0;
    circuit.pause = Duration{};
    circuit.open_until = Instant{};
    return;
  }
  // An attempt that began before the circuit opened gives no new information.
  if (found->second.stage != Stage::sending || now < circuit.open_until || ++circuit.unanswered < unanswered_max)
    return;
  circuit.pause = std::clamp(Duration{circuit.pause.milliseconds * 2}, pause_min, pause_max);
  circuit.open_until = now + circuit.pause;
  const auto due = due_.find(receiver);
  if (due == due_.end()) return;
  const std::set<Entry> held = std::move(due->second);
  due_.erase(due);
  for (const Entry& entry : held) admit(entry.second, places_.at(entry.second), now);
}

bool DeliveryQueue::may_send(const Receiver& receiver) const {
  const Circuit& circuit = circuits_.at(receiver);
  const std::size_t most = circuit.unanswered >= unanswered_max ? 1 : sending_of_receiver_max;
  return circuit.sending < most && count_of(sending_of_host_, receiver.host) < sending_of_host_max;
}

// Returns the receiver of the organization's first message that may be sent; null if there is none.
const Receiver* DeliveryQueue::next_of(const Id& organization) const {
  const Receiver* next = nullptr;
  std::optional<Entry> first;
  for (auto at = due_.lower_bound({organization, ""}); at != due_.end() && at->first.organization == organization;
       ++at) {
    if (!may_send(at->first) || (first && *first < *at->second.begin())) continue;
    first = *at->second.begin();
    next = &at->first;
  }
  return next;
}

void DeliveryQueue::add_turn(std::set<Turn>& turns, const Id& organization) const {
  const std::size_t sending = count_of(sending_of_organization_, organization);
  const Receiver* next = sending < sending_of_organization_max ? next_of(organization) : nullptr;
  if (next != nullptr) turns.insert({sending, due_.at(*next).begin()->first, organization});
}

void DeliveryQueue::start(const Receiver& receiver, const Id& delivery, Instant answer_by) {
  Place& place = places_.at(delivery);
  ++sending_;
  ++circuits_.at(receiver).sending;
  ++sending_of_organization_[receiver.organization];
  ++sending_of_host_[receiver.host];
  const auto due = due_.find(receiver);
  due->second.erase({place.at, delivery});
  if (due->second.empty()) due_.erase(due);  // invalidates `receiver` if that is its key
  place.stage = Stage::sending;
  place.at = answer_by;
  answers_.insert({answer_by, delivery});
}

DeliveryQueue::Taken DeliveryQueue::take_due(Instant now, Instant answer_by) {
  while (!waiting_.empty() && waiting_.begin()->first <= now) {
    const Id delivery = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    admit(delivery, places_.at(delivery), now);
  }
  Taken taken;
  taken.refused = refused_;
  for (const Id& delivery : taken.refused) leave(delivery);
  if (!std::exchange(is_changed_, false)) return taken;
  std::set<Turn> turns;
  const Id* last = nullptr;
  for (const auto& [receiver, due] : due_) {
    if (last == nullptr || *last != receiver.organization) add_turn(turns, receiver.organization);
    last = &receiver.organization;
  }
  while (!turns.empty() && sending_ < sending_max &&
         (sending_ < sending_shared_max || std::get<0>(*turns.begin()) == 0)) {
    const Id organization = std::get<2>(*turns.begin());
    turns.erase(turns.begin());
    const Receiver* next = next_of(organization);
    if (next == nullptr) continue;  // other organizations have used the last attempts at its hosts
    const Id delivery = due_.at(*next).begin()->second;
    start(*next, delivery, answer_by);
    taken.sent.push_back(delivery);
    add_turn(turns, organization);
  }
  return taken;
}

std::vector<Id> DeliveryQueue::take_overdue(Instant now) {
  std::vector<Id> overdue;
  while (!answers_.empty() && answers_.begin()->first <= now) {
    overdue.push_back(answers_.begin()->second);
    answers_.erase(answers_.begin());
  }
  return overdue;
}

std::optional<Instant> DeliveryQueue::first() const {
  std::optional<Instant> first;
  const auto consider = [&](Instant at) { first = first ? std::min(*first, at) : at; };
  if (!answers_.empty()) consider(answers_.begin()->first);
  if (!waiting_.empty()) consider(waiting_.begin()->first);
  if (!refused_.empty() || (is_changed_ && !due_.empty() && sending_ < sending_max)) consider(Instant{});
  return first;
}

}  // namespace orlop
