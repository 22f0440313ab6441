#include "store/event_block.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/id.h"
#include "store/varint.h"

namespace orlop {
namespace {

constexpr std::size_t usual_size = std::size_t{16} << 10;     // bytes; 16 bits hold the position of every event
constexpr std::size_t usual_events = 1024;                    // per block
constexpr std::uint8_t unknown_text = KnownTexts::count_max;  // instead of a number: the text follows

// Parts of an event that are present in addition to its shape.
enum Flag : std::uint8_t {
  has_name = 1,
  has_revision = 2,
  has_id_count = 4,
  has_author = 8,
  has_detail = 16,
  has_step = 32
};

// The put functions return the next write position, so that it stays in a register.
char* put(char* to, const void* from, std::size_t size) {
  if (size != 0) std::memcpy(to, from, size);
  return to + size;
}
template <typename T>
char* put(char* to, const T& value) {
  return put(to, &value, sizeof value);
}
char* put_text(char* to, std::string_view text) { return put(put_varint(to, text.size()), text.data(), text.size()); }

template <typename T>
T take(const char*& from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}
std::string_view take_text(const char*& from) {
  const auto size = static_cast<std::size_t>(take_varint(from));
  const std::string_view text(from, size);
  from += size;
  return text;
}

// ZigZag encoding: durations near 0, of either sign, become small numbers.
std::uint64_t folded(Duration time) {
  const auto bits = static_cast<std::uint64_t>(time.milliseconds);
  return bits << 1 ^ (time.milliseconds < 0 ? UINT64_MAX : 0);
}
Duration unfolded(std::uint64_t number) {
  return {static_cast<std::int64_t>(number >> 1 ^ ((number & 1) != 0 ? UINT64_MAX : 0))};
}

}  // namespace

std::optional<std::uint8_t> KnownTexts::number_of(std::string_view text) {
  if (text.size() > size_max) return std::nullopt;
  std::uint8_t& guess = guess_of(text);
  if (guess < texts_.size() && texts_[guess] == text) return guess;
  if (const std::uint8_t* const known = numbers_.find(text)) return guess = *known;
  if (texts_.size() == count_max) return std::nullopt;
  const auto number = static_cast<std::uint8_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.add(texts_.back(), number);
  return number;
}

std::size_t EventBlock::bytes_at_most(const Event& event) {
  constexpr std::size_t id_at_most = 1 + sizeof(Id);
  // Context and its position; flags, shape, and the event that is referred to; subject and step; time, revision, count,
  // and the sizes of two texts.
  constexpr std::size_t fixed =
      sizeof(Context) + sizeof(std::uint16_t) + 3 + sizeof(std::uint64_t) + 2 * id_at_most + 5 * varint_size_max + 2;
  return fixed + event.author.size() + event.detail.size();
}

EventBlock::EventBlock(std::uint64_t first, const Event& event)
    : first_(first),
      at_(event.at),
      size_(std::max(bytes_at_most(event), usual_size)),
      bytes_(std::make_unique_for_overwrite<char[]>(size_)) {
  places_.reserve(usual_events);
}

template <std::uint8_t max>
std::uint8_t EventBlock::Few<max>::number_of(std::uint64_t value) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
  std::uint8_t& guess = guesses_[value * odd / (UINT64_MAX / guess_count + 1)];
  if (guess < count_ && values_[guess] == value) return guess;
  const auto end = values_.begin() + count_;
  const auto found = std::find(values_.begin(), end, value);
  if (found == end && count_ == max) return full;
  guess = static_cast<std::uint8_t>(found - values_.begin());
  if (found == end) values_[count_++] = value;
  return guess;
}

// An id of the engine consists of 4 bytes of a counter, 7 bytes of its creation time, which many ids share, and random
// bytes.
constexpr std::size_t made_at = 4;
constexpr std::size_t made_size = 7;
constexpr std::size_t made_end = made_at + made_size;
// The bytes are read with one 8-byte load, and the mask removes the last one. Copying 7 bytes takes two stores, and a
// load of both would stall.
constexpr std::uint64_t made_mask = std::endian::native == std::endian::little ? UINT64_MAX >> 8 : UINT64_MAX << 8;

char* EventBlock::put_id(char* to, const Id& id) {
  std::uint64_t made;
  std::memcpy(&made, id.bytes.data() + made_at, sizeof made);
  const std::uint8_t number = made_.number_of(made & made_mask);
  to = put(to, number);
  if (number == made_.full) return put(to, id);
  to = put(to, id.bytes.data(), made_at);
  return put(to, id.bytes.data() + made_end, sizeof id - made_end);
}

Id EventBlock::take_id(const char*& from) const {
  const auto number = take<std::uint8_t>(from);
  if (number == made_.full) return take<Id>(from);
  const std::uint64_t made = made_[number];
  Id id;
  std::memcpy(id.bytes.data(), from, made_at);
  std::memcpy(id.bytes.data() + made_at, &made, sizeof made);
  std::memcpy(id.bytes.data() + made_end, from + made_at, sizeof id - made_end);
  from += sizeof id - made_size;
  return id;
}

char* EventBlock::put_shape(char* to, const Event& event) {
  const std::uint64_t shape = std::uint64_t{event.family} << 24 |
                              std::uint64_t{static_cast<std::uint8_t>(event.kind)} << 16 |
                              std::uint64_t{event.from} << 8 | event.to;
  const std::uint8_t number = shapes_.number_of(shape);
  to = put(to, number);
  return number == shapes_.full ? put(to, shape) : to;
}

