#include "store/event_log.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/id.h"
#include "base/sort_unique.h"

namespace orlop {
namespace {

constexpr std::size_t usual_block = std::size_t{64} << 10;  // bytes, so that 16 bits hold the place of an event
constexpr std::size_t usual_events = 1024;                  // of a block
constexpr std::uint64_t indexed_at_once = 4096;             // events, so that a writer does not wait for many

void put(char* bytes, std::size_t& used, const void* from, std::size_t size) {
  if (size != 0) std::memcpy(bytes + used, from, size);
  used += size;
}
template <typename T>
void put(char* bytes, std::size_t& used, const T& value) {
  put(bytes, used, &value, sizeof value);
}
void put_text(char* bytes, std::size_t& used, std::string_view text) {
  put(bytes, used, static_cast<std::uint32_t>(text.size()));
  put(bytes, used, text.data(), text.size());
}

template <typename T>
T take(const char*& from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}
std::string_view take_text(const char*& from) {
  const auto size = take<std::uint32_t>(from);
  const std::string_view text(from, size);
  from += size;
  return text;
}

// What the texts of steps begin with; an id follows.
constexpr std::string_view step_mark = R"({"step":")";
constexpr std::size_t ending_max = 64;    // bytes of one that is kept
constexpr std::size_t endings_max = 256;  // that are kept

// The step that a text begins with, if it is written as this library writes it.
std::optional<Id> step_in(std::string_view detail) {
  if (detail.size() < step_mark.size() + id_text_size || !detail.starts_with(step_mark)) return std::nullopt;
  const std::string_view text = detail.substr(step_mark.size(), id_text_size);
  const auto step = parse_id(text);
  char written[id_text_size];
  if (step) write_text(written, *step);
  return step && std::memcmp(written, text.data(), id_text_size) == 0 ? step : std::nullopt;
}

}  // namespace

struct EventLog::Packed {
  enum Flag : std::uint8_t { has_at = 1, has_revision = 2, has_id_count = 4, has_author = 8, has_detail = 16, has_step = 32 };

  Id subject;
  std::uint32_t after = 0;    // milliseconds since the block's first event; of what these bits cannot hold, the instant follows
  std::uint16_t context = 0;  // its place in the block
  FamilyNumber family = 0;
  EventKind kind = EventKind::created;
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  std::uint8_t flags = 0;
  // Then: instant, revision, id count, author, and the detail, or the step and the number of the ending.
};

FeedEnd EventLog::end() const {
  if (last_ == removed_) return {};
  const Header header = header_at(block_of(last_), last_);
  return {last_, header.at, header.id_count};
}

void EventLog::add_block(std::size_t size, Instant at) {
  Block block;
  block.first = last_ + 1;
  block.at = at;
  block.size = std::max(size, usual_block);
  block.bytes = std::make_unique_for_overwrite<char[]>(block.size);
  block.places.reserve(usual_events);
  blocks_.push_back(std::move(block));
}

// Nothing: it is not kept.
std::optional<std::uint16_t> EventLog::number_of_ending(std::string_view ending) {
  if (ending.size() > ending_max) return std::nullopt;
  if (const std::uint16_t* const known = numbers_of_endings_.find(ending)) return *known;
  if (endings_.size() == endings_max) return std::nullopt;
  const auto number = static_cast<std::uint16_t>(endings_.size());
  endings_.emplace_back(ending);
  numbers_of_endings_.add(endings_.back(), number);
  return number;
}

