#include "rows/layout.h"

namespace orlop::postgresql {

// Ids are uuid, which PostgreSQL compares byte by byte. What the engine calls text may hold any bytes and is bytea; the views decode it for people. A nil id is
// NULL where an index leaves it out. Names are unique by their digest: a key may be longer than an entry of an index.
const char* const layout_1 = R"sql(
CREATE TABLE @layout (version int4 NOT NULL);
INSERT INTO @layout VALUES (1);

CREATE TABLE @record (
  id uuid NOT NULL CONSTRAINT record_id PRIMARY KEY,
  family int4 NOT NULL,
  parent uuid NOT NULL,
  organization uuid NOT NULL,
  revision int8 NOT NULL,
  name_key bytea,
  secrets bytea,
  body bytea
);
CREATE UNIQUE INDEX record_name ON @record (sha256(name_key)) WHERE name_key IS NOT NULL;
CREATE INDEX record_parent ON @record (parent, family, id);

CREATE TABLE @reference (target uuid NOT NULL, source uuid NOT NULL, CONSTRAINT reference_target PRIMARY KEY (target, source));
CREATE INDEX reference_source ON @reference (source);

CREATE TABLE @child_count (
  parent uuid NOT NULL, family int4 NOT NULL, count int8 NOT NULL, CONSTRAINT child_count_parent PRIMARY KEY (parent, family)
) WITH (fillfactor = 50);
CREATE TABLE @reference_count (
  target uuid NOT NULL, family int4 NOT NULL, count int8 NOT NULL, CONSTRAINT reference_count_target PRIMARY KEY (target, family)
) WITH (fillfactor = 50);

CREATE TABLE @machine (
  id uuid NOT NULL CONSTRAINT machine_id PRIMARY KEY,
  family int4 NOT NULL,
  owner uuid NOT NULL,
  partition int2 NOT NULL,
  revision int8 NOT NULL,
  state int2 NOT NULL,
  origin_state int2 NOT NULL,
  action int2 NOT NULL,
  freshness int2 NOT NULL,
  running int2 NOT NULL,
  step_kind int2 NOT NULL,
  configuration int2 NOT NULL,
  active bool NOT NULL,
  attempt int4 NOT NULL,
  plan_flags int8 NOT NULL,
  planned_flags int8 NOT NULL,
  stage_order int4 NOT NULL,
  request_number int4 NOT NULL,
  progress int8 NOT NULL,
  request uuid,
  stage uuid,
  step uuid,
  step_started_at int8,
  deadline int8,
  changed_at int8 NOT NULL,
  last_deployment_at int8,
  configured int8 NOT NULL,
  deployed int8 NOT NULL,
  execution_id bytea,
  triggered_by bytea,
  reason bytea,
  outputs bytea,
  git_commit bytea,
  phases text,
  started_at int8,
  ended_at int8,
  canceled_at int8,
  reported_at int8
) WITH (fillfactor = 80);
CREATE INDEX machine_owner ON @machine (owner, id);
CREATE INDEX machine_active ON @machine (partition, id) WHERE active;

CREATE TABLE @event (
  sequence int8 NOT NULL CONSTRAINT event_sequence PRIMARY KEY,
  at int8 NOT NULL,
  kind int2 NOT NULL,
  family int4 NOT NULL,
  from_state int2 NOT NULL,
  to_state int2 NOT NULL,
  subject uuid,
  owner uuid,
  organization uuid,
  request uuid,
  revision int8 NOT NULL,
  author bytea,
  detail bytea,
  id_count int8 NOT NULL
);
CREATE INDEX event_organization ON @event (organization, sequence) WHERE author IS NOT NULL;
CREATE INDEX event_request ON @event (request, sequence) WHERE request IS NOT NULL;
CREATE INDEX event_subject ON @event (subject, sequence) WHERE subject IS NOT NULL;

CREATE TABLE @peer (engine uuid NOT NULL CONSTRAINT peer_engine PRIMARY KEY, counter int8 NOT NULL, rank int2 NOT NULL) WITH (fillfactor = 50);
CREATE TABLE @lease (partition int2 NOT NULL CONSTRAINT lease_partition PRIMARY KEY, holder uuid, epoch int8 NOT NULL) WITH (fillfactor = 50);
CREATE TABLE @wake_up (partition int2 NOT NULL, owner uuid NOT NULL, CONSTRAINT wake_up_partition PRIMARY KEY (partition, owner));
CREATE TABLE @inbox (
  number int8 GENERATED ALWAYS AS IDENTITY CONSTRAINT inbox_number PRIMARY KEY,
  partition int2 NOT NULL,
  step uuid NOT NULL,
  at int8 NOT NULL,
  kind int2 NOT NULL,
  running int2 NOT NULL,
  text bytea
);
CREATE INDEX inbox_partition ON @inbox (partition, number);

CREATE TABLE @commit_mark (number int8 NOT NULL CONSTRAINT commit_mark_number PRIMARY KEY, id uuid NOT NULL);

CREATE VIEW @resource AS SELECT id, family, nullif(parent, '00000000-0000-0000-0000-000000000000') AS parent,
  nullif(organization, '00000000-0000-0000-0000-000000000000') AS organization, revision, convert_from(body, 'UTF8')::json AS body FROM @record;
CREATE VIEW @event_feed AS SELECT sequence, to_timestamp(at / 1000.0) AS at,
  CASE kind WHEN 1 THEN 'created' WHEN 2 THEN 'edited' WHEN 3 THEN 'deleted' WHEN 4 THEN 'state_changed' WHEN 5 THEN 'request_queued'
    WHEN 6 THEN 'request_started' WHEN 7 THEN 'request_ended' WHEN 8 THEN 'step_started' WHEN 9 THEN 'step_ended' WHEN 10 THEN 'progress'
    WHEN 11 THEN 'log_line' WHEN 12 THEN 'running_changed' WHEN 13 THEN 'freshness_changed' ELSE kind::text END AS kind,
  family, from_state, to_state, subject, owner, organization, request, revision, convert_from(author, 'UTF8') AS author,
  convert_from(detail, 'UTF8') AS detail FROM @event;
)sql";

}  // namespace orlop::postgresql
