// API tokens. The engine stores a digest of the token below its record; only the create returns the token itself.
#include <array>
#include <string>
#include <utility>

#include "access/permission.h"
#include "access/token_authentication.h"
#include "base/family_number.h"
#include "base/text/case_folding.h"
#include "base/text/digest.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/render_records.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop::operation_sets::access::tokens {
namespace {

// Error forbidden if the token's role exceeds the caller's.
Result<void> require_grant(Unit& unit, const Call& call, const Record& organization, const Record& token) {
  ORLOP_TRY(body, parse_stored(token.body));
  const auto id = parse_id(body.text_or("role_id", ""));
  const Role* role = id ? find_role(*id) : nullptr;
  return role == nullptr ? Result<void>()
                         : Permissions(unit, *call.caller).require(organization, role->at(ScopeKind::organization));
}

Result<void> keep_digest(Unit& unit, const Record& token, const std::string& text) {
  static const Family& family = *find_family(token_digest_number);
  const std::string digest = to_hex(sha256(text));
  Value body = Value::object();
  body.set("sha256", Value(digest));
  ORLOP_TRY(kept, create_record(unit, family, token.id, body));
  unit.put(std::move(kept), token_key(digest));
  return {};
}

bool contains(std::string_view text, std::string_view part) {
  return fold_case(text).find(fold_case(part)) != std::string::npos;
}

// The only answer with the token itself.
Result<Answer> create_token(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *parent_of(*call.family), call.ids.front()));
  ORLOP_TRY(record, create_record(unit, *call.family, organization.id, *call.body));
  ORLOP_CHECK(require_grant(unit, call, organization, record));
  const std::array<std::uint64_t, 4> random = {unit.draw(), unit.draw(), unit.draw(), unit.draw()};
  const std::string token = make_api_token(unit.settings().brand, random);
  ORLOP_CHECK(keep_digest(unit, record, token));
  ORLOP_TRY(rendered, render(unit, *call.family, record));
  Writer out(rendered.size() + 128);
  out.raw(std::string_view(rendered).substr(0, rendered.size() - 1));
  out.field("token", token);
  if (call.family->number == policy_api_token_number) out.field("user_sub", record.id);
  out.end_object();
  return Answer{201, std::move(out).take()};
}

Result<Answer> list_tokens(Unit& unit, const Call& call) {
  RecordRange range;
  range.key = call.ids.front();
  range.family = call.family->number;
  ORLOP_TRY(records, unit.records(range));
  if (records.empty()) {
    if (auto organization = require(unit, *parent_of(*call.family), call.ids.front()); !organization)
      return std::move(organization).error();
  }
  const std::string_view name = query_text(call, "name");
  const std::string_view creator = query_text(call, "creatorName");
  std::erase_if(records, [&](const Record& record) {
    const auto body = parse_stored(record.body);
    return !body || !contains(body->text_or("name", ""), name) || !contains(body->text_or("creator_name", ""), creator);
  });
  return render_list(unit, call, *call.family, records);
}

constexpr Field list_query[] = {
    text("name", "Return only tokens whose name contains this text."),
    text("creatorName", "Return only tokens whose creator's name contains this text."),
};

constexpr ReplacedVerb replaced[] = {
    {.verb = Verb::create, .handle = create_token},
    {.verb = Verb::list, .handle = list_tokens, .query = list_query, .only = families_named("api_token")},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("api_token", "policy_api_token"),
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::access::tokens
