#include "store/sqlite/queries.h"

// The order of these columns is the order in which rows.cpp binds and reads them.
#define ORLOP_RECORD_COLUMNS "r.number, r.family, r.parent, r.organization, r.revision, r.secrets, r.body"
#define ORLOP_RECORD_COLUMNS_BARE "r.number, r.family, r.parent, r.organization, r.revision, NULL, NULL"
// Columns of a child; its parent and family are given in the query.
#define ORLOP_CHILD_COLUMNS "c.id, c.number, r.organization, r.revision, r.secrets, r.body"
#define ORLOP_CHILD_COLUMNS_BARE "c.id, c.number, r.organization, r.revision, NULL, NULL"
#define ORLOP_MACHINE_COLUMNS                                                                                          \
  "family, owner, partition, revision, state, origin_state, action, freshness, running, step_kind, configuration, "    \
  "active, "                                                                                                           \
  "attempt, plan_flags, planned_flags, stage_order, request_number, progress, request, stage, step, step_started_at, " \
  "deadline, "                                                                                                         \
  "changed_at, last_deployment_at, configured, deployed, execution_id, triggered_by, reason, outputs, git_commit, "    \
  "phases, "                                                                                                           \
  "started_at, ended_at, canceled_at, reported_at"
#define ORLOP_MACHINE_STATE_COLUMNS "family, state, freshness, plan_flags"
#define ORLOP_EVENT_COLUMNS \
  "at, kind, family, from_state, to_state, subject, owner, organization, request, revision, author, detail, id_count"

#define ORLOP_SQLITE_LAYOUT "8"  // sqlite_schema_version()

#define ORLOP_FOUR_ROWS(row) row ", " row ", " row ", " row
#define ORLOP_ROW_GROUP(row) ORLOP_FOUR_ROWS(ORLOP_FOUR_ROWS(row))

namespace orlop {

const char* text_of(SqliteQuery query) {
  switch (query) {
#define ORLOP_QUERY(name, text) \
  case SqliteQuery::name:       \
    return text;
#include "store/sqlite/queries.def"
#undef ORLOP_QUERY
  }
  return "";
}

}  // namespace orlop
