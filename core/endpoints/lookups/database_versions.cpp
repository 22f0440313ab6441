// Versions of databases. External systems answer, else the built-in catalog.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogs/cloud_catalog.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/ask.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"
#include "records/record_value.h"
#include "records/verbs.h"

namespace orlop::operation_sets::lookups::database_versions {
namespace {

Value catalog_of_versions(std::string_view engine) {
  Value list = Value::list();
  for (const std::string_view version : known_versions(engine)) list.append(Value(version));
  return list;
}

Value input_of(const Record& environment, const Value& described, std::string_view engine, std::string_view mode) {
  const auto cluster = parse_id(described.text_or("cluster_id", ""));
  return Value(Value::Object{{"organization_id", Value(to_text(environment.organization))},
                             {"cluster_id", cluster ? Value(to_text(*cluster)) : Value()},
                             {"engine", Value(engine)},
                             {"mode", Value(mode)}});
}

Value named(const Value& name) { return Value(Value::Object{{"name", name}}); }

Result<Answer> list_versions(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(database, full_value(subject.record));
  ORLOP_TRY(environment, unit.record(subject.record.parent));
  if (!environment) return not_found("environment", subject.record.parent);
  ORLOP_TRY(described, full_value(*environment));
  const std::string engine(database.text_or("type", ""));
  return ask_later(unit, {.question = Question::list_database_versions,
                          .input = input_of(*environment, described, engine, database.text_or("mode", "")),
                          .reply =
                              [](const Value& versions) {
                                Value list = Value::list();
                                for (const Value& version : versions.items()) list.append(named(version));
                                return Result<Answer>(make_list_answer(list));
                              },
                          .otherwise = [engine] { return Result<Value>(catalog_of_versions(engine)); }});
}

struct Offer {
  std::string engine;
  std::string mode;
  Value input;
};

// Asks once for each engine and mode.
Result<Answer> describe_offers(ExternalSystems* systems, const std::vector<Offer>& offers) {
  Value list = Value::list();
  for (const Offer& offer : offers) {
    auto versions = ask(systems, Question::list_database_versions, offer.input);
    if (!versions && versions.error().code != ErrorCode::unanswered) return std::move(versions).error();
    if (!versions) versions = catalog_of_versions(offer.engine);
    if (list.items().empty() || list.items().back().text_or("database_type", "") != offer.engine) {
      list.append(Value(Value::Object{{"database_type", Value(offer.engine)}, {"version", Value::list()}}));
    }
    Value& of_engine = *list.items().back().find("version");
    for (const Value& version : versions->items())
      of_engine.append(Value(Value::Object{{"name", version}, {"supported_mode", Value(offer.mode)}}));
  }
  return make_list_answer(list);
}

Result<Answer> list_configurations(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(described, full_value(environment));
  std::vector<Offer> offers;
  for (const std::string_view engine : question_shapes::database_engines) {
    for (const std::string_view mode : question_shapes::database_modes) {
      offers.push_back({std::string(engine), std::string(mode), input_of(environment, described, engine, mode)});
    }
  }
  Answer answer;
  answer.ask = [systems = unit.settings().external_systems, offers = std::move(offers)] {
    return describe_offers(systems, offers);
  };
  return answer;
}

constexpr Field version_fields[] = {text("name", "Version, such as `16`.").required()};
constexpr Shape version = {.name = "Version", .fields = version_fields};
constexpr Field offer_fields[] = {
    text("name", "Version, such as `16`."),
    enumeration("supported_mode", question_shapes::database_modes, "Mode that databases of this version can have."),
};
constexpr Shape offer = {.name = "DatabaseVersionMode", .fields = offer_fields};
constexpr Field configuration_fields[] = {
    enumeration("database_type", question_shapes::database_engines, "Database engine of the versions."),
    list_of("version", offer, "Versions of the engine, each with a mode."),
};
constexpr Shape configuration = {.name = "DatabaseConfiguration", .fields = configuration_fields};

constexpr Operation operations[] = {
    {.path = "{flat}/version",
     .name = "list_{family}_versions",
     .handle = list_versions,
     .form = AnswerForm::shape_list,
     .answer = &version,
     .summary = "List the versions that {one} can have",
     .asks = Question::list_database_versions},
    {.path = "/environment/{environmentId}/databaseConfiguration",
     .name = "list_{family}_configurations",
     .handle = list_configurations,
     .form = AnswerForm::shape_list,
     .answer = &configuration,
     .summary = "List the engines, versions and modes that databases of an environment can have",
     .asks = Question::list_database_versions},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("database"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::database_versions
