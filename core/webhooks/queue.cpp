#include "webhooks/queue.h"

#include <algorithm>

namespace orlop {

std::optional<DeliveryQueue::Entry> DeliveryQueue::head(const Id& webhook, const Line& line) const {
  if (line.waiting.empty() || line.sending >= sending_of_one_max) return std::nullopt;
  return Entry{line.waiting.begin()->first, webhook};
}

// Changes a line, and keeps its place among the heads.
template <typename Change>
void DeliveryQueue::change(const Id& webhook, Change change) {
  Line& line = lines_[webhook];
  if (const auto before = head(webhook, line)) heads_.erase(*before);
  change(line);
  if (const auto after = head(webhook, line)) heads_.insert(*after);
  if (line.waiting.empty() && line.sending == 0) lines_.erase(webhook);
}

void DeliveryQueue::leave(const Id& delivery) {
  const auto found = places_.find(delivery);
  if (found == places_.end()) return;
  const Place place = found->second;
  places_.erase(found);
  if (place.is_sending) {
    answers_.erase({place.at, delivery});
    --sending_;
  }
  change(place.webhook, [&](Line& line) {
    if (place.is_sending) {
      --line.sending;
    } else {
      line.waiting.erase({place.at, delivery});
    }
  });
}

void DeliveryQueue::wait(const Id& webhook, const Id& delivery, Instant at) {
  leave(delivery);
  places_[delivery] = {webhook, at, false};
  change(webhook, [&](Line& line) { line.waiting.insert({at, delivery}); });
}

void DeliveryQueue::drop(const Id& delivery) { leave(delivery); }

std::vector<Id> DeliveryQueue::take_due(Instant now, Instant answer_by) {
  std::vector<Id> due;
  while (sending_ < sending_max && !heads_.empty() && heads_.begin()->first <= now) {
    const Id webhook = heads_.begin()->second;
    Id delivery;
    change(webhook, [&](Line& line) {
      delivery = line.waiting.begin()->second;
      line.waiting.erase(line.waiting.begin());
      ++line.sending;
    });
    places_[delivery] = {webhook, answer_by, true};
    answers_.insert({answer_by, delivery});
    ++sending_;
    due.push_back(delivery);
  }
  return due;
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
  std::optional<Instant> wanted;
  if (!answers_.empty()) wanted = answers_.begin()->first;
  if (!heads_.empty() && sending_ < sending_max) wanted = wanted ? std::min(*wanted, heads_.begin()->first) : heads_.begin()->first;
  return wanted;
}

}  // namespace orlop
