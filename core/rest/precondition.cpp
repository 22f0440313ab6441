#include "rest/precondition.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "model/form.h"
#include "records/single.h"

namespace orlop {
namespace {

constexpr std::string_view match_header = "if-match";

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Parses entity tags (RFC 9110). Weak tags, and tags that this engine does not make, match nothing.
Result<void> read_tags(std::string_view text, std::vector<std::uint64_t>& revisions) {
  while (!text.empty()) {
    const bool is_weak = text.starts_with("W/");
    if (is_weak) text.remove_prefix(2);
    const std::size_t end = text.starts_with('"') ? text.find('"', 1) : std::string_view::npos;
    if (end == std::string_view::npos)
      return make_error(ErrorCode::invalid,
                        "the header `If-Match` must be `*` or ETags in quotation marks, such as \"5\"");
    const std::string_view tag = text.substr(1, end - 1);
    std::uint64_t revision = 0;
    const auto [rest, error] = std::from_chars(tag.data(), tag.data() + tag.size(), revision);
    if (!is_weak && error == std::errc() && rest == tag.data() + tag.size()) revisions.push_back(revision);
    text = without_blanks(text.substr(end + 1));
    if (!text.empty() && !text.starts_with(','))
      return make_error(ErrorCode::invalid, "the ETags of the header `If-Match` must be separated by commas");
    if (!text.empty()) text = without_blanks(text.substr(1));
  }
  return {};
}

// Returns the revision of the last resource of the path, or nullopt.
Result<std::optional<std::uint64_t>> revision_on_path(Unit& unit, const Route& route, const Call& call) {
  if (call.ids.empty()) return std::optional<std::uint64_t>();
  if (route.verb && route.family->path == PathForm::single) {
    ORLOP_TRY(single, find_single(unit, *route.family, call.ids.back()));
    return std::optional<std::uint64_t>(single ? single->revision : 0);
  }
  ORLOP_TRY(record, unit.record(call.ids.back()));
  return record ? std::optional(record->revision) : std::nullopt;
}

}  // namespace

std::string etag_of(std::uint64_t revision) {
  std::string text = std::to_string(revision);
  text.insert(text.begin(), '"');
  text.push_back('"');
  return text;
}

Result<std::optional<Precondition>> precondition_of(const Request& request) {
  const auto header =
      std::ranges::find_if(request.headers, [](const auto& each) { return lower_case(each.first) == match_header; });
  if (header == request.headers.end()) return std::optional<Precondition>();
  const std::string_view text = without_blanks(header->second);
  Precondition precondition;
  precondition.is_any = text == "*";
  if (text.empty())
    return make_error(ErrorCode::invalid, "the header `If-Match` must be `*` or ETags in quotation marks; it is empty");
  if (!precondition.is_any) ORLOP_CHECK(read_tags(text, precondition.revisions));
  return std::optional(std::move(precondition));
}

Result<void> require_precondition(Unit& unit, const Route& route, const Call& call, const Precondition& precondition) {
  ORLOP_TRY(revision, revision_on_path(unit, route, call));
  if (!revision && !call.ids.empty()) return {};  // the handler answers 404
  if (!revision)
    return make_error(ErrorCode::precondition_failed,
                      "the request has the header `If-Match`, and its path names no resource");
  if (precondition.is_any || std::ranges::find(precondition.revisions, *revision) != precondition.revisions.end())
    return {};
  return make_error(ErrorCode::precondition_failed,
                    "the resource has the ETag " + etag_of(*revision) +
                        ", which the header `If-Match` does not name: it was changed since it was read");
}

}  // namespace orlop
