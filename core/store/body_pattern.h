// A body that others resemble: of each of them only what differs is kept. Bodies are bytes here; that JSON text has `,"` where its members begin makes the packed ones small, and no
// text is wrong for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/shared.h"
#include "store/store.h"

namespace orlop {

class BodyPattern {
 public:
  // Bodies of such sizes are worth the work of packing.
  static constexpr std::size_t size_min = 384;
  static constexpr std::size_t size_max = 8192;

  // `own`: the id of the record whose body it is.
  BodyPattern(std::string body, const Id& own);

  // A part of a body that is not as in the pattern.
  struct Difference {
    std::uint32_t at = 0;  // in the body
    std::uint32_t size = 0;
    std::uint32_t packed_at = 0;  // of its bytes in what is packed, or is_own_id
  };
  static constexpr std::uint32_t is_own_id = UINT32_MAX;

  // Into `packed`: what unpack() makes the body from again; `differences`: what is kept there, in its order. False: that is more than half of the body.
  bool pack(std::string_view body, const Id& own, std::string& packed, std::vector<Difference>& differences) const;
  // The body of `size` bytes that was packed for this id, into `out`.
  void unpack(std::string_view packed, std::size_t size, const Id& own, std::string& out) const;
  // The same of so many of its bytes from `begin` on, which it has.
  void unpack_part(std::string_view packed, const Id& own, std::size_t begin, std::size_t size, std::string& out) const;

 private:
  // A place in the text, and one in a body.
  struct Places {
    std::size_t here = 0;
    std::size_t there = 0;
  };
  // Where they are alike again behind these places; their ends, if that is not near.
  Places meet(Places from, std::string_view body) const;
  // Hands the pieces of the body that was packed to `take`, until it answers false: bytes, nullptr for those of the own id, and their number.
  template <typename Take>
  void each_piece(std::string_view packed, const Take& take) const;

  std::string text_;
  std::size_t own_at_ = std::string::npos;  // the text of its own id, in place of which that of another's may stand
  std::vector<std::uint32_t> begins_;       // of its members, or what looks like them; ascending
};

// A body and what was packed of it. Of one that differs in the same places only, and as long, the same is packed, but for what stands there.
class PackedBody {
 public:
  // What was packed by this pattern.
  void set(Shared<BodyPattern> pattern, std::string_view body, std::string_view packed, const std::vector<BodyPattern::Difference>& differences);
  bool is_by(const BodyPattern& pattern) const { return pattern_ && &*pattern_ == &pattern; }
  // False: it must be packed as any other.
  bool pack(std::string_view body, const Id& own, std::string& packed) const;

 private:
  Shared<BodyPattern> pattern_;
  std::string body_;
  std::string packed_;
  std::vector<BodyPattern::Difference> differences_;
};

// The patterns of the families, as their bodies come. Not synchronized.
class BodyPatterns {
 public:
  struct Packed {
    Shared<BodyPattern> pattern;  // nothing: the body stays whole, as it is small or large or one of the first of its kind
    std::string_view body;        // until the next one
  };
  Packed pack(FamilyNumber family, std::string_view body, const Id& own);

 private:
  struct Known {
    std::vector<Shared<BodyPattern>> patterns;  // the one that fitted last first
    std::array<PackedBody, 2> last;             // as names of two lengths alternate, say; the newer one first
    std::size_t size_before = 0;                // of the body before that a pattern packed: only where two are as long a third one is likely
    unsigned misses = 0;                        // bodies since the last one was added that none fitted
    unsigned loose = 0;                         // and those of which much differed
    unsigned fits = 0;                          // bodies since then that one has fitted
    bool has_rested = false;                    // since then
    unsigned rest = 0;                          // bodies that are not tried before a pattern that hardly any has fitted is followed by another; twice as many each time
    unsigned resting = 0;                       // how many of them are still to come
  };
  // Packs by one of the patterns, which is then the first. False: none fits.
  bool pack_by_one(Known& known, std::string_view body, const Id& own);

  std::unordered_map<FamilyNumber, Known> families_;
  std::string packed_;
  std::vector<BodyPattern::Difference> differences_;
};

}  // namespace orlop
