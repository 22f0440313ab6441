// Ids inside of texts: a key of a built-in variable and a host name contain the first eight digits of an id after a
// "z".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/id.h"

namespace orlop {

inline constexpr std::size_t named_digits = 8;

// Returns the position, at or after `from`, of the next eight digits after a "z"; npos if none. Digits after a "Z" are
// in upper case.
std::size_t find_named_digits(std::string_view text, std::size_t from);

// Returns the first digits of the id, which texts contain.
std::string named_digits_of(const Id& id);

// Id at a position in a text: its first digits, or all of it.
struct NamedId {
  std::string digits;  // in lower case
  Id whole;            // nil: the text has only the first digits
  std::size_t size = named_digits;
};
NamedId named_id_at(std::string_view text, std::size_t at);

// Overwrites the digits with those of another id, in the case of the "z" before them. True if the text has changed. Its
// length stays the same, so that JSON text stays valid.
bool write_named_id(std::string& text, std::size_t at, std::size_t size, const Id& id);

}  // namespace orlop
