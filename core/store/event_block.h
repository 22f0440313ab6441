// A packed block of the feed's events. Data that an event shares with the one before it, or that many events share, is
// written once. An event is found by its position, without reading those before it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "store/store.h"

namespace orlop {

// Numbers for short texts that recur. When it is full, new texts get no number.
class KnownTexts {
 public:
  std::optional<std::uint8_t> number_of(std::string_view text);
  std::string_view text(std::uint8_t number) const { return texts_[number]; }

  static constexpr std::size_t count_max = 255;  // a byte has one value left that is not a number

 private:
  static constexpr std::size_t size_max = 64;  // bytes of a text

  // Returns a guess of the text's number, by its size and middle letter. Usually right.
  std::uint8_t& guess_of(std::string_view text) {
    return guesses_[(text.size() * 5 + static_cast<std::uint8_t>(text.empty() ? 0 : text[text.size() / 2])) %
                    guesses_.size()];
  }

  std::vector<std::string> texts_;
  FlatMap<std::string, std::uint8_t, HashText> numbers_;
  std::array<std::uint8_t, 64> guesses_ = {};
};

class EventBlock {
 public:
  // Shared by the blocks of a feed.
  struct Texts {
    KnownTexts authors;
    KnownTexts endings;  // texts of steps, without the beginning up to the id
  };
  // Values that consecutive events often share.
  struct Context {
    Id owner;
    Id organization;
    Id request;
    bool operator==(const Event& event) const {
      return owner == event.owner && organization == event.organization && request == event.request;
    }
  };
  // An unpacked event. Its views refer to the block and the texts.
  struct View {
    Context context;
    Instant at;
    std::uint64_t revision = 0;
    Id subject;
    std::uint32_t id_count = 0;
    FamilyNumber family = 0;
    EventKind kind = EventKind::created;
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    std::string_view author;
    std::string_view detail;  // of a packed step: the text after its id
    bool has_step = false;
    Id step;
  };

  // For events from number `first` on. `event` is the first one.
  EventBlock(std::uint64_t first, const Event& event);

  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return first_ + places_.size(); }  // number after that of its last event
  // Reports whether another event fits. After an event larger than usual none does, so that 16 bits hold all positions.
  bool takes(const Event& event) const { return used_ + bytes_at_most(event) <= size_; }
  // Requires takes(event). Changes nothing if memory runs out.
  void append(const Event& event, Texts& texts);
  // Removes the events from this number on.
  void drop_from(std::uint64_t number);

  // Returns the event of this number, which the block must hold.
  View view(std::uint64_t number, const Texts& texts) const;
  // Like view(), with number and texts copied into `out`.
  void read(std::uint64_t number, const Texts& texts, Event& out) const;

 private:
  // The last event that is written with its subject, time and context. Later events with the same values refer to it.
  struct Named {
    std::size_t at = 0;  // its index in the block
    Id subject;
    Instant time;
  };
  // Numbers for a few values, in memory that is allocated from the beginning.
  template <std::uint8_t max>
  class Few {
   public:
    static constexpr std::uint8_t full = max;  // instead of a number: the value follows
    std::uint8_t number_of(std::uint64_t value);
    std::uint64_t operator[](std::uint8_t number) const { return values_[number]; }

   private:
    static constexpr std::size_t guess_count = 64;

    std::array<std::uint64_t, max> values_ = {};
    std::array<std::uint8_t, guess_count> guesses_ = {};  // guesses of a value's number, by its bits; usually right
    std::uint8_t count_ = 0;
  };

  static std::size_t bytes_at_most(const Event& event);
  char* put_shape(char* to, const Event& event);
  char* put_id(char* to, const Id& id);
  Id take_id(const char*& from) const;
  void take_shape(const char*& from, View& view) const;
  void take_name(const char*& from, View& view) const;
  Context context_at(std::uint16_t place) const;

  std::uint64_t first_;
  Instant at_;  // of the first event
  std::size_t size_;
  std::size_t used_ = 0;
  std::unique_ptr<char[]> bytes_;
  std::vector<std::uint16_t> places_;     // positions of the events
  Few<32> shapes_;                        // family, kind, from and to
  Few<16> made_;                          // creation times in ids
  Named named_;                           // valid while context_ is set
  std::optional<std::uint16_t> context_;  // position of the last context written
};

}  // namespace orlop
