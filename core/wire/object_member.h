// Reads single members of an object that the engine has written, without parsing the others.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace orlop {

// Returns the JSON text of the member `name` at the top of `object`; empty if it is absent or if `object` is not as
// Writer writes it (a store may have been edited by hand): the caller then parses the whole.
std::string_view raw_member(std::string_view object, std::string_view name);

// Reads the members at the top of such an object in order.
class RawMembers {
 public:
  explicit RawMembers(std::string_view object)
      : at_(object.data() + (object.starts_with("{\"") ? 1 : object.size())),
        end_(object.data() + object.size()),
        is_whole_(object == "{}") {}
  // Starts at the member at offset `from`.
  RawMembers(std::string_view object, std::size_t from)
      : at_(object.data() + from), end_(object.data() + object.size()), is_whole_(false) {}

  // Returns false at the end, or if the text is not as Writer writes it: is_broken() distinguishes them.
  bool next(std::string_view& name, std::string_view& raw);
  bool is_broken() const { return !is_whole_; }

 private:
  const char* at_;
  const char* end_;
  bool is_whole_;
};

// Reads the texts of several members, in the order of `names`; empty for an absent one. Stops after the last of them.
// Returns false if `object` is not as Writer writes it; the caller then parses the whole.
bool raw_members(std::string_view object, std::span<const std::string_view> names, std::span<std::string_view> texts);

}  // namespace orlop
