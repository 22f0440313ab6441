#include "rows/layout.h"

namespace orlop::postgresql {

// A peer's row has the lock of its engine, and the start time of the server that has seen it held (server/presence.h).
// The views name families. Granted rights on the views are kept.
const char* const layout_2 = R"sql(
ALTER TABLE @peer ADD COLUMN lock int8, ADD COLUMN server timestamptz;
CREATE TABLE @family (number int4 NOT NULL CONSTRAINT family_number PRIMARY KEY, name text NOT NULL);
SELECT set_config('orlop.granted', coalesce(string_agg(format('GRANT %s ON %s TO %s%s', g.privilege_type, g.view,
    CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END,
    CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END), '; '), ''), true)
  FROM (SELECT c.oid::regclass AS view, c.relowner, (aclexplode(c.relacl)).* FROM pg_class AS c
    WHERE c.oid IN ('@resource'::regclass, '@event_feed'::regclass)) AS g
  WHERE g.grantee <> g.relowner;
DROP VIEW @resource;
DROP VIEW @event_feed;
CREATE VIEW @resource AS SELECT r.id, coalesce(f.name, r.family::text) AS family,
  nullif(r.parent, '00000000-0000-0000-0000-000000000000') AS parent,
  nullif(r.organization, '00000000-0000-0000-0000-000000000000') AS organization, r.revision,
  convert_from(r.body, 'UTF8')::json AS body
FROM @record AS r LEFT JOIN @family AS f ON f.number = r.family;
CREATE VIEW @event_feed AS SELECT b.first + n.place AS sequence, to_timestamp(greatest(e.at, b.at) / 1000.0) AS at,
  CASE e.kind WHEN 1 THEN 'created' WHEN 2 THEN 'edited' WHEN 3 THEN 'deleted' WHEN 4 THEN 'state_changed'
    WHEN 5 THEN 'request_queued' WHEN 6 THEN 'request_started' WHEN 7 THEN 'request_ended' WHEN 8 THEN 'step_started'
    WHEN 9 THEN 'step_ended' WHEN 10 THEN 'progress' WHEN 11 THEN 'log_line' WHEN 12 THEN 'running_changed'
    WHEN 13 THEN 'freshness_changed' ELSE e.kind::text END AS kind,
  coalesce(f.name, e.family::text) AS family, e.from_state, e.to_state,
  b.ids[e.subject] AS subject, b.ids[e.owner] AS owner, b.ids[e.organization] AS organization,
  b.ids[e.request] AS request, e.revision, @event_text(b.events, b.count, e.start, e.author_end) AS author,
  @event_text(b.events, b.count, e.author_end, e.detail_end) AS detail
FROM @event_block AS b CROSS JOIN LATERAL generate_series(b.forgotten, b.count - 1) AS n(place) CROSS JOIN LATERAL (
  SELECT @event_number(b.events, n.place, 0, 8) AS at, @event_number(b.events, n.place, 8, 8) AS revision,
    CASE n.place WHEN 0 THEN 0 ELSE @event_number(b.events, n.place - 1, 24, 4) END AS start,
    @event_number(b.events, n.place, 20, 4) AS author_end, @event_number(b.events, n.place, 24, 4) AS detail_end,
    @event_number(b.events, n.place, 28, 2)::int4 AS family, @event_number(b.events, n.place, 30, 1)::int2 AS kind,
    @event_number(b.events, n.place, 31, 1)::int2 AS from_state,
    @event_number(b.events, n.place, 32, 1)::int2 AS to_state,
    @event_number(b.events, n.place, 33, 2)::int4 AS subject, @event_number(b.events, n.place, 35, 2)::int4 AS owner,
    @event_number(b.events, n.place, 37, 2)::int4 AS organization,
    @event_number(b.events, n.place, 39, 2)::int4 AS request) AS e
  LEFT JOIN @family AS f ON f.number = e.family;
DO $$BEGIN EXECUTE current_setting('orlop.granted'); END$$;
UPDATE @layout SET version = 2;
)sql";

}  // namespace orlop::postgresql
