// Details of an event: the text of a JSON object. Most details are about steps; they are kept as an id and one of a few
// texts until the JSON is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/id.h"

namespace orlop {

class EventDetail {
  static constexpr std::string_view mark = R"({"step":")";  // an id follows

 public:
  static constexpr std::size_t ending_at = mark.size() + id_text_size;

  EventDetail() = default;
  EventDetail(std::string text) : text_(std::move(text)) {}
  EventDetail(const char* text) : text_(text) {}
  // The text is {"step":"<id>" followed by `ending`, which must live as long as the program.
  EventDetail(const Id& step, std::string_view ending) : step_(step), ending_(ending) {}

  std::size_t size() const;  // of the text in bytes
  bool empty() const { return ending_.empty() && text_.empty(); }
  // Returns the text; empty if none. Makes it on the first call, so two threads must not call it at once.
  const std::string& text() const;
  // Returns the text for overwriting; its memory is reused.
  std::string& edit() {
    ending_ = {};
    return text_;
  }

  struct Step {
    Id id;
    std::string_view ending;
  };
  // Returns the step at the beginning of the text, if it is written as this library writes it; the view is valid as
  // long as this.
  std::optional<Step> step() const;
  // Appends the text before the ending, `ending_at` bytes.
  static void write_step(std::string& out, const Id& step);

  friend bool operator==(const EventDetail& left, const EventDetail& right) { return left.text() == right.text(); }

 private:
  Id step_;
  mutable std::string_view ending_;  // empty if text_ holds the text
  mutable std::string text_;
};

}  // namespace orlop
