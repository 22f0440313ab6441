#include <algorithm>
#include <charconv>

#include "access/permission.h"
#include "base/limits.h"
#include "model/metadata.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/path.h"
#include "records/render_records.h"
#include "records/verbs.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct Page {
  std::int64_t number = 1;
  std::int64_t size = 0;  // 0: no page was requested, the answer holds all results
};

constexpr std::int64_t page_size_default = 100;

Result<Page> page_of(const Query& query) {
  constexpr Field fields[] = {
      integer("page", "Which page, from 1.").at_least(1).at_most(1'000'000'000),
      integer("page_size", "Results of one page.").at_least(1).at_most(page_size_max),
  };
  const auto number = query.find("page");
  const auto size = query.find("page_size");
  if (!number && !size) return Page{};
  Violations violations;
  const auto take = [&](const Field& field, std::optional<std::string_view> text, std::int64_t absent) {
    if (!text) return absent;
    const Value value = parse_parameter(field, *text, violations);
    return value.type() == Value::Type::integer ? value.as_integer() : absent;
  };
  const Page page{take(fields[0], number, 1), take(fields[1], size, page_size_default)};
  if (!violations.empty()) return refusal(std::move(violations));
  return page;
}

void write_pagination(Writer& out, const Page& page, std::int64_t total) {
  out.key("pagination").begin_object().field("page", page.number).field("page_size", page.size);
  out.field("total_count", total).field("total_pages", (total + page.size - 1) / page.size).end_object();
}

// Returns the bounds of the page in a list of `total` items.
std::pair<std::size_t, std::size_t> slice_of(const Page& page, std::size_t total) {
  if (page.size == 0) return {0, total};
  const auto first = static_cast<std::size_t>((page.number - 1) * page.size);
  const std::size_t begin = std::min(first, total);
  return {begin, std::min(begin + static_cast<std::size_t>(page.size), total)};
}

}  // namespace

namespace {

Answer page_answer(const Page& page, std::span<const std::string> texts, std::size_t total) {
  std::size_t size = 64;
  for (const std::string& text : texts) size += text.size() + 1;
  Writer out(size + 128);
  out.begin_object().key("results").begin_list();
  for (const std::string& text : texts) out.raw(text);
  out.end_list();
  if (page.size != 0) write_pagination(out, page, static_cast<std::int64_t>(total));
  out.end_object();
  return Answer{200, std::move(out).take()};
}

// Returns the name that the query filters by; nullopt if it does not.
std::optional<std::string_view> wanted_name(const Call& call, const Family& family) {
  return is_found_by_name(family) ? call.query->find("name") : std::nullopt;
}

}  // namespace

std::vector<Record> keep_named(const Call& call, const Family& family, std::vector<Record> records) {
  const auto name = wanted_name(call, family);
  const auto key_of = [&family](const Record& record, std::string_view of) {
    return name_key(family, record.parent, record.organization, of);
  };
  if (name)
    std::erase_if(records,
                  [&](const Record& record) { return key_of(record, name_of(record)) != key_of(record, *name); });
  return records;
}

Result<Answer> render_list(Unit& unit, const Call& call, const Family& family, const std::vector<Record>& records) {
  ORLOP_TRY(page, page_of(*call.query));
  const auto [begin, end] = slice_of(page, records.size());
  ORLOP_TRY(texts, render_all(unit, family, std::span(records).subspan(begin, end - begin)));
  return page_answer(page, texts, records.size());
}

Result<Answer> page_of_texts(const Call& call, std::span<const std::string> texts) {
  ORLOP_TRY(page, page_of(*call.query));
  const auto [begin, end] = slice_of(page, texts.size());
  return page_answer(page, texts.subspan(begin, end - begin), texts.size());
}

