// Ids inside of texts: a key of a built-in variable and a host name hold the first eight digits of an id behind a "z".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/id.h"

namespace orlop {

inline constexpr std::size_t named_digits = 8;

// Where the next eight digits behind a "z" begin, from `from` on; npos: there are none. Digits behind a "Z" are in
// upper case.
std::size_t find_named_digits(std::string_view text, std::size_t from);

// The first digits of the id, by which texts name it.
std::string named_digits_of(const Id& id);

// The id whose digits begin at a place: its first ones, or all of it.
struct NamedId {
  std::string digits;  // in lower case
  Id whole;            // nil: the text has only the first digits
  std::size_t size = named_digits;
};
NamedId named_id_at(std::string_view text, std::size_t at);

// Writes as many digits of another id there, in the case of the "z" before them. True: the text has changed. Its size
// stays, so that JSON text stays valid.
bool write_named_id(std::string& text, std::size_t at, std::size_t size, const Id& id);

}  // namespace orlop
