#include "base/derived_id.h"

#include <algorithm>
#include <string>

#include "base/text/digest.h"

namespace orlop {

Id derived_id(FamilyNumber family, const Id& parent, std::uint32_t number) {
  const Digest hash = sha256(std::to_string(family) + " " + to_text(parent) + " " + std::to_string(number));
  Id id;
  std::copy_n(hash.begin(), id.bytes.size(), id.bytes.begin());
  id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0F) | 0x80);
  id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3F) | 0x80);
  return id;
}

}  // namespace orlop
