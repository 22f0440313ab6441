#include "deploy/request/deployed_members.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "deploy/driver/released_configuration.h"
#include "releases/release_records.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view names[] = {"image_name", "tag",      "arguments", "entrypoint",
                                      "source",     "schedule", "job_type",  "git_repository"};

// Writes the members of `service` that the overrides do not replace.
void write_members(Writer& out, const Value& service, const Value* overrides) {
  for (const std::string_view name : names) {
    const Value* const value = service.find(name);
    if (value != nullptr && (overrides == nullptr || overrides->find(name) == nullptr)) out.field(name, *value);
  }
}

// The same from the text of a record, without parsing it: every deployment of every service comes here.
Result<void> write_raw_members(Writer& out, const std::string& text, const Value* overrides) {
  std::array<std::string_view, std::size(names)> raw;
  if (!raw_members(text, names, raw)) {
    ORLOP_TRY(service, parse_stored(text));
    write_members(out, service, overrides);
    return {};
  }
  for (std::size_t at = 0; at < raw.size(); ++at) {
    if (!raw[at].empty() && (overrides == nullptr || overrides->find(names[at]) == nullptr))
      out.field_raw(names[at], raw[at]);
  }
  return {};
}

// Returns the configuration of the release; null if it is not there.
Result<Value> configuration_in(Unit& unit, const Id& service, std::uint32_t number) {
  auto released = configuration_of_release(unit, service, number);
  if (released) return std::move(released->configuration);
  const ErrorCode code = released.error().code;
  const bool is_absent = code == ErrorCode::conflict || code == ErrorCode::not_found;
  return is_absent ? Result<Value>(Value()) : std::move(released).error();
}

// Returns the configuration of the release that the request made; null if it made none.
Result<Value> released_by(Unit& unit, const Id& service, const Id& request) {
  ORLOP_TRY(releases, releases_of(unit, service));
  const auto made = std::ranges::find(releases, request, &Release::request);
  return made == releases.end() ? Result<Value>(Value()) : configuration_in(unit, service, made->number);
}

}  // namespace

Result<std::string> deployed_members(Unit& unit, const Record& service, const RequestBody& body, bool is_overtaken) {
  const Value* const overrides = body.overrides.members().empty() ? nullptr : body.overrides.find(to_text(service.id));
  Writer out;
  out.begin_object();
  const std::int64_t rollback = overrides == nullptr ? 0 : overrides->integer_or(rollback_name, 0);
  if (is_overtaken || rollback != 0) {
    ORLOP_TRY(released, rollback != 0 ? configuration_in(unit, service.id, static_cast<std::uint32_t>(rollback))
                                      : released_by(unit, service.id, body.id));
    if (released.is_null()) return std::string();
    write_members(out, released, overrides);
  } else {
    ORLOP_CHECK(write_raw_members(out, service.body, overrides));
  }
  if (overrides != nullptr) out.members_of(*overrides);
  out.end_object();
  return std::move(out).take();
}

}  // namespace orlop