void EventBlock::take_shape(const char*& from, View& view) const {
  const auto number = take<std::uint8_t>(from);
  const std::uint64_t shape = number == shapes_.full ? take<std::uint64_t>(from) : shapes_[number];
  view.family = static_cast<FamilyNumber>(shape >> 24);
  view.kind = static_cast<EventKind>(shape >> 16 & 255);
  view.from = static_cast<std::uint8_t>(shape >> 8 & 255);
  view.to = static_cast<std::uint8_t>(shape & 255);
}

void EventBlock::append(const Event& event, Texts& texts) {
  const auto step = event.detail.step();
  const auto ending = step ? texts.endings.number_of(step->ending) : std::nullopt;
  const std::string* const detail = ending || event.detail.empty() ? nullptr : &event.detail.text();
  const auto author = event.author.empty() ? std::nullopt : texts.authors.number_of(event.author);
  const std::size_t at = places_.size();
  places_.push_back(0);  // the last step that may allocate memory
  char* to = bytes_.get() + used_;
  const auto place = [this, &to] { return static_cast<std::uint16_t>(to - bytes_.get()); };
  const bool is_same_context = context_ && context_at(*context_) == event;
  if (!is_same_context) {
    context_ = place();
    to = put(put(put(to, event.owner), event.organization), event.request);
  }
  const bool is_named =
      is_same_context && at - named_.at <= UINT8_MAX && named_.subject == event.subject && named_.time == event.at;
  const auto flag = [](bool is_set, Flag flag) { return is_set ? static_cast<unsigned>(flag) : 0U; };
  places_.back() = place();
  to = put(to,
           static_cast<std::uint8_t>(flag(!is_named, has_name) | flag(event.revision != 0, has_revision) |
                                     flag(event.id_count != 0, has_id_count) | flag(!event.author.empty(), has_author) |
                                     flag(ending.has_value(), has_step) | flag(detail != nullptr, has_detail)));
  to = put_shape(to, event);
  if (is_named) {
    to = put(to, static_cast<std::uint8_t>(at - named_.at));
  } else {
    to = put_id(put(to, *context_), event.subject);
    to = put_varint(to, folded(event.at - at_));
    named_.at = at;
    named_.subject = event.subject;
    named_.time = event.at;
  }
  if (event.revision != 0) to = put_varint(to, event.revision);
  if (event.id_count != 0) to = put_varint(to, event.id_count);
  if (!event.author.empty()) {
    to = put(to, author.value_or(unknown_text));
    if (!author) to = put_text(to, event.author);
  }
  if (ending) {
    to = put(put_id(to, step->id), *ending);
  } else if (detail != nullptr) {
    to = put_text(to, *detail);
  }
  used_ = static_cast<std::size_t>(to - bytes_.get());
}

void EventBlock::drop_from(std::uint64_t number) {
  if (number >= end()) return;
  const auto kept = static_cast<std::size_t>(number - first_);
  used_ = places_[kept];
  places_.resize(kept);
  context_.reset();  // invalidates named_, too
}

EventBlock::Context EventBlock::context_at(std::uint16_t place) const {
  Context context;
  std::memcpy(&context, bytes_.get() + place, sizeof context);
  return context;
}

// Reads context, subject and time of an event that has them; `from` points behind its shape.
void EventBlock::take_name(const char*& from, View& view) const {
  view.context = context_at(take<std::uint16_t>(from));
  view.subject = take_id(from);
  view.at = at_ + unfolded(take_varint(from));
}

EventBlock::View EventBlock::view(std::uint64_t number, const Texts& texts) const {
  const auto at = static_cast<std::size_t>(number - first_);
  const char* from = bytes_.get() + places_[at];
  const auto flags = take<std::uint8_t>(from);
  const auto has = [flags](Flag flag) { return (flags & flag) != 0; };
  View view;
  take_shape(from, view);
  if (has(has_name)) {
    take_name(from, view);
  } else {
    const char* named = bytes_.get() + places_[at - take<std::uint8_t>(from)] + 1;
    View other;
    take_shape(named, other);
    take_name(named, view);
  }
  if (has(has_revision)) view.revision = take_varint(from);
  if (has(has_id_count)) view.id_count = static_cast<std::uint32_t>(take_varint(from));
  if (has(has_author)) {
    const auto author = take<std::uint8_t>(from);
    view.author = author == unknown_text ? take_text(from) : texts.authors.text(author);
  }
  if (has(has_step)) {
    view.has_step = true;
    view.step = take_id(from);
    view.detail = texts.endings.text(take<std::uint8_t>(from));
  } else if (has(has_detail)) {
    view.detail = take_text(from);
  }
  return view;
}

void EventBlock::read(std::uint64_t number, const Texts& texts, Event& out) const {
  const View found = view(number, texts);
  out.sequence = number;
  out.at = found.at;
  out.kind = found.kind;
  out.family = found.family;
  out.from = found.from;
  out.to = found.to;
  out.subject = found.subject;
  out.owner = found.context.owner;
  out.organization = found.context.organization;
  out.request = found.context.request;
  out.revision = found.revision;
  out.author.assign(found.author);
  std::string& detail = out.detail.edit();
  detail.clear();
  if (found.has_step) EventDetail::write_step(detail, found.step);
  detail.append(found.detail);
  out.id_count = found.id_count;
}

}  // namespace orlop
