// The account of the caller: a person's own, or that of the person for whom the host acts.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/access/parts/user_account.h"
#include "endpoints/operation_set.h"
#include "model/registry.h"
#include "records/render_records.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::access::caller_account {
namespace {

const Family& user_family() {
  static const Family& family = *find_family("user");
  return family;
}

// Splits "Ada Lovelace" at the first space. An address has no names.
std::pair<std::string_view, std::string_view> names_of(std::string_view name) {
  const std::size_t space = name.find(' ');
  if (space == std::string_view::npos) return {};
  return {name.substr(0, space), name.substr(space + 1)};
}

Result<Answer> describe_account(Unit& unit, const Call& call, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  std::string email = call.caller->email;
  const std::string_view name =
      call.caller->kind == Caller::Kind::host ? call.author : std::string_view(call.caller->name);
  Writer out;
  out.begin_object().field("id", id);
  if (record) {
    ORLOP_TRY(stored, parse_stored(record->body));
    out.field("created_at", stored.text_or("created_at", ""));
    email = stored.text_or("communication_email", "");
  }
  out.field("nickname", name);
  if (const auto [first, last] = names_of(name); !first.empty())
    out.field("first_name", first).field("last_name", last);
  if (!email.empty()) out.field("communication_email", email);
  out.end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> read_account(Unit& unit, const Call& call) {
  ORLOP_TRY(id, account_of(call));
  return describe_account(unit, call, id);
}

Result<Record> put_account(Unit& unit, const Id& id, const Value& body) {
  ORLOP_TRY(record, unit.record(id));
  return record ? edit_record(unit, user_family(), *record, body) : create_record(unit, user_family(), {}, body, id);
}

Result<Answer> edit_account(Unit& unit, const Call& call) {
  ORLOP_TRY(id, account_of(call));
  ORLOP_TRY(stored, put_account(unit, id, *call.body));
  return describe_account(unit, call, stored.id);
}

Result<Shared<Record>> find_sign_up(Unit& unit, const Id& id) {
  ORLOP_TRY(account, unit.record(id));
  if (!account) return Shared<Record>();
  return find_child(unit, id, find_family("user_sign_up")->number);
}

Result<Answer> read_sign_up(Unit& unit, const Call& call) {
  ORLOP_TRY(id, account_of(call));
  ORLOP_TRY(record, find_sign_up(unit, id));
  if (!record) return make_error(ErrorCode::not_found, "the caller has not signed up");
  ORLOP_TRY(text, render(unit, *find_family("user_sign_up"), *record));
  return Answer{200, std::move(text)};
}

Result<Answer> sign_up(Unit& unit, const Call& call) {
  const Family& family = *find_family("user_sign_up");
  ORLOP_TRY(id, account_of(call));
  ORLOP_TRY(record, find_sign_up(unit, id));
  if (record) {
    ORLOP_CHECK(edit_record(unit, family, std::move(record).take(), *call.body));
    return Answer{200, {}};
  }
  ORLOP_TRY(account, unit.record(id));
  if (!account) {
    // A wrong address is reported as a fault of the sign-up; refusing that also discards the account.
    const std::string_view email = call.body->text_or("user_email", "");
    ORLOP_CHECK(put_account(
        unit, id,
        Value(Value::Object{{"communication_email", Value(email.size() < 3 ? "none" : email.substr(0, 255))}})));
  }
  ORLOP_CHECK(create_record(unit, family, id, *call.body));
  return Answer{200, {}};
}

constexpr Field account_fields[] = {
    uuid("id", "ID of the person.").required(),
    date_time("created_at", "Time of the first edit of the account. Absent: it has not been edited."),
    text("nickname", "Display name of the person, as the token authenticator gives it.").required(),
    text("first_name", "First name: the display name up to the first space. Absent: the display name has no space."),
    text("last_name", "Last name: the display name after the first space."),
    text("communication_email", "Email address for messages of the platform. Absent: unknown."),
};
constexpr Shape account_shape = {.name = "AccountInfo", .fields = account_fields};
constexpr Field edit_fields[] = {
    text("communication_email", "Email address for messages of the platform, 3 to 255 bytes.")
        .required()
        .at_least(3)
        .at_most(255)};
constexpr Shape edit_shape = {.name = "AccountInfoEditRequest", .fields = edit_fields};

constexpr std::string_view about = "403: the caller is an API token.";

constexpr Operation operations[] = {
    {.path = "/account",
     .name = "get_account",
     .handle = read_account,
     .form = AnswerForm::shape,
     .answer = &account_shape,
     .summary = "Get the account of the caller",
     .about = about,
     .bypasses_tenancy = true},
    {.method = Method::put,
     .path = "/account",
     .name = "edit_account",
     .access = Access::write,
     .handle = edit_account,
     .body = &edit_shape,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &account_shape,
     .summary = "Edit the account of the caller",
     .about = about,
     .bypasses_tenancy = true,
     .has_no_subject = true},
    {.path = "/admin/userSignUp",
     .name = "get_user_sign_up",
     .handle = read_sign_up,
     .form = AnswerForm::record,
     .summary = "Get the sign-up of the caller",
     .about = "404: the caller has not signed up.",
     .bypasses_tenancy = true,
     .has_no_subject = true},
    {.method = Method::post,
     .path = "/admin/userSignUp",
     .name = "create_user_sign_up",
     .access = Access::write,
     .handle = sign_up,
     .is_body_required = true,
     .summary = "Create the sign-up of the caller",
     .about = "Stores the answers to the questionnaire, in the place of earlier ones.",
     .bypasses_tenancy = true,
     .has_no_subject = true},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("user_sign_up"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::access::caller_account
