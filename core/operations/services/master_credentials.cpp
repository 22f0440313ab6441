// With what a database is entered: a login of its engine's custom, and a password that is drawn when it is created.
#include <string>
#include <string_view>
#include <utility>

#include "base/family_number.h"
#include "ops/verbs.h"
#include "operations/operation_set.h"
#include "operations/services/parts/subject.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Letters and digits only: it goes into connection strings as it is.
std::string draw_password(Unit& unit) {
  constexpr std::string_view alphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  constexpr int letters_per_draw = 8;  // of 64 bits, so that each letter leaves plenty of chance
  std::string password;
  for (int draw = 0; draw < 4; ++draw) {
    std::uint64_t random = unit.draw();
    for (int letter = 0; letter < letters_per_draw; ++letter) {
      password += alphabet[random % alphabet.size()];
      random /= alphabet.size();
    }
  }
  return password;
}

std::string_view login_of(std::string_view type) {
  if (type == "POSTGRESQL") return "postgres";
  if (type == "REDIS") return "default";
  return "root";
}

// They lie below the database, as a record of database_credentials_number whose password is among its secrets.
Result<void> add_master_credentials(Unit& unit, const Creation& creation) {
  const Record& database = creation.record;
  ORLOP_TRY(body, parse_stored(database.body));
  Record record;
  record.id = unit.make_id();
  record.family = database_credentials_number;
  record.parent = database.id;
  record.organization = database.organization;
  record.body = Writer().begin_object().field("login", login_of(body.text_or("type", ""))).end_object().text();
  record.secrets = Writer().begin_object().field("password", draw_password(unit)).end_object().text();
  unit.put(std::move(record));
  return {};
}

Result<Answer> read_master_credentials(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  RecordRange range;
  range.key = subject.record.id;
  range.family = database_credentials_number;
  ORLOP_TRY(records, unit.records(range));
  if (records.empty()) return not_found("credentials of database", subject.record.id);
  ORLOP_TRY(credentials, full_value(records.front()));
  ORLOP_TRY(database, parse_stored(subject.record.body));
  Writer out;
  out.begin_object().field("host", database.text_or("host", "")).field("port", database.integer_or("port", 0));
  out.field("login", credentials.text_or("login", "")).field("password", credentials.text_or("password", "")).end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field credentials_fields[] = {
    text("host", "The host it is reached at."),
    integer("port", "The port it is reached at."),
    text("login", "Who enters."),
    text("password", "What opens."),
};
constexpr Shape credentials_shape = {.name = "Credentials", .fields = credentials_fields};

constexpr Operation operations[] = {
    {.path = "{flat}/masterCredentials",
     .name = "get_{family}_master_credentials",
     .handle = read_master_credentials,
     .form = AnswerForm::shape,
     .answer = &credentials_shape,
     .about = "With what the database is entered.",
     .need = Level::manage},
};

}  // namespace

namespace operation_sets::services {
extern const OperationSet master_credentials;
constexpr OperationSet master_credentials = {
    .families = families_named("database"),
    .operations = operations,
    .created = add_master_credentials,
};
}  // namespace operation_sets::services

}  // namespace orlop