namespace {

// A parent with children exists; only an empty list needs the check.
Result<void> require_there(Unit& unit, const Family& family, const Id& parent) {
  if (is_root(family)) return {};
  ORLOP_TRY(found, require_parent(unit, family, parent));
  (void)found;
  return {};
}

// Lists a family whose answers are the stored texts, each copied directly from the store into the answer.
Result<Answer> list_stored(Unit& unit, const Family& family, const RecordRange& range) {
  Writer out(4096);
  out.begin_object().key("results").begin_list();
  bool is_empty = true;
  ORLOP_CHECK(unit.stored().records(range, [&](const Record& record) {
    out.raw(record.body);
    is_empty = false;
    return true;
  }));
  if (is_empty) ORLOP_CHECK(require_there(unit, family, range.key));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

// list_stored() for a family with computed fields: the texts are concatenated until the fields of all records are
// computed.
Result<Answer> list_computed(Unit& unit, const Family& family, const RecordRange& range) {
  std::string bodies;
  std::vector<Record> records;  // without their texts
  std::vector<std::size_t> ends;
  ORLOP_CHECK(unit.stored().records(range, [&](const Record& record) {
    bodies.append(record.body);
    ends.push_back(bodies.size());
    records.push_back({record.id, record.family, record.parent, record.organization, record.revision, {}, {}});
    return true;
  }));
  if (records.empty()) ORLOP_CHECK(require_parent(unit, family, range.key));
  ORLOP_TRY(columns, compute_all(unit, family, records));
  Writer out(bodies.size() + records.size() * 64 + 64);
  out.begin_object().key("results").begin_list();
  std::size_t begin = 0;
  for (std::size_t at = 0; at < ends.size(); begin = ends[at++]) {
    write_with(out, std::string_view(bodies).substr(begin, ends[at] - begin), columns, at);
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr std::string_view metadata_prefix = "metadata.";

bool filters_metadata(const Query& query) {
  return std::ranges::any_of(query.entries(),
                             [](const auto& entry) { return entry.first.starts_with(metadata_prefix); });
}

// Keeps the records that have all metadata entries of the query.
Result<void> keep_with_metadata(Unit& unit, const Query& query, std::vector<Record>& records) {
  if (!filters_metadata(query)) return {};
  std::vector<Record> kept;
  for (Record& record : records) {
    ORLOP_TRY(value, unit.value_of(record));
    const Value* metadata = value->find(metadata_field.name);
    const bool fits = std::ranges::all_of(query.entries(), [&](const auto& entry) {
      if (!entry.first.starts_with(metadata_prefix)) return true;
      const Value* found =
          metadata == nullptr ? nullptr : metadata->find(std::string_view(entry.first).substr(metadata_prefix.size()));
      return found != nullptr && found->is_text() && found->as_text() == entry.second;
    });
    if (fits) kept.push_back(std::move(record));
  }
  records = std::move(kept);
  return {};
}

// Returns the record with this name below the parent; empty if none.
Result<std::vector<Record>> named(Unit& unit, const Family& family, const Id& parent, std::string_view name) {
  std::vector<Record> found;
  Id organization;
  if (!is_root(family)) {
    ORLOP_TRY(above, require_parent(unit, family, parent));
    organization = above->organization;
  }
  ORLOP_TRY(id, unit.find(name_key(family, parent, organization, name)));
  ORLOP_TRY(record, id ? unit.record(*id) : Result<Shared<Record>>(Shared<Record>()));
  if (record && record->family == family.number && record->parent == parent) found.push_back(*record);
  return found;
}

// Reports whether the caller sees every record below the parent.
Result<bool> sees_all(Unit& unit, const Call& call, const Id& parent) {
  if (call.caller->kind == Caller::Kind::host) return true;
  if (is_root(*call.family)) return false;
  ORLOP_TRY(above, require_parent(unit, *call.family, parent));
  return Permissions(unit, *call.caller).sees_all_of(above->organization);
}

// Loads the texts of the records on the page; the list was read without texts.
Result<void> complete_page(Unit& unit, const Query& query, std::vector<Record>& records) {
  ORLOP_TRY(page, page_of(query));
  const auto [begin, end] = slice_of(page, records.size());
  std::vector<Id> shown;
  for (std::size_t at = begin; at < end; ++at) shown.push_back(records[at].id);
  ORLOP_CHECK(unit.load(shown));
  for (std::size_t at = begin; at < end; ++at) {
    ORLOP_TRY(record, unit.record(records[at].id));
    if (record) records[at] = *record;
  }
  return {};
}

}  // namespace

Result<Answer> list(Unit& unit, const Call& call) {
  const Family& family = *call.family;
  RecordRange range;
  ORLOP_TRY(parent, parent_on_path(unit, call));
  range.key = parent;
  range.family = family.number;
  const bool wants_page = call.query->find("page") || call.query->find("page_size");
  const auto name = wanted_name(call, family);
  const bool is_whole = !is_presented(family) && !name && !filters_metadata(*call.query);
  if (is_whole && !wants_page && call.caller->kind == Caller::Kind::host) {
    return has_computed(family) ? list_computed(unit, family, range) : list_stored(unit, family, range);
  }
  ORLOP_TRY(is_bare, is_whole && wants_page ? sees_all(unit, call, parent) : Result<bool>(false));
  if (is_bare) range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(records, name ? named(unit, family, parent, *name) : unit.records(range));
  if (records.empty()) ORLOP_CHECK(require_there(unit, family, range.key));
  if (is_bare) {
    ORLOP_CHECK(complete_page(unit, *call.query, records));
    return render_list(unit, call, family, records);
  }
  ORLOP_CHECK(keep_with_metadata(unit, *call.query, records));
  ORLOP_CHECK(Permissions(unit, *call.caller).filter(records));
  return render_list(unit, call, family, records);
}

}  // namespace orlop
