// What an event says beside its subject: the text of a JSON object. What is said of steps, which is most of it, is an
// id and one of a few texts until it is read.
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
  // {"step":"<id>" and, behind that, `ending`, which lives as long as the program.
  EventDetail(const Id& step, std::string_view ending) : step_(step), ending_(ending) {}

  std::size_t size() const;  // of the text
  bool empty() const { return ending_.empty() && text_.empty(); }
  // "" for none. The text is made when it is first asked for: not for two threads at once.
  const std::string& text() const;
  // As read, in the memory of the text before.
  std::string& edit() {
    ending_ = {};
    return text_;
  }

  struct Step {
    Id id;
    std::string_view ending;
  };
  // The step that the text begins with, if it is written as this library writes it; the view is good as long as this.
  std::optional<Step> step() const;
  // Appends what stands in front of the ending, `ending_at` bytes.
  static void write_step(std::string& out, const Id& step);

  friend bool operator==(const EventDetail& left, const EventDetail& right) { return left.text() == right.text(); }

 private:
  Id step_;
  mutable std::string_view ending_;  // "": the text is there
  mutable std::string text_;
};

}  // namespace orlop
