#include "records/variables/copied_texts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "model/registry.h"
#include "records/variables/named_ids.h"
#include "records/variables/variable_text.h"
#include "unit/store_record.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Returns the id directly before the first id that begins with these digits.
Id last_before(const std::string& digits) {
  Id id = parse_id(digits + "-0000-0000-0000-000000000000").value_or(Id{});
  for (auto byte = id.bytes.rbegin(); byte != id.bytes.rend(); ++byte) {
    if ((*byte)-- != 0) return id;
  }
  return Id{};
}

// Returns the environment's cluster; nil if it names none.
Id cluster_of(const Record* environment) {
  if (environment == nullptr) return {};
  const std::string_view raw = raw_member(environment->body, "cluster_id");
  return raw.size() < 2 ? Id{} : parse_id(raw.substr(1, raw.size() - 2)).value_or(Id{});
}

class Rewriter {
 public:
  Rewriter(Unit& unit, const VariableCopy& places) : unit_(unit), places_(places) {
    note(cluster_of(places.source.environment()), cluster_of(places.copy.environment()));
    for (std::size_t at = 0; at < std::min(places.source.records.size(), places.copy.records.size()); ++at) {
      note(places.source.records[at].id, places.copy.records[at].id);
    }
  }

  // Rewrites the part of the text from `begin` to `end`; true if it has changed. Lengths stay the same, so that JSON
  // text stays valid.
  Result<bool> rewrite(std::string& text, std::size_t begin, std::size_t end) {
    bool is_changed = false;
    std::size_t size = 0;
    for (std::size_t at = find_named_digits(text, begin); at < end; at = find_named_digits(text, at + size)) {
      const NamedId named = named_id_at(text, at);
      size = named.size;
      ORLOP_TRY(copy, copy_of(named));
      if (!copy.is_nil() && write_named_id(text, at, size, copy)) is_changed = true;
    }
    return is_changed;
  }
  Result<bool> rewrite(std::string& text) { return rewrite(text, 0, text.size()); }

  // `raw`: a member at the top level of `object`.
  Result<bool> rewrite_member(std::string& object, std::string_view raw) {
    const auto begin = static_cast<std::size_t>(raw.data() - object.data());
    return rewrite(object, begin, begin + raw.size());
  }

 private:
  struct Copied {
    Id original;
    Id copy;
  };

  void note(const Id& original, const Id& copy) {
    if (!original.is_nil() && !copy.is_nil()) known_[named_digits_of(original)] = {original, copy};
  }

  // Returns nil if the named resource has no copy.
  Result<Id> copy_of(const NamedId& named) {
    auto found = known_.find(named.digits);
    if (found == known_.end()) {
      ORLOP_TRY(copied, copied_service(named.digits));
      found = known_.emplace(named.digits, copied).first;
    }
    const bool is_same = named.whole.is_nil() || named.whole == found->second.original;
    return is_same ? found->second.copy : Id{};
  }

  Result<Copied> copied_service(const std::string& digits) {
    const Record* environment = places_.source.environment();
    if (environment == nullptr) return Copied{};
    for (const Family* family : all_families()) {
      if (!is_service(*family)) continue;
      RecordRange range;
      range.key = environment->id;
      range.family = family->number;
      range.after = last_before(digits);
      range.limit = 1;
      ORLOP_TRY(services, unit_.records(range));
      if (services.empty() || named_digits_of(services.front().id) != digits) continue;
      ORLOP_TRY(copy, counterpart_of_service(unit_, places_, services.front()));
      return Copied{services.front().id, copy.value_or(Id{})};
    }
    return Copied{};
  }

  Unit& unit_;
  const VariableCopy& places_;
  std::unordered_map<std::string, Copied> known_;  // by the first digits of the original's id
};

// Rewrites only the value of a variable.
Result<bool> rewrite_variable(Rewriter& rewriter, Record& variable) {
  const std::string_view value = raw_member(variable.body, "value");
  ORLOP_TRY(is_changed, value.empty() ? Result<bool>(false) : rewriter.rewrite_member(variable.body, value));
  ORLOP_TRY(is_secret_changed, rewriter.rewrite(variable.secrets));
  return is_changed || is_secret_changed;
}

// Returns the members of the record that a caller can set, except its name.
std::vector<std::string_view> texts_of(const Record& record) {
  const Family* family = find_family(record.family);
  const Field* named = family == nullptr ? nullptr : name_field(*family);
  const auto is_left_out = [&](std::string_view name) {
    if (family == nullptr || (named != nullptr && named->name == name)) return true;
    return std::ranges::any_of(family->fields,
                               [&](const Field& field) { return field.name == name && field.is_read_only; });
  };
  std::vector<std::string_view> texts;
  RawMembers members(record.body);
  for (std::string_view name, raw; members.next(name, raw);) {
    if (!is_left_out(name)) texts.push_back(raw);
  }
  return texts;
}

Result<bool> rewrite_record(Rewriter& rewriter, Record& record) {
  if (record.family == variable_number) return rewrite_variable(rewriter, record);
  bool is_changed = false;
  for (const std::string_view raw : texts_of(record)) {
    ORLOP_TRY(is_text_changed, rewriter.rewrite_member(record.body, raw));
    is_changed = is_changed || is_text_changed;
  }
  ORLOP_TRY(is_secret_changed, rewriter.rewrite(record.secrets));
  return is_changed || is_secret_changed;
}

// If this unit has made the record, its creation event covers the change.
Result<void> put_rewritten(Unit& unit, Record record) {
  const std::uint64_t before = record.revision;
  const Id id = record.id;
  unit.put(std::move(record));
  ORLOP_TRY(put, unit.record(id));
  const Family* family = !put ? nullptr : find_family(put->family);
  if (family == nullptr || !family->has_events || put->revision == before) return {};
  std::string detail = put->family == variable_number
                           ? event_text_of(*put)
                           : Writer().begin_object().field("name", name_of(*put)).end_object().text();
  emit_about(unit, *put, EventKind::edited, put->revision, std::move(detail));
  return {};
}

}  // namespace

bool may_name_resource(std::string_view text) { return find_named_digits(text, 0) != std::string_view::npos; }

bool may_name_resource(const Record& record) {
  if (may_name_resource(std::string_view(record.secrets))) return true;
  if (!may_name_resource(std::string_view(record.body))) return false;
  return record.family == variable_number ||
         std::ranges::any_of(texts_of(record), [](std::string_view text) { return may_name_resource(text); });
}

Result<void> rewrite_copied_texts(Unit& unit, const VariableCopy& places) {
  const Record& copy = places.copy.nearest();
  const bool is_of_service = places.copy.service() != nullptr;
  std::vector<Record> records;
  if (is_of_service) records.push_back(copy);
  RecordRange range;
  range.key = copy.id;
  if (!is_of_service) range.family = variable_number;
  ORLOP_TRY(below, unit.records(range));
  records.insert(records.end(), std::make_move_iterator(below.begin()), std::make_move_iterator(below.end()));
  Rewriter rewriter(unit, places);
  for (Record& record : records) {
    if (!may_name_resource(record)) continue;
    ORLOP_TRY(is_changed, rewrite_record(rewriter, record));
    if (is_changed) ORLOP_CHECK(put_rewritten(unit, std::move(record)));
  }
  return {};
}

}  // namespace orlop
