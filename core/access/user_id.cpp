#include "access/user_id.h"

#include <algorithm>
#include <string>

#include "base/text/digest.h"

namespace orlop {

Id user_id_of(std::string_view subject) {
  const Digest digest = sha256("user:" + std::string(subject));
  Id id;
  std::copy_n(digest.begin(), id.bytes.size(), id.bytes.begin());
  id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0F) | 0x80);  // version 8, RFC 9562
  id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3F) | 0x80);
  return id;
}

}  // namespace orlop
