#include "store/event_log.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/sort_unique.h"

namespace orlop {
namespace {

constexpr std::size_t usual_block = std::size_t{64} << 10;  // bytes
constexpr std::size_t usual_events = 512;                   // of a block
constexpr std::uint64_t indexed_at_once = 4096;             // events, so that a writer does not wait for many

void put(char* bytes, std::size_t& used, const void* from, std::size_t size) {
  if (size != 0) std::memcpy(bytes + used, from, size);
  used += size;
}

}  // namespace

FeedEnd EventLog::end() const {
  if (last_ == removed_) return {};
  const Header header = header_at(block_of(last_), last_);
  return {last_, header.at, header.id_count};
}

void EventLog::add_block(std::size_t size) {
  Block block;
  block.first = last_ + 1;
  block.size = std::max(size, usual_block);
  block.bytes = std::make_unique_for_overwrite<char[]>(block.size);
  block.places.reserve(usual_events);
  blocks_.push_back(std::move(block));
}

void EventLog::append(const Event& event) {
  const Context context{event.owner, event.organization, event.request};
  const std::size_t size = sizeof(Context) + sizeof(Header) + event.author.size() + event.detail.size();
  if (blocks_.empty() || blocks_.back().used + size > blocks_.back().size) add_block(size);
  Block& block = blocks_.back();
  block.places.push_back(0);  // first: it may need memory
  char* const bytes = block.bytes.get();
  if (block.context == no_context || context_at(block, block.context) != context) {
    block.context = static_cast<std::uint32_t>(block.used);
    put(bytes, block.used, &context, sizeof context);
  }
  Header header;
  header.at = event.at;
  header.revision = event.revision;
  header.subject = event.subject;
  header.context = block.context;
  header.author_size = static_cast<std::uint32_t>(event.author.size());
  header.detail_size = static_cast<std::uint32_t>(event.detail.size());
  header.id_count = event.id_count;
  header.family = event.family;
  header.kind = event.kind;
  header.from = event.from;
  header.to = event.to;
  block.places.back() = static_cast<std::uint32_t>(block.used);
  put(bytes, block.used, &header, sizeof header);
  put(bytes, block.used, event.author.data(), event.author.size());
  put(bytes, block.used, event.detail.data(), event.detail.size());
  ++last_;
}

void EventLog::drop_after(std::uint64_t last) {
  if (last_ <= last) return;
  while (!blocks_.empty() && blocks_.back().first > last) blocks_.pop_back();
  if (!blocks_.empty()) {
    Block& block = blocks_.back();
    const auto kept = static_cast<std::size_t>(last + 1 - block.first);
    if (kept < block.places.size()) block.used = block.places[kept];
    block.places.resize(kept);
    block.context = no_context;
  }
  if (blocks_.empty()) removed_ = last;
  last_ = last;
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
    const Block& block = block_of(number);
    const Header header = header_at(block, number);
    const Context context = context_at(block, header.context);
    organizations.push_back(context.organization);
    requests.push_back(context.request);
    subjects.push_back(header.subject);
  }
  remove(authored_, organizations, through);
  remove(of_request_, requests, through);
  remove(of_subject_, subjects, through);
  removed_ = std::max(removed_, through);
  indexed_ = std::max(indexed_, removed_);
  while (!blocks_.empty() && blocks_.front().first + blocks_.front().places.size() <= removed_ + 1) blocks_.pop_front();
}

const EventLog::Block& EventLog::block_of(std::uint64_t number) const {
  if (blocks_.back().first <= number) return blocks_.back();
  return *std::prev(std::ranges::upper_bound(blocks_, number, {}, &Block::first));
}

EventLog::Header EventLog::header_at(const Block& block, std::uint64_t number) {
  Header header;
  std::memcpy(&header, block.bytes.get() + block.places[static_cast<std::size_t>(number - block.first)], sizeof header);
  return header;
}

EventLog::Context EventLog::context_at(const Block& block, std::uint32_t place) {
  Context context;
  std::memcpy(&context, block.bytes.get() + place, sizeof context);
  return context;
}

void EventLog::read(std::uint64_t number, Event& out) const {
  const Block& block = block_of(number);
  const Header header = header_at(block, number);
  const Context context = context_at(block, header.context);
  const char* const texts = block.bytes.get() + block.places[static_cast<std::size_t>(number - block.first)] + sizeof header;
  out.sequence = number;
  out.at = header.at;
  out.kind = header.kind;
  out.family = header.family;
  out.from = header.from;
  out.to = header.to;
  out.subject = header.subject;
  out.owner = context.owner;
  out.organization = context.organization;
  out.request = context.request;
  out.revision = header.revision;
  out.author.assign(texts, header.author_size);
  out.detail.assign(texts + header.author_size, header.detail_size);
  out.id_count = header.id_count;
}

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
    const Block& block = block_of(number);
    const Header header = header_at(block, number);
    const Context context = context_at(block, header.context);
    if (header.author_size != 0) append(authored_, context.organization, number);
    if (!context.request.is_nil()) append(of_request_, context.request, number);
    if (!header.subject.is_nil()) append(of_subject_, header.subject, number);
  }
  return indexed_ >= through;
}

bool EventLog::is_of(const EventRange& range, std::uint64_t number) const {
  const Block& block = block_of(number);
  const Header header = header_at(block, number);
  if (!range.subject.is_nil()) return header.subject == range.subject;
  const Context context = context_at(block, header.context);
  return !range.request.is_nil() ? context.request == range.request : context.organization == range.organization && header.author_size != 0;
}

void EventLog::collect(const EventRange& range, std::uint64_t after, std::uint64_t before, std::size_t limit, std::vector<std::uint64_t>& out) const {
  const bool is_ascending = range.order == EventRange::Order::ascending;
  after = std::max(after, removed_);
  before = std::min(before, last_ + 1);
  if (after + 1 >= before) return;
  if (range.organization.is_nil() && range.request.is_nil() && range.subject.is_nil()) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(limit, before - after - 1));
    for (std::size_t at = 0; at < count; ++at) out.push_back(is_ascending ? after + 1 + at : before - 1 - at);
    return;
  }
  const Numbers& numbers = !range.subject.is_nil() ? of_subject_ : !range.request.is_nil() ? of_request_ : authored_;
  const auto found = numbers.find(!range.subject.is_nil() ? range.subject : !range.request.is_nil() ? range.request : range.organization);
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
