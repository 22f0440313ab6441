// The export of an environment: its configuration as a Terraform file in JSON syntax, one resource for each record that a create operation makes.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "model/registry.h"
#include "operations/operation_set.h"
#include "operations/services/parts/subject.h"
#include "operations/variables/parts/owner.h"
#include "ops/variables/visible.h"
#include "ops/verbs.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct Exported {
  Record record;
  std::string type;   // "platform_container"
  std::string label;  // unique among those of its type
  Value body = Value::object();
  std::string parent_argument;  // "environment_id"; "" for the environment itself
};

bool is_exported(const Family& family) {
  const bool is_data = family.machine == MachineKind::none || family.machine == MachineKind::service || family.machine == MachineKind::environment;
  return is_data && !family.is_internal && (family.verbs & static_cast<std::uint8_t>(Verb::create)) != 0;
}

// "my-api" as "my_api": what Terraform takes as a name.
std::string label_of(std::string_view name) {
  std::string label;
  for (const char letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    label += is_plain ? letter : letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : '_';
  }
  return label.empty() || (label.front() >= '0' && label.front() <= '9') ? "_" + label : label;
}

class Export {
 public:
  Export(Unit& unit, bool with_secrets) : unit_(unit), with_secrets_(with_secrets), prefix_(unit.settings().brand + "_") {}

  Result<void> add_tree(const Record& environment) {
    ORLOP_CHECK(add(environment, ""));
    return add_below(environment, *find_family(environment.family));
  }

  // References to what is exported too take the place of ids; what Terraform would interpolate is escaped.
  std::string text() {
    std::map<std::string, std::vector<const Exported*>> by_type;
    for (const Exported& each : all_) by_type[each.type].push_back(&each);
    Writer out;
    out.begin_object().key("resource").begin_object();
    for (const auto& [type, resources] : by_type) {
      out.key(type).begin_object();
      for (const Exported* each : resources) {
        out.key(each->label).begin_object();
        if (!each->parent_argument.empty()) out.field(each->parent_argument, linked(Value(to_text(each->record.parent))));
        for (const Member& member : each->body.members()) out.field(member.name.view(), linked(member.value));
        out.end_object();
      }
      out.end_object();
    }
    out.end_object().end_object();
    return std::move(out).take();
  }

 private:
  Result<void> add(const Record& record, std::string_view parent_argument) {
    const Family& family = *find_family(record.family);
    Record shown = record;
    if (!with_secrets_) shown.secrets.clear();
    ORLOP_TRY(body, as_request(family, shown));
    return put(record, std::string(family.name), name_of(record), std::move(body), parent_argument);
  }

  Result<void> put(const Record& record, std::string kind, std::string_view name, Value body, std::string_view parent_argument) {
    Exported exported{record, prefix_ + kind, label_of(name.empty() ? std::string_view(kind) : name), std::move(body), std::string(parent_argument)};
    const int number = ++labels_[exported.type + "." + exported.label];
    if (number > 1) exported.label += "_" + std::to_string(number);
    references_[to_text(record.id)] = "${" + exported.type + "." + exported.label + ".id}";
    all_.push_back(std::move(exported));
    return {};
  }

  Result<void> add_below(const Record& parent, const Family& family) {
    RecordRange range;
    range.key = parent.id;
    ORLOP_TRY(records, unit_.records(range));
    for (const Record& record : records) {
      const Family* child = find_family(record.family);
      if (child == nullptr) continue;
      if (record.family == variable_number) {
        ORLOP_CHECK(add_variable(record, family));
      } else if (is_exported(*child)) {
        ORLOP_CHECK(add(record, std::string(family.name) + "_id"));
        ORLOP_CHECK(add_below(record, *child));
      }
    }
    return {};
  }

  // Aliases and overrides name variables that the export may not hold: they are left out.
  Result<void> add_variable(const Record& record, const Family& owner) {
    Record shown = record;
    if (!with_secrets_) shown.secrets.clear();
    ORLOP_TRY(stored, full_value(shown));
    const std::string_view type = stored.text_or("variable_type", "");
    const bool is_secret = stored.boolean_or("is_secret", false);
    if ((type != "VALUE" && type != "FILE") || (is_secret && !with_secrets_)) return {};
    Value body = Value::object();
    for (const std::string_view member : {"key", "value", "is_secret", "mount_path", "description", "enable_interpolation_in_file"}) {
      if (stored.has(member)) body.set(member, *stored.find(member));
    }
    body.set("variable_scope", Value(owner.service_kind.empty() ? "ENVIRONMENT" : owner.service_kind));
    return put(record, "variable", stored.text_or("key", ""), std::move(body), "variable_parent_id");
  }

  Value linked(const Value& value) const {
    if (value.is_text()) return linked_text(value.as_text());
    if (value.is_list()) {
      Value list = Value::list();
      for (const Value& item : value.items()) list.append(linked(item));
      return list;
    }
    if (!value.is_object()) return value;
    Value object = Value::object();
    for (const Member& member : value.members()) object.add(member.name.view(), linked(member.value));
    return object;
  }

  Value linked_text(const std::string& text) const {
    if (const auto known = references_.find(text); known != references_.end()) return Value(known->second);
    std::string escaped;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const bool opens = (text[at] == '$' || text[at] == '%') && at + 1 < text.size() && text[at + 1] == '{';
      if (opens) escaped += text[at];
      escaped += text[at];
    }
    return Value(std::move(escaped));
  }

  Unit& unit_;
  bool with_secrets_;
  std::string prefix_;
  std::vector<Exported> all_;
  std::map<std::string, int> labels_;
  std::map<std::string, std::string> references_;
};

Result<Answer> export_environment(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  const bool with_secrets = query_flag(call, "exportSecrets");
  if (with_secrets) ORLOP_CHECK(require_level(unit, call, environment, Level::manage));
  Export made(unit, with_secrets);
  ORLOP_CHECK(made.add_tree(environment));
  Answer answer;
  answer.body = made.text();
  answer.type = ContentType::binary;
  return answer;
}

constexpr Field query[] = {boolean("exportSecrets", "Write the values of secrets into the file, which takes the permission to manage the environment. Default: false.").defaults_to(false)};

constexpr Operation operations[] = {{.path = "/environment/{environmentId}/terraformExport",
                                     .name = "export_environment_terraform",
                                     .handle = export_environment,
                                     .query = query,
                                     .summary = "Export an environment as a Terraform file",
                                     .about = "The file has Terraform's JSON syntax (`.tf.json`). Its resources are the environment, its stages and services with what lies below "
                                              "them, and their variables; the type of each is the name of the platform and of the resource, such as `platform_container`. Aliases "
                                              "and overrides of variables are left out, and so are secrets without `exportSecrets`.",
                                     .gives = ContentType::binary}};

}  // namespace

namespace operation_sets::environments {
extern const OperationSet terraform_export;
constexpr OperationSet terraform_export = {
    .operations = operations,
};
}  // namespace operation_sets::environments

}  // namespace orlop
