#include "rest/authenticate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "access/permission.h"
#include "access/tenant_filter.h"
#include "access/token_authentication.h"
#include "access/user_id.h"
#include "base/family_number.h"
#include "base/limits.h"
#include "base/text/digest.h"
#include "base/text/utf8.h"
#include "external_systems/ask.h"
#include "model/form.h"
#include "unit/unique_name.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr Duration last_use_step = seconds(3600);

Error unproven() {
  return make_error(ErrorCode::unauthenticated,
                    "the request needs an Authorization header with credentials that hold: Bearer or Token, "
                    "and then the token");
}

struct Credentials {
  bool may_be_of_a_person = false;
  std::string_view token;
};

std::optional<Credentials> parse(std::string_view authorization) {
  const std::size_t space = std::min(authorization.find(' '), authorization.size());
  const std::string scheme = lower_case(authorization.substr(0, space));
  std::string_view token = authorization.substr(space);
  token.remove_prefix(std::min(token.find_first_not_of(' '), token.size()));
  if (token.empty() || token.find(' ') != std::string_view::npos) return std::nullopt;
  if (scheme == "bearer") return Credentials{true, token};
  if (scheme == "token") return Credentials{false, token};
  return std::nullopt;
}

SignIn sign_in_of(const Value& connection) {
  SignIn sign_in;
  sign_in.organization = parse_id(connection.text_or("organization_id", "")).value_or(Id{});
  sign_in.connection = connection.text_or("connection_name", "");
  const Value* groups = connection.find("groups");
  for (const Value& group : groups == nullptr ? Value::List() : groups->items())
    sign_in.groups.push_back(group.as_text());
  return sign_in;
}

Result<Proof> prove_person(std::string_view token, const Settings& settings, Instant now) {
  if (to_utf8(token) != token) return unproven();
  const Value input(Value::Object{{"token", Value(token)}, {"at", Value(to_text(now))}});
  const auto identity = ask(settings.external_systems, Question::authenticate, input);
  if (!identity && identity.error().code != ErrorCode::unanswered) return identity.error();
  if (!identity || identity->is_null()) return unproven();
  const std::string_view subject = identity->text_or("subject", "");
  const std::string_view email = identity->text_or("email", "");
  const std::string_view name = identity->text_or("name", "");
  Proof proof;
  proof.caller.kind = Caller::Kind::user;
  proof.caller.id = user_id_of(subject);
  proof.caller.email = email;
  proof.caller.name = !name.empty() ? name : !email.empty() ? email : subject;
  if (const Value* connection = identity->find("enterprise_connection");
      connection != nullptr && connection->is_object())
    proof.sign_in = sign_in_of(*connection);
  return proof;
}

bool is_due(const Value& digest, Instant now) {
  const auto used = parse_instant(digest.text_or("last_used_at", ""));
  return !used || *used + last_use_step <= now;
}

// Returns the present name of the token's role.
Result<std::string> role_name_of(Transaction& transaction, const Value& token) {
  const auto id = parse_id(token.text_or("role_id", ""));
  const Role* built_in = id ? find_role(*id) : nullptr;
  if (!id || built_in != nullptr) return std::string(built_in == nullptr ? "" : built_in->name);
  ORLOP_TRY(role, transaction.record(*id));
  return role ? name_of(*role) : std::string();
}

// Reports whether a token with this end has expired.
Result<bool> has_expired(Transaction& transaction, std::optional<Instant> end, Instant now, AgreedTime* agreed_time) {
  if (!end || agreed_time == nullptr) return end && *end <= now;
  ORLOP_TRY(agreed, agreed_time->at(transaction));
  return *end <= agreed;
}

Result<Proof> prove_digest(Transaction& transaction, const std::string& digest, Instant now, AgreedTime* agreed_time) {
  ORLOP_TRY(id, transaction.find(token_key(digest)));
  if (!id) return unproven();
  ORLOP_TRY(kept, transaction.record(*id));
  if (!kept) return unproven();
  ORLOP_TRY(kept_body, parse_stored(kept->body));
  if (!is_equal_in_constant_time(kept_body.text_or("sha256", ""), digest)) return unproven();
  ORLOP_TRY(record, transaction.record(kept->parent));
  if (!record) return unproven();
  ORLOP_TRY(body, parse_stored(record->body));
  const auto end = parse_instant(body.text_or("expires_at", ""));
  ORLOP_TRY(is_over, has_expired(transaction, end, now, agreed_time));
  if (is_over) return unproven();
  Proof proof;
  proof.policy = body.text_or("opa_policy", "");
  ORLOP_TRY(role, role_name_of(transaction, body));
  proof.role = std::move(role);
  proof.caller.kind = Caller::Kind::token;
  proof.caller.id = record->id;
  proof.caller.organization = record->organization;
  proof.caller.name = body.text_or("name", "");
  if (is_due(kept_body, now)) proof.digest = std::move(kept);
  return proof;
}

Result<Proof> prove_program(Store& store, std::string_view token, Instant now, AgreedTime* agreed_time) {
  const std::string digest = to_hex(sha256(token));
  Proof proof;
  ORLOP_CHECK(store.read([&](std::unique_ptr<Transaction> opened) -> Result<void> {
    ORLOP_TRY(transaction, for_caller(Caller(), std::move(opened)));
    ORLOP_TRY(proven, prove_digest(*transaction, digest, now, agreed_time));
    proof = std::move(proven);
    return {};
  }));
  return proof;
}

}  // namespace

Result<std::optional<std::string_view>> authorization_of(const Request& request) {
  std::optional<std::string_view> found;
  for (const auto& [name, value] : request.headers) {
    if (lower_case(name) != "authorization") continue;
    if (found) return unproven();
    found = value;
  }
  return found;
}

Result<void> require_allowed(const Proof& proof, const Request& request, ExternalSystems* systems) {
  if (proof.policy.empty()) return {};
  const Value input(Value::Object{{"policy", Value(proof.policy)},
                                  {"method", Value(to_utf8(request.method))},
                                  {"path", Value(to_utf8(request.path))},
                                  {"token", Value(proof.caller.name)},
                                  {"role", Value(proof.role)},
                                  {"organization_id", Value(to_text(proof.caller.organization))}});
  const auto allowed = ask(systems, Question::evaluate_policy, input);
  if (allowed && allowed->as_boolean()) return {};
  if (allowed) return make_error(ErrorCode::forbidden, "the policy of the token does not allow this");
  if (allowed.error().code != ErrorCode::unanswered) return allowed.error();
  return make_error(ErrorCode::forbidden, "the token is bound to a policy, and this platform evaluates none");
}

Result<Proof> authenticate(Store& store, std::string_view authorization, const Settings& settings, Instant now,
                           AgreedTime* agreed_time) {
  const auto credentials = parse(authorization);
  if (!credentials) return unproven();
  if (is_api_token(credentials->token)) return prove_program(store, credentials->token, now, agreed_time);
  return credentials->may_be_of_a_person ? prove_person(credentials->token, settings, now) : Result<Proof>(unproven());
}

}  // namespace orlop
