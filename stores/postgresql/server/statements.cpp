#include "server/statements.h"

#include <string_view>

namespace orlop::postgresql {
namespace {

// What stands for the parts of a text that are lists of columns.
struct Part {
  std::string_view mark;
  std::string text;
};

#define ORLOP_RECORD "%record%"
#define ORLOP_RECORD_BARE "%record_bare%"
#define ORLOP_EVENT "%event%"
#define ORLOP_MACHINE "%machine%"
#define ORLOP_MACHINE_CHANGES "%machine_changes%"
#define ORLOP_EVENT_BOUNDS "e.sequence > $1 AND e.sequence < $2"
#define ORLOP_RECORD_ARRAYS "$1::uuid[], $2::int4[], $3::uuid[], $4::uuid[], $5::int8[], $6::bytea[], $7::bytea[]"
// The event that is the last one before the statement, and how many ids have been given with `count`, 0 of an event that does not say it.
#define ORLOP_LAST_EVENT "(SELECT e.sequence, e.at, e.id_count FROM @event AS e ORDER BY e.sequence DESC LIMIT 1) AS l ON true"
#define ORLOP_NEXT_ID_COUNT(count) "CASE WHEN " count " = 0 THEN 0 ELSE greatest(" count ", l.id_count) END"
// What a range holds, as bytes: ids with revisions, families with counts.
#define ORLOP_FOUND "string_agg(uuid_send(r.id) || int8send(r.revision), ''::bytea ORDER BY r.id)"
#define ORLOP_COUNTED "string_agg(int4send(c.family) || int8send(c.count), ''::bytea ORDER BY c.family)"
#define ORLOP_RECORD_CHANGES \
  "family = n.family, parent = n.parent, organization = n.organization, revision = n.revision, secrets = n.secrets, body = n.body"

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

constexpr const char* machine_columns[] = {
#define ORLOP_MACHINE_COLUMN(column, kind, member) #column,
#include "rows/machines.def"
#undef ORLOP_MACHINE_COLUMN
};

std::vector<Part> parts() {
  std::string selected;
  std::string changes;
  for (const std::string name : machine_columns) {
    selected += (selected.empty() ? "m." : ", m.") + name;
    if (name != "id") changes += (changes.empty() ? "" : ", ") + name + " = n." + name;
  }
  const std::string record = "r.id, r.family, r.parent, r.organization, r.revision, ";
  return {{ORLOP_RECORD, record + "r.secrets, r.body"},
          {ORLOP_RECORD_BARE, record + "NULL::bytea AS secrets, NULL::bytea AS body"},
          {ORLOP_EVENT, "e.sequence, e.at, e.kind, e.family, e.from_state, e.to_state, e.subject, e.owner, e.organization, e.request, e.revision, e.author, "
                        "e.detail, e.id_count"},
          {ORLOP_MACHINE, selected},
          {ORLOP_MACHINE_CHANGES, changes}};
}

void replace_all(std::string& text, std::string_view mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size())) text.replace(at, mark.size(), by);
}

}  // namespace

const char* name_of(Statement statement) { return names[static_cast<std::size_t>(statement)]; }

std::vector<std::string> texts_of_statements(const std::string& prefix) {
  const std::vector<Part> replaced = parts();
  std::vector<std::string> out;
  for (std::string text : texts) {
    for (const Part& part : replaced) replace_all(text, part.mark, part.text);
    out.push_back(with_prefix(text, prefix));
  }
  return out;
}

std::string literal(const std::string& text) {
  std::string out = " E'";
  for (const char letter : text) out += letter == '\'' || letter == '\\' ? std::string(2, letter) : std::string(1, letter);
  return out + "'";
}

std::string with_prefix(const std::string& text, const std::string& prefix) {
  std::string out = text;
  replace_all(out, "@", prefix);
  return out;
}

}  // namespace orlop::postgresql
