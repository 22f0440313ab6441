// Pattern of the changes that a unit has put for a new record, with gaps for its ids and name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unit/unit.h"

namespace orlop {

// A JSON object in the format of Writer, with gaps for ids and for the member `name`.
class TextPattern {
 public:
  // Replaces the name, and the `id_count` ids made after `ids_before`, by gaps.
  TextPattern(std::string_view text, std::uint32_t ids_before, std::size_t id_count);
  // `name`: without characters that JSON escapes.
  std::string with(std::span<const Id> ids, std::string_view name) const;
  friend bool operator==(const TextPattern&, const TextPattern&) = default;

 private:
  static constexpr std::size_t name_place = SIZE_MAX;
  struct Place {
    std::size_t at = 0;  // position in fixed_ where the gap is filled
    std::size_t id = 0;  // index of an id, or name_place
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::string fixed_;
  std::vector<Place> places_;
};

class RecordPattern {
 public:
  // Makes the pattern of the changes since `before`; nullopt unless they are exactly a record, its machine and one
  // event.
  static std::optional<RecordPattern> of(const Unit& unit, const Unit::Extent& before);
  // The record without id and body.
  const Record& record() const { return record_; }
  // Makes ids and puts the same changes for another record, whose name is valid and free.
  Id put(Unit& unit, std::string_view name, std::string key);
  friend bool operator==(const RecordPattern&, const RecordPattern&) = default;

 private:
  RecordPattern(const Unit& unit, const Unit::Extent& before);

  std::vector<Id> ids_;  // ids of the record that is put; the first is its own
  Record record_;
  TextPattern body_;
  std::optional<std::vector<Id>> references_;
  Machine machine_;
  Event event_;
  TextPattern detail_;
};

}  // namespace orlop
