#include "records/bulk_jobs/job_parts.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "store/partition.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view items_name = "items";
constexpr std::string_view items_begin = R"(,"items":")";
constexpr std::string_view items_end = R"("})";

std::string_view name_of(JobKind kind) {
  switch (kind) {
    case JobKind::removal: return "REMOVAL";
    case JobKind::copy: return "COPY";
    case JobKind::marking: return "MARKING";
  }
  return "";
}

// Writes the members in the order of the fields of family bulk_job.
std::string body_of(const NewJob& given, std::string_view author) {
  std::string items;
  items.reserve(given.items.size() * id_text_size);
  for (const Id& item : given.items) append_text(items, item);
  Writer body(items.size() + 256);
  body.begin_object().field("kind", name_of(given.kind));
  if (!author.empty()) body.field("author", author);
  if (!given.source.is_nil()) body.field("source_id", given.source);
  if (!given.detail.is_null()) body.field("detail", given.detail);
  if (!items.empty()) body.field(items_name, std::string_view(items));
  body.end_object();
  return std::move(body).take();
}

Error unreadable(const Id& job) {
  return make_error(ErrorCode::storage_corrupt,
                    "the store holds job " + to_text(job) + " with a text that the library did not write");
}

}  // namespace

Id begin_job(Unit& unit, const Record& parent, const NewJob& given) {
  Record record;
  record.id = unit.make_id();
  record.family = bulk_job_number;
  record.parent = parent.id;
  record.organization = parent.organization;
  record.body = body_of(given, unit.author());
  Machine machine;
  machine.id = record.id;
  machine.family = bulk_job_number;
  machine.owner = record.id;
  machine.partition = partition_of(parent.organization);
  machine.state = static_cast<std::uint8_t>(given.kind);
  machine.active = true;
  machine.changed_at = unit.now();
  const Id id = record.id;
  std::optional<std::vector<Id>> references;
  if (!given.source.is_nil()) references.emplace({given.source});
  unit.put(std::move(record), std::nullopt, std::move(references));
  unit.put(std::move(machine));
  unit.begin_job({.id = id, .partition = partition_of(parent.organization)});
  return id;
}

Result<std::optional<JobPart>> JobPart::of(Unit& unit, const Machine& machine) {
  ORLOP_TRY(record, unit.record(machine.id));
  // A job of this engine always has a parent.
  if (!record || record->family != bulk_job_number || record->parent.is_nil()) return std::optional<JobPart>();
  JobPart part;
  part.machine_ = machine;
  part.record_ = *record;
  const std::string_view text = part.record_.body;
  // The items are the last member and most of the text, so that a part neither parses nor scans them. They contain no
  // quotes, and quotes in a JSON string before them are escaped.
  const std::size_t mark = text.find(items_begin);
  const std::size_t begin = mark == std::string_view::npos ? 0 : mark + items_begin.size();
  const std::size_t end = text.size() - std::min(text.size(), items_end.size());
  const bool are_last = begin != 0 && text.find('"', begin) == end && text.ends_with(items_end);
  if (are_last) {
    part.items_begin_ = begin;
    part.items_size_ = end - begin;
  }
  const auto value = are_last ? parse_stored(std::string(text.substr(0, mark)) + "}") : parse_stored(text);
  if (!value || !value->is_object()) return unreadable(machine.id);
  const Value* detail = value->find("detail");
  if (detail != nullptr) part.detail_ = *detail;
  // edited by hand: the items are another member
  if (part.items_size_ == 0) part.record_.body = value->text_or(items_name, "");
  if (part.items_size_ == 0) part.items_size_ = part.record_.body.size();
  part.source_ = parse_id(value->text_or("source_id", "")).value_or(Id{});
  unit.set_author(value->text_or("author", ""));
  return std::optional(std::move(part));
}

PartEnd JobPart::pause(Unit& unit, std::uint64_t progress) {
  Machine next = machine_;
  next.progress = progress;
  unit.put(std::move(next));
  return PartEnd::more;
}

Result<PartEnd> JobPart::pause(Unit& unit, Value detail) {
  ORLOP_TRY(stored, unit.record(machine_.id));
  if (!stored) return PartEnd::done;
  ORLOP_TRY(body, parse_stored(stored->body));
  body.set("detail", std::move(detail));
  Record paused = *stored;
  paused.body = to_json(body);
  unit.put(std::move(paused));
  return PartEnd::more;
}

PartEnd JobPart::finish(Unit& unit) {
  unit.erase(machine_.id);
  return PartEnd::done;
}

}  // namespace orlop
