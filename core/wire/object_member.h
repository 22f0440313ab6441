// One member of an object that the engine wrote itself, without parsing the others.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace orlop {

// The JSON text of the member `name` at the top of `object`; "" if it is not there, or if `object` is not as Writer
// writes it (a store may have been edited by hand): the caller then parses the whole.
std::string_view raw_member(std::string_view object, std::string_view name);

// Reads the members at the top of such an object one after the other.
class RawMembers {
 public:
  explicit RawMembers(std::string_view object)
      : at_(object.data() + (object.starts_with("{\"") ? 1 : object.size())),
        end_(object.data() + object.size()),
        is_whole_(object == "{}") {}
  // From the member that begins at this place on.
  RawMembers(std::string_view object, std::size_t from)
      : at_(object.data() + from), end_(object.data() + object.size()), is_whole_(false) {}

  // False at the end, or where the text is not as Writer writes it: is_broken() tells which.
  bool next(std::string_view& name, std::string_view& raw);
  bool is_broken() const { return !is_whole_; }

 private:
  const char* at_;
  const char* end_;
  bool is_whole_;
};

// The texts of several members, in the order of their names; "" for one that is not there. Reads as far as the last of
// them. False: `object` is not as Writer writes it, and the caller parses the whole.
bool raw_members(std::string_view object, std::span<const std::string_view> names, std::span<std::string_view> texts);

}  // namespace orlop
