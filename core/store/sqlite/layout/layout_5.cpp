#include "store/sqlite/layout/layout_5.h"

namespace orlop {
namespace {

// Text of an id by its number, 36 characters; NULL if none.
#define ORLOP_SQL_ID_OF(number)                                                                                    \
  "(SELECT lower(hex(substr(id, 1, 4)) || '-' || hex(substr(id, 5, 2)) || '-' || hex(substr(id, 7, 2)) || '-' || " \
  "hex(substr(id, 9, 2)) || '-' || hex(substr(id, 11))) FROM identity WHERE number = " number ")"

// Number of an id of the former layout; 0 if none.
#define ORLOP_SQL_NUMBER_OF(id) "ifnull((SELECT number FROM identity AS n WHERE n.id = " id "), 0)"

// Time in a machine's former detail, in milliseconds; NULL if it is missing.
#define ORLOP_SQL_TIME_OF(name)                                \
  "CAST(strftime('%s', substr(json_extract(m.detail, '$." name \
  "'), 1, 19)) AS INTEGER) * 1000 + "                          \
  "CAST(substr(json_extract(m.detail, '$." name "'), 21, 3) AS INTEGER)"

}  // namespace

// The decision "One layout for what comes" gives the purpose and the cost of each table and column.
const char* const sqlite_layout_5 = R"sql(
DROP VIEW resource;
DROP VIEW event_feed;
ALTER TABLE record RENAME TO old_record;
ALTER TABLE reference RENAME TO old_reference;
ALTER TABLE machine RENAME TO old_machine;
ALTER TABLE event RENAME TO old_event;

CREATE TABLE identity (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE);

CREATE TABLE record (
  number INTEGER PRIMARY KEY,
  family INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  organization INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name_key BLOB UNIQUE,
  digest BLOB,
  secrets TEXT,
  body TEXT NOT NULL
);

CREATE TABLE child (
  parent INTEGER NOT NULL,
  family INTEGER NOT NULL,
  id BLOB NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (parent, family, id)
) WITHOUT ROWID;

CREATE TABLE reference (target INTEGER NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (target, source)) WITHOUT ROWID;

CREATE TABLE child_count (
  parent INTEGER NOT NULL,
  family INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (parent, family)
) WITHOUT ROWID;
CREATE TABLE reference_count (
  target INTEGER NOT NULL,
  family INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (target, family)
) WITHOUT ROWID;
ALTER TABLE family ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;

CREATE TABLE machine (
  number INTEGER PRIMARY KEY,
  family INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  partition INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  state INTEGER NOT NULL,
  origin_state INTEGER NOT NULL,
  action INTEGER NOT NULL,
  freshness INTEGER NOT NULL,
  running INTEGER NOT NULL,
  step_kind INTEGER NOT NULL,
  configuration INTEGER NOT NULL,
  active INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  plan_flags INTEGER NOT NULL,
  planned_flags INTEGER NOT NULL,
  stage_order INTEGER NOT NULL,
  request_number INTEGER NOT NULL,
  progress INTEGER NOT NULL,
  request INTEGER NOT NULL,
  stage INTEGER NOT NULL,
  step BLOB,
  step_started_at INTEGER,
  deadline INTEGER,
  changed_at INTEGER NOT NULL,
  last_deployment_at INTEGER,
  configured INTEGER NOT NULL,
  deployed INTEGER NOT NULL,
  execution_id TEXT,
  triggered_by TEXT,
  reason TEXT,
  outputs TEXT,
  git_commit TEXT,
  phases TEXT,
  started_at INTEGER,
  ended_at INTEGER,
  canceled_at INTEGER,
  reported_at INTEGER
);

CREATE TABLE event (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  family INTEGER NOT NULL,
  from_state INTEGER NOT NULL,
  to_state INTEGER NOT NULL,
  subject INTEGER,
  owner INTEGER,
  organization INTEGER,
  request INTEGER,
  revision INTEGER NOT NULL,
  author TEXT,
  detail TEXT,
  id_count INTEGER NOT NULL
);

CREATE TABLE peer (engine BLOB PRIMARY KEY, counter INTEGER NOT NULL, rank INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE lease (partition INTEGER PRIMARY KEY, holder BLOB, epoch INTEGER NOT NULL);
CREATE TABLE wake (partition INTEGER NOT NULL, owner INTEGER NOT NULL, PRIMARY KEY (partition, owner)) WITHOUT ROWID;
CREATE TABLE inbox (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  partition INTEGER NOT NULL,
  step BLOB NOT NULL,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  running INTEGER NOT NULL,
  text TEXT
);
CREATE TABLE idempotency (
  organization INTEGER NOT NULL,
  key BLOB NOT NULL,
  at INTEGER NOT NULL,
  request_digest BLOB NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT,
  PRIMARY KEY (organization, key)
) WITHOUT ROWID;
CREATE TABLE retention (organization INTEGER PRIMARY KEY, first_sequence INTEGER NOT NULL);

INSERT INTO identity (id)
  SELECT id FROM old_record UNION SELECT parent FROM old_record WHERE parent IS NOT NULL
  UNION SELECT organization FROM old_record WHERE organization IS NOT NULL
  UNION SELECT target FROM old_reference UNION SELECT id FROM old_machine
  UNION SELECT owner FROM old_machine WHERE owner IS NOT NULL UNION SELECT request FROM old_machine WHERE request )sql"
  R"sql(IS NOT NULL
  UNION SELECT stage FROM old_machine WHERE stage IS NOT NULL UNION SELECT subject FROM old_event WHERE subject )sql"
  R"sql(IS NOT NULL
  UNION SELECT owner FROM old_event WHERE owner IS NOT NULL UNION SELECT organization FROM old_event WHERE )sql"
  R"sql(organization IS NOT NULL
  UNION SELECT request FROM old_event WHERE request IS NOT NULL
  ORDER BY 1;
)sql"
    "INSERT INTO record SELECT i.number, r.family, " ORLOP_SQL_NUMBER_OF("r.parent") ","
    " " ORLOP_SQL_NUMBER_OF("r.organization")
    ", r.revision, CAST(r.name_key AS BLOB), NULL, r.secrets, r.body FROM old_record AS r JOIN identity AS i ON "
    "i.id = r.id ORDER BY 1;\n"
    "INSERT INTO child SELECT r.parent, r.family, i.id, r.number FROM record AS r JOIN identity AS i ON i.number "
    "= r.number ORDER BY 1, 2, 3;\n"
    "INSERT INTO reference SELECT " ORLOP_SQL_NUMBER_OF("f.target") ", " ORLOP_SQL_NUMBER_OF("f.source") " FROM "
    "old_reference AS f ORDER BY 1, 2;\n"
    "INSERT INTO reference_count SELECT f.target, r.family, count(*) FROM reference AS f JOIN record AS r ON "
    "r.number = f.source GROUP BY 1, 2;\n"
    // Families: 3 is environment, 1000 deployment request, 1011 copy. A `configured` of 2 to the 62 meant "at the
    // start".
    "INSERT INTO machine SELECT i.number, m.family, " ORLOP_SQL_NUMBER_OF("m.owner")
    ", orlop_partition((SELECT r.organization FROM old_record AS r WHERE r.id = m.id)), m.revision, m.state, "
    "m.origin_state, m.action, "
    "m.freshness, m.running, m.step_kind, "
    "CASE WHEN m.family IN (3, 1000, 1011) THEN 0 WHEN m.configured >= 1 << 62 THEN 1 WHEN m.configured > 0 THEN 2 "
    "WHEN m.action <> 0 THEN 3 ELSE 0 END, m.active, m.attempt, m.traits & 65535, m.traits >> 16 & 65535, "
    "iif(m.family = 1000, 0, m.stage_order), iif(m.family = 1000, m.stage_order, 0), iif(m.family = 1011, "
    "m.configured, 0), "
    ORLOP_SQL_NUMBER_OF("m.request") ", " ORLOP_SQL_NUMBER_OF("m.stage") ", m.step, nullif(m.step_started_at, 0), "
    "nullif(m.deadline, 0), m.changed_at, "
    "nullif(m.last_deployment_at, 0), iif(m.family = 1011 OR m.configured >= 1 << 62, 0, m.configured), m.deployed, "
    "nullif(json_extract(m.detail, '$.execution_id'), ''), json_extract(m.detail, '$.triggered_by'), "
    "json_extract(m.detail, '$.reason'), "
    "json_extract(m.detail, '$.outputs'), json_extract(m.detail, '$.commit'), "
    "(SELECT group_concat(CASE json_extract(p.value, '$.step_name') WHEN 'BUILD_QUEUEING' THEN 1 WHEN 'BUILD' THEN 2 "
    "WHEN 'DEPLOYMENT_QUEUEING' THEN 3 WHEN 'DEPLOYMENT' THEN 4 ELSE 5 END || ',' || "
    "CASE json_extract(p.value, '$.status') WHEN 'ERROR' THEN 2 WHEN 'CANCEL' THEN 3 ELSE 1 END || ',' || "
    "json_extract(p.value, '$.duration_ms'), ';') FROM json_each(m.detail, '$.phases') AS p), "
    ORLOP_SQL_TIME_OF("started_at") ", " ORLOP_SQL_TIME_OF("ended_at") ", " ORLOP_SQL_TIME_OF("canceled_at") ","
    " " ORLOP_SQL_TIME_OF("reported_at")
    " FROM (SELECT *, rowid FROM old_machine) AS m JOIN identity AS i ON i.id = m.id ORDER BY 1;\n"
    "INSERT INTO event SELECT e.sequence, e.at, e.kind, e.family, e.from_state, e.to_state, "
    "nullif(" ORLOP_SQL_NUMBER_OF("e.subject") ", 0), nullif(" ORLOP_SQL_NUMBER_OF("e.owner") ", 0), "
    "nullif(" ORLOP_SQL_NUMBER_OF("e.organization") ", 0), nullif(" ORLOP_SQL_NUMBER_OF("e.request") ", 0), "
    "e.revision, e.author, e.detail, 0 "
    "FROM old_event AS e ORDER BY e.sequence;\n"
    // New ids must sort after the existing ones.
    "UPDATE event SET id_count = ifnull((SELECT max(orlop_id_count(id)) FROM identity), 0) WHERE sequence = "
    "(SELECT max(sequence) FROM event);\n"
    "DROP TABLE old_reference;\nDROP TABLE old_record;\nDROP TABLE old_machine;\nDROP TABLE old_event;\n"
    "CREATE INDEX reference_source ON reference (source);\n"
    "CREATE INDEX machine_owner ON machine (owner);\n"
    "CREATE INDEX machine_active ON machine (partition) WHERE active = 1;\n"
    "CREATE INDEX event_organization ON event (organization, (author IS NOT NULL)) WHERE organization IS NOT NULL;\n"
    "CREATE INDEX event_request ON event (request) WHERE request IS NOT NULL;\n"
    "CREATE INDEX event_subject ON event (subject) WHERE subject IS NOT NULL;\n"
    "CREATE VIEW resource AS SELECT " ORLOP_SQL_ID_OF("r.number") " AS id, coalesce(f.word, r.family) AS family, "
    ORLOP_SQL_ID_OF("r.parent") " AS parent, " ORLOP_SQL_ID_OF("r.organization") " AS organization, r.revision AS "
    "revision, "
    "r.body AS body FROM record AS r LEFT JOIN family AS f ON f.number = r.family;\n"
    "CREATE VIEW event_feed AS SELECT e.sequence AS sequence, strftime('%Y-%m-%dT%H:%M:%fZ', e.at / 1000.0, "
    "'unixepoch') AS at, "
    "CASE e.kind WHEN 1 THEN 'created' WHEN 2 THEN 'edited' WHEN 3 THEN 'deleted' WHEN 4 THEN 'state_changed' "
    "WHEN 5 THEN 'request_queued' WHEN 6 THEN 'request_started' WHEN 7 THEN 'request_ended' WHEN 8 THEN 'step_started' "
    "WHEN 9 THEN 'step_ended' WHEN 10 THEN 'progress' WHEN 11 THEN 'log_line' WHEN 12 THEN 'running_changed' "
    "WHEN 13 THEN 'freshness_changed' ELSE e.kind END AS kind, coalesce(f.word, e.family) AS family, "
    "e.from_state AS from_state, e.to_state AS to_state, " ORLOP_SQL_ID_OF("e.subject") " AS subject, "
    ORLOP_SQL_ID_OF("e.owner") " AS owner, " ORLOP_SQL_ID_OF("e.organization") " AS organization, "
    ORLOP_SQL_ID_OF("e.request") " AS request, e.revision AS revision, e.author AS author, e.detail AS detail "
    "FROM event AS e LEFT JOIN family AS f ON f.number = e.family;\n";

}  // namespace orlop
