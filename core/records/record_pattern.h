// What a unit has put for a new record, with places for what is another of each record: its ids, and its name.
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

// A JSON object as Writer writes it, with places for ids and for the member `name`.
class TextPattern {
 public:
  // The ids with these places in the count of ids are taken out, and the name.
  TextPattern(std::string_view text, std::uint32_t ids_before, std::size_t id_count);
  // `name`: without characters that JSON escapes.
  std::string with(std::span<const Id> ids, std::string_view name) const;
  friend bool operator==(const TextPattern&, const TextPattern&) = default;

 private:
  static constexpr std::size_t name_place = SIZE_MAX;
  struct Place {
    std::size_t at = 0;  // in fixed_, before which it stands
    std::size_t id = 0;  // or name_place
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::string fixed_;
  std::vector<Place> places_;
};

class RecordPattern {
 public:
  // Of what the unit has put since `before`: nothing if that is more, or anything else, than a record of these ids, its
  // machine and one event.
  static std::optional<RecordPattern> of(const Unit& unit, const Unit::Extent& before);
  // Without its id and body.
  const Record& record() const { return record_; }
  // Makes its ids and puts the same for another record, whose name is valid and free.
  Id put(Unit& unit, std::string_view name, std::string key);
  friend bool operator==(const RecordPattern&, const RecordPattern&) = default;

 private:
  RecordPattern(const Unit& unit, const Unit::Extent& before);

  std::vector<Id> ids_;  // of the record that is put; the first one is its own
  Record record_;
  TextPattern body_;
  std::optional<std::vector<Id>> references_;
  Machine machine_;
  Event event_;
  TextPattern detail_;
};

}  // namespace orlop
