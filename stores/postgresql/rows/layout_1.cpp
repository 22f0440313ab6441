#include "rows/layout.h"

namespace orlop::postgresql {

// Ids are uuid, which PostgreSQL compares byte by byte. The engine's texts may hold any bytes and are bytea; the views
// decode them. A nil id is NULL if an index leaves it out. Names are unique by their digest, because a key may exceed
// the size of an index entry. The other members of a machine are in its body (machines.def). Events are stored in
// blocks (events.h), which are found by organization (role 1), request (2) and subject (3).
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

CREATE TABLE @reference (target uuid NOT NULL, source uuid NOT NULL, CONSTRAINT reference_target PRIMARY KEY )sql"
                             R"sql((target, source));
CREATE INDEX reference_source ON @reference (source);

CREATE TABLE @child_count (
  parent uuid NOT NULL, family int4 NOT NULL, count int8 NOT NULL, CONSTRAINT child_count_parent PRIMARY KEY )sql"
                             R"sql((parent, family)
) WITH (fillfactor = 50);
CREATE TABLE @reference_count (
  target uuid NOT NULL, family int4 NOT NULL, count int8 NOT NULL, CONSTRAINT reference_count_target PRIMARY KEY )sql"
                             R"sql((target, family)
) WITH (fillfactor = 50);

CREATE TABLE @machine (
  id uuid NOT NULL CONSTRAINT machine_id PRIMARY KEY,
  family int4 NOT NULL,
  owner uuid NOT NULL,
  partition int2 NOT NULL,
  revision int8 NOT NULL,
  active bool NOT NULL,
  body bytea NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX machine_owner ON @machine (owner, id);
CREATE INDEX machine_active ON @machine (partition, id) WHERE active;

CREATE TABLE @event_block (
  first int8 NOT NULL CONSTRAINT event_block_first PRIMARY KEY,
  count int4 NOT NULL,
  forgotten int4 NOT NULL,
  at int8 NOT NULL,
  id_count int8 NOT NULL,
  last_at int8 NOT NULL,
  last_id_count int8 NOT NULL,
  organizations int4 NOT NULL,
  requests int4 NOT NULL,
  subjects int4 NOT NULL,
  ids uuid[] NOT NULL,
  events bytea NOT NULL
) WITH (toast_tuple_target = 8160);
CREATE TABLE @event_key (id uuid NOT NULL, role int2 NOT NULL, first int8 NOT NULL, CONSTRAINT event_key_id )sql"
                             R"sql(PRIMARY KEY (id, role, first));

CREATE TABLE @peer (engine uuid NOT NULL CONSTRAINT peer_engine PRIMARY KEY, counter int8 NOT NULL, rank int2 NOT )sql"
                             R"sql(NULL) WITH (fillfactor = 50);
CREATE TABLE @lease (partition int2 NOT NULL CONSTRAINT lease_partition PRIMARY KEY, holder uuid, epoch int8 NOT )sql"
                             R"sql(NULL) WITH (fillfactor = 50);
CREATE TABLE @wake_up (partition int2 NOT NULL, owner uuid NOT NULL, CONSTRAINT wake_up_partition PRIMARY KEY )sql"
                             R"sql((partition, owner));
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
  nullif(organization, '00000000-0000-0000-0000-000000000000') AS organization, revision, convert_from(body, )sql"
                             R"sql('UTF8')::json AS body FROM @record;
CREATE FUNCTION @event_number(events bytea, event int4, place int4, size int4) RETURNS int8 LANGUAGE sql IMMUTABLE AS
  $$SELECT ('x' || lpad(encode(substring(events FROM event * 41 + place + 1 FOR size), 'hex'), 16, '0'))::bit(64):)sql"
                             R"sql(:int8$$;
CREATE FUNCTION @event_text(events bytea, count int4, start int8, after int8) RETURNS text LANGUAGE sql STABLE AS
  $$SELECT nullif(convert_from(substring(events FROM count * 41 + start::int4 + 1 FOR (after - start)::int4), )sql"
                             R"sql('UTF8'), '')$$;
CREATE VIEW @event_feed AS SELECT b.first + n.place AS sequence, to_timestamp(greatest(e.at, b.at) / 1000.0) AS at,
  CASE e.kind WHEN 1 THEN 'created' WHEN 2 THEN 'edited' WHEN 3 THEN 'deleted' WHEN 4 THEN 'state_changed' WHEN 5 )sql"
                             R"sql(THEN 'request_queued'
    WHEN 6 THEN 'request_started' WHEN 7 THEN 'request_ended' WHEN 8 THEN 'step_started' WHEN 9 THEN 'step_ended' )sql"
                             R"sql(WHEN 10 THEN 'progress'
    WHEN 11 THEN 'log_line' WHEN 12 THEN 'running_changed' WHEN 13 THEN 'freshness_changed' ELSE e.kind::text END )sql"
                             R"sql(AS kind,
  e.family, e.from_state, e.to_state, b.ids[e.subject] AS subject, b.ids[e.owner] AS owner, b.ids[e.organization] )sql"
                             R"sql(AS organization, b.ids[e.request] AS request, e.revision,
  @event_text(b.events, b.count, e.start, e.author_end) AS author, @event_text(b.events, b.count, e.author_end, )sql"
                             R"sql(e.detail_end) AS detail
FROM @event_block AS b CROSS JOIN LATERAL generate_series(b.forgotten, b.count - 1) AS n(place) CROSS JOIN LATERAL (
  SELECT @event_number(b.events, n.place, 0, 8) AS at, @event_number(b.events, n.place, 8, 8) AS revision,
    CASE n.place WHEN 0 THEN 0 ELSE @event_number(b.events, n.place - 1, 24, 4) END AS start,
    @event_number(b.events, n.place, 20, 4) AS author_end, @event_number(b.events, n.place, 24, 4) AS detail_end,
    @event_number(b.events, n.place, 28, 2)::int4 AS family, @event_number(b.events, n.place, 30, 1)::int2 AS kind,
    @event_number(b.events, n.place, 31, 1)::int2 AS from_state, @event_number(b.events, n.place, 32, 1)::int2 AS )sql"
                             R"sql(to_state,
    @event_number(b.events, n.place, 33, 2)::int4 AS subject, @event_number(b.events, n.place, 35, 2)::int4 AS owner,
    @event_number(b.events, n.place, 37, 2)::int4 AS organization, @event_number(b.events, n.place, 39, 2)::int4 )sql"
                             R"sql(AS request) AS e;
)sql";

}  // namespace orlop::postgresql
