// Backups of databases: one at a time, for running databases.
#include <string>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "records/path.h"
#include "records/render_records.h"
#include "records/verbs.h"
#include "unit/find_record.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::tasks::backups {
namespace {

constexpr std::size_t page_size = 20;

Result<void> require_startable(Unit& unit, const Record& database) {
  ORLOP_TRY(machine, require_machine(unit, database.id));
  const auto state = static_cast<ServiceState>(machine.state);
  const bool is_there = state == ServiceState::deployed || state == ServiceState::restarted;
  if (unit.settings().require_cluster && !is_there) {
    return make_error(ErrorCode::conflict, "database \"" + name_of(database) + "\" is " +
                                               std::string(to_string(state)) +
                                               "; a backup needs a database that is DEPLOYED or RESTARTED");
  }
  ORLOP_TRY(tasks, unit.machines(database.id, find_family("database_backup")->number));
  for (const Machine& task : tasks) {
    if (is_transient(static_cast<TaskState>(task.state)))
      return make_error(ErrorCode::conflict, "a backup of the database has not ended yet");
  }
  return {};
}

Result<Answer> start(Unit& unit, const Call& call) {
  ORLOP_TRY(database, require_parent(unit, *call.family, call.ids.front()));
  ORLOP_CHECK(require_startable(unit, *database));
  return create(unit, call);
}

Result<Answer> remove_backup(Unit& unit, const Call& call) {
  ORLOP_TRY(backup, record_on_path(unit, call));
  ORLOP_TRY(machine, require_machine(unit, backup.id));
  if (is_transient(static_cast<TaskState>(machine.state)))
    return make_error(ErrorCode::conflict, "the backup has not ended yet; delete it once it has");
  return remove(unit, call);
}

// Lists the newest first, after the backup in the query.
Result<Answer> list_backups(Unit& unit, const Call& call) {
  ORLOP_TRY(database, require_parent(unit, *call.family, call.ids.front()));
  RecordRange range;
  range.key = database->id;
  range.family = call.family->number;
  ORLOP_TRY(records, unit.records(range));
  const auto start = parse_id(query_text(call, "startId"));
  std::vector<Record> shown;
  for (auto record = records.rbegin(); record != records.rend() && shown.size() < page_size; ++record) {
    if (!start || record->id < *start) shown.push_back(std::move(*record));
  }
  ORLOP_TRY(texts, render_all(unit, *call.family, shown));
  Writer out;
  out.begin_object()
      .field("page", std::int64_t{1})
      .field("page_size", static_cast<std::int64_t>(page_size))
      .key("results")
      .begin_list();
  for (const std::string& text : texts) out.raw(text);
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field list_query[] = {uuid("startId", "Return only backups older than the one with this ID.")};
constexpr Operation operations[] = {{.path = "{collection}",
                                     .name = "list_{family}",
                                     .handle = list_backups,
                                     .query = list_query,
                                     .form = AnswerForm::record_page,
                                     .summary = "List the backups of {parent}",
                                     .about = "The newest first, at most 20. `startId` continues after the last one."}};

constexpr ReplacedVerb replaced[] = {{.verb = Verb::create, .handle = start},
                                     {.verb = Verb::remove, .handle = remove_backup}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("database_backup"),
    .operations = operations,
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::tasks::backups
