#include "server/statements.h"

#include <string_view>

namespace orlop::postgresql {
namespace {

#define ORLOP_RECORD_KEYS "r.id, r.family, r.parent, r.organization, r.revision, "
#define ORLOP_RECORD ORLOP_RECORD_KEYS "r.secrets, r.body"
#define ORLOP_RECORD_BARE ORLOP_RECORD_KEYS "NULL::bytea AS secrets, NULL::bytea AS body"
#define ORLOP_MACHINE "m.id, m.family, m.owner, m.partition, m.revision, m.active, m.body"
#define ORLOP_MACHINE_CHANGES                                                                                      \
  "family = n.family, owner = n.owner, partition = n.partition, revision = n.revision, active = n.active, body = " \
  "n.body"
// Columns of a block of events. Condition for the blocks with events between the numbers $1 and $2, starting with the
// last block that begins before them.
#define ORLOP_BLOCK "b.first, b.count, b.forgotten, b.at, b.id_count, b.ids, b.events"
#define ORLOP_BLOCKS(first)                                                                                         \
  first                                                                                                             \
      " >= coalesce((SELECT s.first FROM @event_block AS s WHERE s.first <= $1 ORDER BY s.first DESC LIMIT 1), 0) " \
      "AND " first " < $2 AND b.first + b.count - 1 > $1"
#define ORLOP_BLOCKS_OF(role)                                                                            \
  "SELECT " ORLOP_BLOCK                                                                                  \
  " FROM @event_key AS k JOIN @event_block AS b ON b.first = k.first WHERE k.id = $4 AND k.role = " role \
  " AND " ORLOP_BLOCKS("k.first")
// Keys of a block's events: $5, $6 and $7 ids of $8, one role after the other.
#define ORLOP_EVENT_KEYS(first, from)                                                                           \
  "INSERT INTO @event_key (id, role, first) SELECT n.id, CASE WHEN n.place <= $5::int4 THEN 1 WHEN n.place <= " \
  "$5::int4 + $6::int4 THEN 2 ELSE 3 END, " first " FROM " from                                                 \
  "unnest($8::uuid[]) WITH ORDINALITY AS n(id, place) WHERE n.place <= $5::int4 + $6::int4 + $7::int4"
#define ORLOP_BLOCK_COLUMNS \
  "(first, count, forgotten, at, id_count, last_at, last_id_count, organizations, requests, subjects, ids, events)"
#define ORLOP_RECORD_ARRAYS "$1::uuid[], $2::int4[], $3::uuid[], $4::uuid[], $5::int8[], $6::bytea[], $7::bytea[]"
#define ORLOP_LAST_BLOCK "FROM @event_block AS b ORDER BY b.first DESC LIMIT 1"
#define ORLOP_IS_LAST_MARK                                                                                            \
  "coalesce((SELECT m.number = $1::int8 AND m.id = $2::uuid FROM @commit_mark AS m ORDER BY m.number DESC LIMIT 1), " \
  "false)"
#define ORLOP_IS_AS_KNOWN                                                                                              \
  "1 / (" ORLOP_IS_LAST_MARK                                                                                           \
  " "                                                                                                                  \
  "AND NOT EXISTS (SELECT FROM unnest($3::bytea[]) AS n(key) JOIN @record AS r ON sha256(r.name_key) = sha256(n.key) " \
  "AND r.name_key = n.key))::int4"
// Contents of a range as bytes: ids with revisions, families with counts.
#define ORLOP_FOUND "string_agg(uuid_send(r.id) || int8send(r.revision), ''::bytea ORDER BY r.id)"
#define ORLOP_COUNTED "string_agg(int4send(c.family) || int8send(c.count), ''::bytea ORDER BY c.family)"
#define ORLOP_RECORD_CHANGES                                                                                          \
  "family = n.family, parent = n.parent, organization = n.organization, revision = n.revision, secrets = n.secrets, " \
  "body = n.body"

constexpr const char* texts[] = {
#define ORLOP_STATEMENT(name, text) text,
#include "server/statements.def"
#undef ORLOP_STATEMENT
};

constexpr const char* names[] = {
#define ORLOP_STATEMENT(name, text) "orlop_" #name,
#include "server/statements.def"
#undef ORLOP_STATEMENT
};

void replace_all(std::string& text, std::string_view mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
}

}  // namespace

const char* name_of(Statement statement) { return names[static_cast<std::size_t>(statement)]; }

std::vector<std::string> texts_of_statements(const std::string& prefix) {
  std::vector<std::string> out;
  for (const char* text : texts) out.push_back(with_prefix(text, prefix));
  return out;
}

std::string literal(const std::string& text) {
  std::string out = " E'";
  for (const char letter : text)
    out += letter == '\'' || letter == '\\' ? std::string(2, letter) : std::string(1, letter);
  return out + "'";
}

std::string with_prefix(const std::string& text, const std::string& prefix) {
  std::string out = text;
  replace_all(out, "@", prefix);
  return out;
}

}  // namespace orlop::postgresql
