-- A store as version 1 of the schema wrote it, with one row of each kind. History: never edited.
CREATE TABLE record (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  family INTEGER NOT NULL,
  parent BLOB,
  organization BLOB,
  revision INTEGER NOT NULL,
  name_key TEXT UNIQUE,
  secrets TEXT,
  body TEXT NOT NULL
);
CREATE INDEX record_parent ON record (parent, family, id);

CREATE TABLE reference (
  target BLOB NOT NULL,
  source BLOB NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  PRIMARY KEY (target, source)
) WITHOUT ROWID;
CREATE INDEX reference_source ON reference (source);

CREATE TABLE machine (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  family INTEGER NOT NULL,
  owner BLOB,
  revision INTEGER NOT NULL,
  state INTEGER NOT NULL,
  origin_state INTEGER NOT NULL,
  action INTEGER NOT NULL,
  freshness INTEGER NOT NULL,
  running INTEGER NOT NULL,
  step_kind INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  stage_order INTEGER NOT NULL,
  active INTEGER NOT NULL,
  request BLOB,
  stage BLOB,
  step BLOB,
  step_started_at INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  last_deployment_at INTEGER NOT NULL,
  configured INTEGER NOT NULL,
  deployed INTEGER NOT NULL,
  detail TEXT
);
CREATE INDEX machine_owner ON machine (owner, id);
CREATE INDEX machine_active ON machine (id) WHERE active = 1;

CREATE TABLE event (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  family INTEGER NOT NULL,
  from_state INTEGER NOT NULL,
  to_state INTEGER NOT NULL,
  subject BLOB,
  owner BLOB,
  organization BLOB,
  request BLOB,
  revision INTEGER NOT NULL,
  detail TEXT
);

INSERT INTO record VALUES (1, x'0198A1B2C3D47E5F8A9B0C0D0E0F1001', 7, NULL, x'0198A1B2C3D47E5F8A9B0C0D0E0F1001', 1, 'organization/acme', NULL, '{"name":"acme"}');
INSERT INTO reference VALUES (x'0198A1B2C3D47E5F8A9B0C0D0E0F1001', x'0198A1B2C3D47E5F8A9B0C0D0E0F1001');
INSERT INTO machine VALUES (1, x'0198A1B2C3D47E5F8A9B0C0D0E0F1001', 7, NULL, 1, 9, 1, 1, 3, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0, 0, 0, 1, 1, NULL);
INSERT INTO event VALUES (1, 1767225600123, 1, 7, 0, 0, x'0198A1B2C3D47E5F8A9B0C0D0E0F1001', NULL, x'0198A1B2C3D47E5F8A9B0C0D0E0F1001', NULL, 1, NULL);
PRAGMA application_id = 1332898928;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