void EventLog::append(const Event& event) {
  const Context context{event.owner, event.organization, event.request};
  constexpr std::size_t fixed_size = sizeof(Context) + sizeof(Packed) + 2 * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t) + sizeof(Id);
  const std::size_t size = fixed_size + event.author.size() + event.detail.size();
  if (blocks_.empty() || blocks_.back().used + size > std::min(blocks_.back().size, usual_block)) add_block(size, event.at);
  const auto step = step_in(event.detail);
  const auto ending = step ? number_of_ending(std::string_view(event.detail).substr(step_mark.size() + id_text_size)) : std::nullopt;
  Block& block = blocks_.back();
  block.places.push_back(0);  // last of what may need memory
  char* const bytes = block.bytes.get();
  if (!block.context || context_at(block, *block.context) != context) {
    block.context = static_cast<std::uint16_t>(block.used);
    put(bytes, block.used, context);
  }
  Packed packed;
  packed.subject = event.subject;
  const std::int64_t after = (event.at - block.at).milliseconds;
  const bool has_at = !std::in_range<std::uint32_t>(after);
  packed.after = has_at ? 0 : static_cast<std::uint32_t>(after);
  packed.context = *block.context;
  packed.family = event.family;
  packed.kind = event.kind;
  packed.from = event.from;
  packed.to = event.to;
  const auto flag = [](bool is_set, Packed::Flag flag) { return is_set ? static_cast<unsigned>(flag) : 0U; };
  packed.flags = static_cast<std::uint8_t>(flag(has_at, Packed::has_at) | flag(event.revision != 0, Packed::has_revision) | flag(event.id_count != 0, Packed::has_id_count) |
                                           flag(!event.author.empty(), Packed::has_author) | flag(ending.has_value(), Packed::has_step) |
                                           flag(!ending && !event.detail.empty(), Packed::has_detail));
  block.places.back() = static_cast<std::uint16_t>(block.used);
  put(bytes, block.used, packed);
  if (has_at) put(bytes, block.used, event.at);
  if (event.revision != 0) put(bytes, block.used, event.revision);
  if (event.id_count != 0) put(bytes, block.used, event.id_count);
  if (!event.author.empty()) put_text(bytes, block.used, event.author);
  if (ending) {
    put(bytes, block.used, *step);
    put(bytes, block.used, *ending);
  } else if (!event.detail.empty()) {
    put_text(bytes, block.used, event.detail);
  }
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
    block.context.reset();
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

EventLog::Header EventLog::header_at(const Block& block, std::uint64_t number) const {
  const char* from = block.bytes.get() + block.places[static_cast<std::size_t>(number - block.first)];
  const auto packed = take<Packed>(from);
  Header header;
  header.at = block.at + Duration{packed.after};
  header.subject = packed.subject;
  header.context = packed.context;
  header.family = packed.family;
  header.kind = packed.kind;
  header.from = packed.from;
  header.to = packed.to;
  if ((packed.flags & Packed::has_at) != 0) header.at = take<Instant>(from);
  if ((packed.flags & Packed::has_revision) != 0) header.revision = take<std::uint64_t>(from);
  if ((packed.flags & Packed::has_id_count) != 0) header.id_count = take<std::uint32_t>(from);
  if ((packed.flags & Packed::has_author) != 0) header.author = take_text(from);
  if ((packed.flags & Packed::has_detail) != 0) header.detail = take_text(from);
  if ((packed.flags & Packed::has_step) != 0) {
    header.has_step = true;
    header.step = take<Id>(from);
    header.detail = endings_[take<std::uint16_t>(from)];
  }
  return header;
}

EventLog::Context EventLog::context_at(const Block& block, std::uint16_t place) {
  Context context;
  std::memcpy(&context, block.bytes.get() + place, sizeof context);
  return context;
}

void EventLog::read(std::uint64_t number, Event& out) const {
  const Block& block = block_of(number);
  const Header header = header_at(block, number);
  const Context context = context_at(block, header.context);
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
  out.author.assign(header.author);
  out.detail.clear();
  if (header.has_step) append_text(out.detail.append(step_mark), header.step);
  out.detail.append(header.detail);
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
    if (!header.author.empty()) append(authored_, context.organization, number);
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
  return !range.request.is_nil() ? context.request == range.request : context.organization == range.organization && !header.author.empty();
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
