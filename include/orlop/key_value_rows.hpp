// Encoding of the rows of a store as keys and values (key_value.hpp). Not part of the public API.
#ifndef ORLOP_KEY_VALUE_ROWS_HPP
#define ORLOP_KEY_VALUE_ROWS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orlop/storage.h"

namespace orlop {
namespace key_values {

// Rows are bytes: integers with the lowest byte first, texts after their length.

struct Packer {
  std::string bytes;
  void operator()(std::integral auto number) {
    for (std::size_t at = 0; at < sizeof number; ++at)
      bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * at)));
  }
  void operator()(const orlop_id& id) { bytes.append(reinterpret_cast<const char*>(id.bytes), sizeof id.bytes); }
  void operator()(const orlop_text& text) {
    (*this)(std::uint64_t{text.size});
    if (text.size != 0) bytes.append(text.data, text.size);
  }
};

// Unpacked texts point into `rest`.
struct Unpacker {
  std::string_view rest;
  std::string_view take(std::uint64_t size) {
    if (size > rest.size()) throw std::runtime_error("a row of the key-value store ends too early");
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  template <std::integral Number>
  void operator()(Number& number) {
    std::uint64_t found = 0;
    const std::string_view bytes = take(sizeof number);
    for (std::size_t at = 0; at < bytes.size(); ++at)
      found |= std::uint64_t{static_cast<unsigned char>(bytes[at])} << (8 * at);
    number = static_cast<Number>(found);
  }
  void operator()(orlop_id& id) { std::memcpy(id.bytes, take(sizeof id.bytes).data(), sizeof id.bytes); }
  void operator()(orlop_text& text) {
    std::uint64_t size = 0;
    (*this)(size);
    text = {take(size).data(), size};
  }
};

struct Record {
  orlop_record row{};
  orlop_text name_key{};
  std::vector<orlop_id> references;  // ascending, each once
};
struct Machine {
  orlop_machine row{};
  std::vector<orlop_phase> phases;
};

template <typename Item>
void pack_list(Packer& to, std::vector<Item>& items, const auto& each) {
  to(std::uint64_t{items.size()});
  for (Item& item : items) each(item, to);
}
template <typename Item>
void pack_list(Unpacker& from, std::vector<Item>& items, const auto& each) {
  std::uint64_t count = 0;
  from(count);
  for (; count > 0; --count) each(items.emplace_back(), from);
}

void pack(Record& record, auto& each) {
  orlop_record& row = record.row;
  each(row.id), each(row.parent), each(row.organization), each(row.revision), each(row.family), each(row.body),
      each(row.secrets), each(record.name_key);
  pack_list(each, record.references, [](orlop_id& id, auto& act) { act(id); });
}
void pack(Machine& machine, auto& each) {
  orlop_machine& row = machine.row;
  each(row.id), each(row.owner), each(row.request), each(row.stage), each(row.step), each(row.revision),
      each(row.configured), each(row.deployed);
  each(row.step_started_at_ms), each(row.deadline_ms), each(row.changed_at_ms), each(row.last_deployment_at_ms),
      each(row.execution_id), each(row.triggered_by);
  each(row.reason), each(row.outputs), each(row.commit), each(row.started_at_ms), each(row.ended_at_ms),
      each(row.canceled_at_ms), each(row.reported_at_ms);
  each(row.progress), each(row.plan_flags), each(row.planned_flags), each(row.stage_order), each(row.number),
      each(row.family), each(row.attempt), each(row.partition);
  each(row.configuration), each(row.state), each(row.origin_state), each(row.action), each(row.freshness),
      each(row.running), each(row.step_kind), each(row.active);
  pack_list(each, machine.phases,
            [](orlop_phase& phase, auto& act) { act(phase.phase), act(phase.status), act(phase.spent_ms); });
}
void pack(orlop_event& row, auto& each) {
  each(row.sequence), each(row.at_ms), each(row.revision), each(row.subject), each(row.owner), each(row.organization),
      each(row.request), each(row.author);
  each(row.detail), each(row.family), each(row.kind), each(row.from), each(row.to), each(row.id_count);
}

std::string packed(auto& row) {
  Packer packer;
  pack(row, packer);
  return std::move(packer.bytes);
}

// A row, with the bytes that its texts point into.
template <typename Row>
struct Kept {
  std::string bytes;
  Row row{};
};
template <typename Row>
std::unique_ptr<Kept<Row>> unpacked(std::optional<std::string> bytes) {
  if (!bytes) return nullptr;
  auto kept = std::make_unique<Kept<Row>>();
  kept->bytes = std::move(*bytes);
  Unpacker unpacker{kept->bytes};
  pack(kept->row, unpacker);
  return kept;
}

// A key is a letter for its kind, followed by the value that finds the row.

inline std::string_view view(const orlop_id& id) { return {reinterpret_cast<const char*>(id.bytes), sizeof id.bytes}; }
inline bool is_nil(const orlop_id& id) { return view(id) == view(orlop_id{}); }
inline std::string_view view(const orlop_text& text) {
  return text.size == 0 ? std::string_view() : std::string_view(text.data, text.size);
}
inline std::string key(char kind, std::string_view first, std::string_view second = {}) {
  return std::string(1, kind).append(first).append(second);
}
// Returns 8 bytes that sort in the order of the numbers.
inline std::string ascending(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(number >> shift));
  return bytes;
}
inline std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}
inline orlop_id id_of(std::string_view bytes) {
  orlop_id id{};
  std::memcpy(id.bytes, bytes.data(), sizeof id.bytes);
  return id;
}

inline std::string record_key(const orlop_id& id) { return key('r', view(id)); }
inline std::string machine_key(const orlop_id& id) { return key('m', view(id)); }
inline std::string event_key(std::uint64_t sequence) { return key('e', ascending(sequence)); }
inline constexpr const char* first_event_key = "f";  // number of the first event that is kept
inline constexpr const char* last_event_key = "l";   // number of the last event

// Key and number of the layout; the first commit stores them.
inline constexpr const char* layout_key = "v";
inline constexpr std::uint64_t layout = 1;

// Returns the index keys of a row, besides its own key.
inline std::vector<std::string> ways_to(const Record& record) {
  std::vector<std::string> ways = {key('c', view(record.row.parent), view(record.row.id))};
  for (const orlop_id& target : record.references) ways.push_back(key('t', view(target), view(record.row.id)));
  if (record.name_key.size != 0) ways.push_back(key('k', view(record.name_key)));
  return ways;
}
inline std::vector<std::string> ways_to(const Machine& machine) {
  std::vector<std::string> ways = {key('o', view(machine.row.owner), view(machine.row.id))};
  if (machine.row.active != 0)
    ways.push_back(key('a', std::string(1, static_cast<char>(machine.row.partition)), view(machine.row.id)));
  return ways;
}
inline std::vector<std::string> ways_to(const orlop_event& event) {
  const std::string sequence = ascending(event.sequence);
  std::vector<std::string> ways = {key('q', view(event.request), sequence), key('s', view(event.subject), sequence)};
  if (event.author.size != 0) ways.push_back(key('u', view(event.organization), sequence));
  return ways;
}

}  // namespace key_values
}  // namespace orlop

#endif
