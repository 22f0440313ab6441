// Applications that use a database: those that own an alias of one of the database's built-in variables.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "endpoints/operation_set.h"
#include "model/registry.h"
#include "records/render_records.h"
#include "records/variables/visible_variables.h"
#include "records/variables/write_variables.h"
#include "store/sort.h"
#include "unit/find_record.h"
#include "unit/unique_name.h"

namespace orlop::operation_sets::services::database_applications {
namespace {

// Returns the variables that refer to built-ins of the database, ascending by id.
Result<std::vector<Record>> aliases_of(Unit& unit, const Id& database) {
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = database;
  range.family = variable_number;
  return unit.records(range);
}

Result<Answer> list_applications(Unit& unit, const Call& call) {
  ORLOP_TRY(database, require(unit, *find_family("database"), call.ids.front()));
  ORLOP_TRY(aliases, aliases_of(unit, database.id));
  std::vector<Record> applications;
  for (const Record& alias : aliases) {
    ORLOP_TRY(owner, unit.record(alias.parent));
    const bool is_new =
        owner && owner->family == call.family->number &&
        std::ranges::none_of(applications, [&owner](const Record& known) { return known.id == owner->id; });
    if (is_new) applications.push_back(*owner);
  }
  sort_by_id(applications);
  return render_list(unit, call, *call.family, applications);
}

Result<Answer> remove_application(Unit& unit, const Call& call) {
  ORLOP_TRY(database, require(unit, *find_family("database"), call.ids[0]));
  ORLOP_TRY(application, require(unit, *call.family, call.ids[1]));
  ORLOP_TRY(aliases, aliases_of(unit, database.id));
  bool has_one = false;
  for (const Record& alias : aliases) {
    if (alias.parent != application.id) continue;
    ORLOP_TRY(named, require_variable(unit, alias.id));
    ORLOP_CHECK(delete_variable(unit, named));
    has_one = true;
  }
  if (!has_one)
    return make_error(ErrorCode::not_found, "application \"" + name_of(application) + "\" does not use database \"" +
                                                name_of(database) + "\"");
  return Answer{204, {}};
}

constexpr Operation operations[] = {
    {.path = "/database/{databaseId}/application",
     .name = "list_database_applications",
     .handle = list_applications,
     .form = AnswerForm::record_list,
     .summary = "List the applications that use a database",
     .about = "Those with a variable of their own that is an alias of a built-in variable of the database, such as its "
              "URL."},
    {.method = Method::remove,
     .path = "/database/{databaseId}/application/{targetApplicationId}",
     .name = "remove_database_application",
     .status = 204,
     .access = Access::write,
     .handle = remove_application,
     .summary = "Remove an application from a database",
     .about = "Deletes the application's variables that are aliases of built-in variables of the database. 404: there "
              "is none."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("application"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::services::database_applications
