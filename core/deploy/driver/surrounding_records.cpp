#include "deploy/driver/surrounding_records.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "model/registry.h"
#include "model/validate.h"
#include "records/render_records.h"
#include "records/single.h"
#include "unit/lineage.h"
#include "wire/json.h"
#include "wire/read_plain.h"

namespace orlop {
namespace {

constexpr std::string_view fixed_names[] = {"environment", "project", "organization",
                                            "cluster",     "labels",  "annotations"};

std::vector<std::string_view> surrounding_names() {
  std::vector<std::string_view> names(std::begin(fixed_names), std::end(fixed_names));
  for (const Family* family : all_families()) {
    if (!family->configures.empty()) names.push_back(family->configures);
  }
  return names;
}

// Returns the credentials to which the cluster refers, with their secrets; empty if none.
Result<std::string> credentials_of(Unit& unit, const Record& cluster, SecretValues& secrets) {
  ORLOP_TRY(value, unit.value_of(cluster));
  for (const Id& id : references_of(find_family(cluster.family)->fields, *value)) {
    ORLOP_TRY(record, unit.record(id));
    const Family* family = record ? find_family(record->family) : nullptr;
    if (family == nullptr || !family->name.ends_with("_credentials")) continue;
    return secrets.text_of(*record);
  }
  return std::string();
}

Result<std::string> cluster_text(Unit& unit, const Record& cluster, SecretValues& secrets) {
  ORLOP_TRY(text, secrets.text_of(cluster));
  ORLOP_TRY(credentials, credentials_of(unit, cluster, secrets));
  if (credentials.empty()) return std::move(text);
  text.pop_back();
  return text + (text.size() > 1 ? "," : "") + "\"credentials\":" + credentials + "}";
}

Result<void> write_cluster_of(Unit& unit, const Record& environment, SecretValues& secrets, Writer& out) {
  ORLOP_TRY(value, unit.value_of(environment));
  const auto id = parse_id(value->text_or("cluster_id", ""));
  ORLOP_TRY(cluster, id ? unit.record(*id) : Result<Shared<Record>>(Shared<Record>()));
  if (!cluster) return {};
  ORLOP_TRY(text, cluster_text(unit, *cluster, secrets));
  out.field_raw("cluster", text);
  return {};
}

// Returns the members of an object, without its braces.
Result<std::string> above_text(Unit& unit, const Record& parent, SecretValues& secrets) {
  Writer out;
  out.begin_object();
  Lineage lineage(unit, parent);
  for (bool is_there = true; is_there;) {
    const Family* family = find_family(lineage.at().family);
    const bool is_named = family != nullptr && std::ranges::find(fixed_names, family->name) != std::end(fixed_names);
    if (is_named) {
      ORLOP_TRY(text, family->machine == MachineKind::cluster ? cluster_text(unit, lineage.at(), secrets)
                                                              : secrets.text_of(lineage.at()));
      out.field_raw(family->name, text);
    }
    if (family != nullptr && family->machine == MachineKind::environment)
      ORLOP_CHECK(write_cluster_of(unit, lineage.at(), secrets, out));
    ORLOP_TRY(is_higher, lineage.up());
    is_there = is_higher;
  }
  return out.text().substr(1);
}

}  // namespace

// Called for each member of each configuration, and nearly always false: first letter and size exclude most names.
bool is_surrounding_member(std::string_view name) {
  static const std::vector<std::string_view> names = surrounding_names();
  const auto may_be = [name](std::string_view known) {
    return known.size() == name.size() && known.front() == name.front();
  };
  return !name.empty() &&
         std::ranges::any_of(names, [&](std::string_view known) { return may_be(known) && known == name; });
}

// The unit keeps the text, and after a line break the secrets in it.
Result<void> write_above(Unit& unit, const Record& subject, SecretValues& secrets, Writer& out) {
  auto kept = unit.kept_text(subject.parent);
  if (kept == nullptr) {
    ORLOP_TRY(parent, unit.record(subject.parent));
    if (!parent) return {};
    SecretValues above(StepTexts{.secrets = secrets.are_read()});
    ORLOP_TRY(made, above_text(unit, *parent, above));
    kept = unit.keep_text(subject.parent, made.append("\n").append(above.kept()));
  }
  const std::size_t end = kept->find('\n');
  if (end != 0) out.raw(std::string_view(*kept).substr(0, end));
  ORLOP_CHECK(secrets.add_kept(std::string_view(*kept).substr(end + 1)));
  if (find_family(subject.family)->machine != MachineKind::cluster) return {};
  ORLOP_TRY(credentials, credentials_of(unit, subject, secrets));
  if (!credentials.empty()) out.key("cluster").begin_object().field_raw("credentials", credentials).end_object();
  return {};
}

Result<void> write_children(Unit& unit, const Record& subject, SecretValues& secrets, Writer& out) {
  const Family* parent = find_family(subject.family);
  RecordRange range;
  range.key = subject.id;
  ORLOP_TRY(children, unit.records(range));
  for (const Family* family : all_families()) {
    if (parent == nullptr || family->configures.empty() || !may_be_parent(*parent, *family)) continue;
    if (family->path == PathForm::single) {
      const auto stored = std::ranges::find(children, family->number, &Record::family);
      ORLOP_TRY(text, stored != children.end() ? secrets.text_of(*stored) : render_single(unit, *family, subject));
      out.field_raw(family->configures, text);
      continue;
    }
    out.key(family->configures).begin_list();
    for (const Record& child : children) {
      if (child.family != family->number) continue;
      ORLOP_TRY(text,
                has_computed(*family) && child.secrets.empty() ? render(unit, *family, child) : secrets.text_of(child));
      out.raw(text);
    }
    out.end_list();
  }
  return {};
}

void write_groups(const Value& subject, Writer& out) {
  for (const auto& [groups, items] : {std::pair{"labels_groups", "labels"}, {"annotations_groups", "annotations"}}) {
    const Value* list = subject.find(groups);
    if (list == nullptr || list->items().empty()) continue;
    out.key(items).begin_list();
    for (const Value& group : list->items()) {
      const Value* found = group.find(items);
      if (found == nullptr) continue;
      for (const Value& item : found->items()) out.value(item);
    }
    out.end_list();
  }
}

}  // namespace orlop
