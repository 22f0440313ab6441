// A body that others resemble: of each of them only what differs is kept. Bodies are bytes here; that JSON text has
// `,"` where its members begin makes the packed ones small, and no text is wrong for it.
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
  // Bodies of such sizes are worth the work of packing.
  static constexpr std::size_t size_min = 384;
  static constexpr std::size_t size_max = 8192;

  // `own`: the id of the record whose body it is.
  BodyPattern(std::string body, const Id& own);

  // Into `packed`: what unpack() makes the body from again. False: that is more than half of the body.
  bool pack(std::string_view body, const Id& own, std::string& packed) const;
  // The body of `size` bytes that was packed for this id, into `out`.
  void unpack(std::string_view packed, std::size_t size, const Id& own, std::string& out) const;

 private:
  // A place in the text, and one in a body.
  struct Places {
    std::size_t here = 0;
    std::size_t there = 0;
  };
  // Where they are alike again behind these places; their ends, if that is not near.
  Places meet(Places from, std::string_view body) const;
  std::string text_;
  std::size_t own_at_ = std::string::npos;  // the text of its own id, in place of which that of another's may stand
  std::vector<std::uint32_t> begins_;       // of its members, or what looks like them; ascending
};

// The patterns of the families, as their bodies come. Not synchronized.
class BodyPatterns {
 public:
  struct Packed {
    // Nothing: the body stays whole, as it is small or large or one of the first of its kind.
    Shared<BodyPattern> pattern;
    std::string_view body;  // until the next one
  };
  Packed pack(FamilyNumber family, std::string_view body, const Id& own);

 private:
  struct Known {
    std::vector<Shared<BodyPattern>> patterns;  // the one that fitted last first
    unsigned misses = 0;                        // bodies since the last one was added that none fitted
    unsigned loose = 0;                         // and those of which much differed
    unsigned fits = 0;                          // bodies since then that one has fitted
    bool has_rested = false;                    // since then
    // Bodies that are not tried before a pattern that hardly any has fitted is followed by another; twice as many each
    // time.
    unsigned rest = 0;
    unsigned resting = 0;  // how many of them are still to come
  };
  // Packs by one of the patterns, which is then the first. False: none fits.
  bool pack_by_one(Known& known, std::string_view body, const Id& own);

  std::unordered_map<FamilyNumber, Known> families_;
  std::string packed_;
};

}  // namespace orlop
