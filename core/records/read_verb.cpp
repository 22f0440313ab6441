#include <string>
#include <utility>

#include "records/path.h"
#include "records/render_records.h"
#include "records/verbs.h"

namespace orlop {

std::optional<std::string_view> Query::find(std::string_view name) const {
  for (const auto& [key, value] : entries_) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string_view media_type(ContentType type) {
  switch (type) {
    case ContentType::json: return "application/json";
    case ContentType::yaml: return "application/x-yaml";
    case ContentType::text: return "text/plain";
    case ContentType::binary: return "application/octet-stream";
    case ContentType::events: return "text/event-stream";
  }
  return "application/json";
}

Error not_found(std::string_view what, const Id& id) {
  return make_error(ErrorCode::not_found, "there is no " + std::string(what) + " " + to_text(id));
}

Result<Answer> read(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  const std::uint64_t revision = record.revision;
  ORLOP_TRY(text, render(unit, *call.family, std::move(record)));
  return Answer{.body = std::move(text), .revision = revision};
}

}  // namespace orlop
