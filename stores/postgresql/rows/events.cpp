#include "rows/events.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "server/big_endian.h"

namespace orlop::postgresql {
namespace {

constexpr std::size_t block_events_max = 128;
// Limit for ids and events together, except for a single event: they fit into a page of the server (8,192 bytes), so
// that the row is not split.
constexpr std::size_t block_bytes_max = 7'600;

constexpr std::size_t head_size = 41;
namespace head_at {  // in a head
constexpr std::size_t time = 0, revision = 8, id_count = 16, author_end = 20, detail_end = 24, family = 28, kind = 30,
                      from = 31, to = 32, subject = 33, owner = 35, organization = 37, request = 39;
}

// An array of ids in the binary format: dimensions, null flag, type, then, unless it is empty, size and lowest index,
// and each element after its size.
constexpr std::size_t array_head = 20;
constexpr std::size_t array_element = 4 + sizeof(orlop_id::bytes);

std::uint64_t number_at(std::string_view bytes, std::size_t place, std::size_t size) {
  return number_of(bytes.substr(place, size));
}

// One part of the list of ids.
class IdList {
 public:
  // Returns the position from 1; 0 for a nil id. Searches backwards: consecutive events often have the same ids.
  std::size_t place_of(const orlop_id& id) {
    if (is_nil(id)) return 0;
    for (std::size_t place = ids_.size(); place > 0; --place) {
      if (same(ids_[place - 1], id)) return place;
    }
    ids_.push_back(id);
    return ids_.size();
  }
  const std::vector<orlop_id>& ids() const { return ids_; }
  std::size_t size() const { return ids_.size(); }

 private:
  std::vector<orlop_id> ids_;
};

// Collects the events of a block.
class Packer {
 public:
  // Returns false if the block has no room for the event.
  bool add(const orlop_event& event) {
    const std::size_t size = head_size + event.author.size + event.detail.size + 4 * sizeof event.subject.bytes;
    if (count() == block_events_max || (count() != 0 && bytes_ + size > block_bytes_max)) return false;
    const bool has_author = event.author.size != 0;
    const std::size_t before = ids();
    places_.push_back({subjects_.place_of(event.subject), others_.place_of(event.owner),
                       (has_author ? organizations_ : others_).place_of(event.organization),
                       requests_.place_of(event.request), has_author});
    events_.push_back(&event);
    bytes_ += head_size + event.author.size + event.detail.size + (ids() - before) * sizeof event.subject.bytes;
    return true;
  }
  std::size_t count() const { return events_.size(); }

