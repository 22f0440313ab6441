#include "store/event_log.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/id.h"
#include "base/sort_unique.h"

namespace orlop {
namespace {

constexpr std::uint64_t indexed_at_once = 4096;  // bounds how long a writer waits

}  // namespace

void EventLog::append(const Event& event) {
  const std::uint64_t number = last() + 1;
  Shared<EventBlock>* block = blocks_.empty() ? nullptr : &blocks_.back();
  const bool has_room = block != nullptr && (*block)->takes(event) && (*block)->end() == number && block->is_sole();
  if (!has_room) block = &blocks_.emplace_back(EventBlock(number, event));
  block->edit().append(event, texts_);
  end_.sequence = number;  // by member: copying a temporary would stall on its fresh stores
  end_.at = event.at;
  end_.id_count = event.id_count;
}

void EventLog::copy_from(const EventLog& other) {
  *this = EventLog();
  blocks_ = other.blocks_;
  texts_ = other.texts_;
  removed_ = other.removed_;
  end_ = other.end_;
}

void EventLog::drop_after(std::uint64_t last) {
  if (this->last() <= last) return;
  while (!blocks_.empty() && blocks_.back()->first() > last) blocks_.pop_back();
  if (!blocks_.empty() && blocks_.back().is_sole() && blocks_.back()->end() > last + 1)
    blocks_.back().edit().drop_from(last + 1);
  if (blocks_.empty()) removed_ = last;
  end_ = {last, {}, 0};
  if (last != removed_) {
    const EventBlock::View event = view(last);
    end_ = {last, event.at, event.id_count};
  }
  indexed_ = std::min(indexed_, last);
}

void EventLog::remove(Numbers& numbers, std::vector<Id>& keys, std::uint64_t through) {
  sort_unique(keys);
  for (const Id& key : keys) {
    const auto found = numbers.find(key);
    if (found == numbers.end()) continue;
    std::vector<std::uint64_t>& list = found->second;
    list.erase(list.begin(), std::upper_bound(list.begin(), list.end(), through));
    if (list.empty()) numbers.erase(found);
  }
}

void EventLog::remove_through(std::uint64_t through) {
  std::vector<Id> organizations;
  std::vector<Id> requests;
  std::vector<Id> subjects;
  for (std::uint64_t number = removed_ + 1; number <= std::min(through, indexed_); ++number) {
    const EventBlock::View event = view(number);
    organizations.push_back(event.context.organization);
    requests.push_back(event.context.request);
    subjects.push_back(event.subject);
  }
  remove(authored_, organizations, through);
  remove(of_request_, requests, through);
  remove(of_subject_, subjects, through);
  removed_ = std::max(removed_, through);
  indexed_ = std::max(indexed_, removed_);
  while (!blocks_.empty() && blocks_.front()->end() <= removed_ + 1) blocks_.pop_front();
}

const EventBlock& EventLog::block_of(std::uint64_t number) const {
  if (blocks_.back()->first() <= number) return *blocks_.back();
  return **std::prev(
      std::ranges::upper_bound(blocks_, number, {}, [](const Shared<EventBlock>& block) { return block->first(); }));
}

void EventLog::read(std::uint64_t number, Event& out) const { block_of(number).read(number, texts_, out); }

void EventLog::append(Numbers& numbers, const Id& key, std::uint64_t number) {
  std::vector<std::uint64_t>& list = numbers[key];
  while (!list.empty() && list.back() >= number) list.pop_back();
  list.push_back(number);
}

bool EventLog::index(std::uint64_t through) {
  indexed_ = std::max(indexed_, removed_);
  const std::uint64_t end = std::min(through, indexed_ + indexed_at_once);
  for (; indexed_ < end; ++indexed_) {
    const std::uint64_t number = indexed_ + 1;
    const EventBlock::View event = view(number);
    if (!event.author.empty()) append(authored_, event.context.organization, number);
    if (!event.context.request.is_nil()) append(of_request_, event.context.request, number);
    if (!event.subject.is_nil()) append(of_subject_, event.subject, number);
  }
  return indexed_ >= through;
}

bool EventLog::is_of(const EventRange& range, std::uint64_t number) const {
  const EventBlock::View event = view(number);
  if (!range.subject.is_nil()) return event.subject == range.subject;
  return !range.request.is_nil() ? event.context.request == range.request
                                 : event.context.organization == range.organization && !event.author.empty();
}

void EventLog::collect(const EventRange& range, std::uint64_t after, std::uint64_t before, std::size_t limit,
                       std::vector<std::uint64_t>& out) const {
  const bool is_ascending = range.order == EventRange::Order::ascending;
  after = std::max(after, removed_);
  before = std::min(before, last() + 1);
  if (after + 1 >= before) return;
  if (range.organization.is_nil() && range.request.is_nil() && range.subject.is_nil()) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(limit, before - after - 1));
    for (std::size_t at = 0; at < count; ++at) out.push_back(is_ascending ? after + 1 + at : before - 1 - at);
    return;
  }
  const Numbers& numbers = !range.subject.is_nil() ? of_subject_ : !range.request.is_nil() ? of_request_ : authored_;
  const auto found = numbers.find(!range.subject.is_nil()   ? range.subject
                                  : !range.request.is_nil() ? range.request
                                                            : range.organization);
  if (found == numbers.end()) return;
  const std::vector<std::uint64_t>& list = found->second;
  const auto first = std::ranges::upper_bound(list, after);
  const auto count = static_cast<std::size_t>(std::ranges::lower_bound(list, before) - first);
  for (std::size_t at = 0; at < count && out.size() < limit; ++at) {
    const std::uint64_t number = *(first + static_cast<std::ptrdiff_t>(is_ascending ? at : count - 1 - at));
    if (is_of(range, number)) out.push_back(number);
  }
}

}  // namespace orlop
