#include "store/event_detail.h"

#include <cstring>

namespace orlop {
void EventDetail::write_step(std::string& out, const Id& step) { append_text(out.append(mark), step); }

std::size_t EventDetail::size() const { return ending_.empty() ? text_.size() : ending_at + ending_.size(); }

const std::string& EventDetail::text() const {
  if (!ending_.empty()) {
    std::string made;
    made.reserve(size());
    write_step(made, step_);
    text_ = std::move(made.append(ending_));
    ending_ = {};
  }
  return text_;
}

std::optional<EventDetail::Step> EventDetail::step() const {
  if (!ending_.empty()) return Step{step_, ending_};
  if (text_.size() < ending_at || !text_.starts_with(mark)) return std::nullopt;
  const std::string_view text = std::string_view(text_).substr(mark.size());
  const auto id = parse_id(text.substr(0, id_text_size));
  char written[id_text_size];
  if (id) write_text(written, *id);
  if (!id || std::memcmp(written, text.data(), id_text_size) != 0) return std::nullopt;
  return Step{*id, text.substr(id_text_size)};
}

}  // namespace orlop