  void put_ids(Parameters& parameters) const {
    for (const IdList* part : {&organizations_, &requests_, &subjects_})
      parameters.integer(static_cast<std::int32_t>(part->size()));
    std::vector<orlop_id> all;
    for (const IdList* part : {&organizations_, &requests_, &subjects_, &others_})
      all.insert(all.end(), part->ids().begin(), part->ids().end());
    parameters.array(Type::uuid, all, [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
  }

  std::string events() const {
    std::string heads;
    std::string texts;
    heads.reserve(bytes_);
    for (std::size_t place = 0; place < count(); ++place) put_event(*events_[place], places_[place], heads, texts);
    return heads + texts;
  }

 private:
  struct Places {
    std::size_t subject, owner, organization, request;
    bool has_author;
  };

  std::size_t ids() const { return organizations_.size() + requests_.size() + subjects_.size() + others_.size(); }

  void put_event(const orlop_event& event, const Places& places, std::string& heads, std::string& texts) const {
    const std::size_t requests_at = organizations_.size();
    const std::size_t subjects_at = requests_at + requests_.size();
    const std::size_t others_at = subjects_at + subjects_.size();
    const auto put_place = [&heads](std::size_t place, std::size_t part_at) {
      append_number(heads, static_cast<std::uint16_t>(place == 0 ? 0 : place + part_at));
    };
    append_number(heads, event.at_ms);
    append_number(heads, event.revision);
    append_number(heads, event.id_count);
    for (const orlop_text& text : {event.author, event.detail}) {
      texts.append(view_of(text));
      append_number(heads, static_cast<std::uint32_t>(texts.size()));
    }
    append_number(heads, event.family);
    for (const std::uint8_t byte : {event.kind, event.from, event.to}) append_number(heads, byte);
    put_place(places.subject, subjects_at);
    put_place(places.owner, others_at);
    put_place(places.organization, places.has_author ? 0 : others_at);
    put_place(places.request, requests_at);
  }

  std::vector<const orlop_event*> events_;
  std::vector<Places> places_;
  IdList organizations_, requests_, subjects_, others_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::size_t put_event_block(Parameters& parameters, std::span<const orlop_event* const> events,
                            std::optional<std::uint64_t> first) {
  Packer packer;
  std::int64_t least = INT64_MAX;
  for (const orlop_event* event : events) {
    if (!packer.add(*event)) break;
    least = std::min(least, event->at_ms);
  }
  const orlop_event& last = *events[packer.count() - 1];
  parameters.integer(static_cast<std::int32_t>(packer.count())).bigint(least).bigint(last.at_ms).bigint(last.id_count);
  packer.put_ids(parameters);
  parameters.bytes(packer.events());
  if (first) parameters.bigint(static_cast<std::int64_t>(*first));
  return packer.count();
}

Status EventBlock::read(const Rows& rows, int row, EventBlock& block) {
  block.first_ = static_cast<std::uint64_t>(rows.bigint(row, 0));
  block.count_ = static_cast<std::size_t>(rows.integer(row, 1));
  block.forgotten_ = static_cast<std::size_t>(rows.integer(row, 2));
  block.at_ = rows.bigint(row, 3);
  block.id_count_ = static_cast<std::uint32_t>(rows.bigint(row, 4));
  block.ids_ = rows.bytes(row, 5);
  block.events_ = rows.bytes(row, 6);
  if (block.is_sound()) return {};
  return {ORLOP_ERROR_STORAGE_CORRUPT,
          "the block of events from " + std::to_string(block.first_) + " on cannot be read"};
}

// Reports whether the block holds all that its events refer to, and no other bytes. A negative number becomes a large
// one here.
bool EventBlock::is_sound() const {
  if (count_ == 0 || forgotten_ >= count_ || count_ > events_.size() / head_size) return false;
  const std::uint64_t texts = events_.size() - count_ * head_size;
  const std::size_t ids = ids_.size() < array_head ? 0 : (ids_.size() - array_head) / array_element;
  std::uint64_t end = 0;
  for (std::size_t place = 0; place < count_; ++place) {
    const std::string_view bytes = events_.substr(place * head_size, head_size);
    for (const std::size_t text : {head_at::author_end, head_at::detail_end}) {
      const std::uint64_t next = number_at(bytes, text, 4);
      if (next < end || next > texts) return false;
      end = next;
    }
    for (const std::size_t id : {head_at::subject, head_at::owner, head_at::organization, head_at::request}) {
      if (number_at(bytes, id, 2) > ids) return false;
    }
  }
  return end == texts;
}

orlop_id EventBlock::id(std::uint64_t place) const {
  orlop_id id{};
  if (place != 0)
    std::memcpy(id.bytes, ids_.data() + array_head + place * array_element - sizeof id.bytes, sizeof id.bytes);
  return id;
}

orlop_event EventBlock::event(std::size_t place) const {
  place += forgotten_;
  const std::string_view bytes = events_.substr(place * head_size, head_size);
  const std::string_view texts = events_.substr(count_ * head_size);
  const std::size_t start = place == 0 ? 0 : number_at(events_, (place - 1) * head_size + head_at::detail_end, 4);
  const std::size_t middle = number_at(bytes, head_at::author_end, 4);
  const std::uint32_t id_count = static_cast<std::uint32_t>(number_at(bytes, head_at::id_count, 4));
  orlop_event event{};
  event.size = sizeof event;
  event.sequence = first_ + place;
  event.at_ms = std::max(static_cast<std::int64_t>(number_at(bytes, head_at::time, 8)), at_);
  event.revision = number_at(bytes, head_at::revision, 8);
  event.id_count = id_count == 0 ? 0 : std::max(id_count, id_count_);
  event.author = text_of(texts.substr(start, middle - start));
  event.detail = text_of(texts.substr(middle, number_at(bytes, head_at::detail_end, 4) - middle));
  event.family = static_cast<std::uint16_t>(number_at(bytes, head_at::family, 2));
  event.kind = static_cast<std::uint8_t>(bytes[head_at::kind]);
  event.from = static_cast<std::uint8_t>(bytes[head_at::from]);
  event.to = static_cast<std::uint8_t>(bytes[head_at::to]);
  event.subject = id(number_at(bytes, head_at::subject, 2));
  event.owner = id(number_at(bytes, head_at::owner, 2));
  event.organization = id(number_at(bytes, head_at::organization, 2));
  event.request = id(number_at(bytes, head_at::request, 2));
  return event;
}

}  // namespace orlop::postgresql
