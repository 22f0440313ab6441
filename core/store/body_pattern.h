// Compression of bodies that resemble each other: only the differences from a pattern are stored. Bodies are arbitrary
// bytes. JSON packs well because its members begin with `,"`; any other text is packed correctly, too.
#pragma once

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
  // Only bodies of these sizes are packed.
  static constexpr std::size_t size_min = 384;
  static constexpr std::size_t size_max = 8192;

  // `own`: id of the record that the body belongs to.
  BodyPattern(std::string body, const Id& own);

  // Writes the differences of the body into `packed`. Returns false if they are larger than half of the body.
  bool pack(std::string_view body, const Id& own, std::string& packed) const;
  // Restores the body of `size` bytes that was packed for the record `own` into `out`.
  void unpack(std::string_view packed, std::size_t size, const Id& own, std::string& out) const;

 private:
  // A position in the pattern's text, and one in a body.
  struct Places {
    std::size_t here = 0;
    std::size_t there = 0;
  };
  // Returns the next positions after `from` where the texts match again; the ends of both if no match is near.
  Places meet(Places from, std::string_view body) const;
  std::string text_;
  // position of the id of the pattern's own record, which a packed body replaces by its own
  std::size_t own_at_ = std::string::npos;
  std::vector<std::uint32_t> begins_;  // positions of `,"`, ascending
};

// The patterns of each family, chosen from the bodies that are packed. Not synchronized.
class BodyPatterns {
 public:
  struct Packed {
    // Null if the body is stored whole: it is too small or too large, or no pattern fits.
    Shared<BodyPattern> pattern;
    std::string_view body;  // valid until the next call of pack()
  };
  Packed pack(FamilyNumber family, std::string_view body, const Id& own);

 private:
  struct Known {
    std::vector<Shared<BodyPattern>> patterns;  // most recently used first
    unsigned misses = 0;                        // bodies that no pattern fitted, since the last pattern was added
    unsigned loose = 0;                         // bodies that fitted with many differences, since then
    unsigned fits = 0;                          // bodies that a pattern fitted, since then
    bool has_rested = false;                    // whether packing has paused, since then
    // Length of the pause, in bodies, before patterns that hardly fit get a successor; doubles each time.
    unsigned rest = 0;
    unsigned resting = 0;  // bodies that are left of the pause
  };
  // Packs with the first pattern that fits, and moves it to the front. Returns false if none fits.
  bool pack_by_one(Known& known, std::string_view body, const Id& own);

  std::unordered_map<FamilyNumber, Known> families_;
  std::string packed_;
};

}  // namespace orlop
