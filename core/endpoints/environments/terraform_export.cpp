// Export of an environment: its configuration as a Terraform file in JSON syntax, with a resource for each record that
// a create operation makes and for each stored document of settings.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "endpoints/environments/parts/stage_list.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/variables/parts/owner.h"
#include "model/registry.h"
#include "records/record_value.h"
#include "records/variables/visible_variables.h"
#include "records/verbs.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::environments::terraform_export {
namespace {

struct Exported {
  Id id;
  std::string type;   // "platform_container"
  std::string label;  // unique within its type
  Value arguments = Value::object();
};

bool is_exported(const Family& family) {
  if (family.is_internal) return false;
  const bool is_setting = family.path == PathForm::single || family.name == "environment_deployment_rule";
  const bool is_data = family.machine == MachineKind::none || family.machine == MachineKind::service ||
                       family.machine == MachineKind::environment;
  return is_setting || (is_data && (family.verbs & static_cast<std::uint8_t>(Verb::create)) != 0);
}

// Converts a name to a Terraform identifier: "my-api" to "my_api".
std::string label_of(std::string_view name) {
  std::string label;
  for (const char letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    label += is_plain ? letter : letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : '_';
  }
  return label.empty() || (label.front() >= '0' && label.front() <= '9') ? "_" + label : label;
}

// Ports and volumes get new ids where the file is applied; other ids in lists refer to records.
void drop_part_ids(const Family& family, Value& body) {
  for (const Field& field : family.fields) {
    Value* parts = field.kind == FieldKind::list && field.shape != nullptr ? body.find(field.name) : nullptr;
    if (parts == nullptr || !parts->is_list()) continue;
    const auto is_own_id = [](const Field& member) { return member.name == "id" && member.refers_to.empty(); };
    if (std::ranges::none_of(field.shape->fields, is_own_id)) continue;
    for (Value& part : parts->items()) part.erase("id");
  }
}

class Export {
 public:
  Export(Unit& unit, bool with_secrets)
      : unit_(unit), with_secrets_(with_secrets), prefix_(unit.settings().brand + "_") {}

  Result<void> add_tree(const Record& environment) {
    environment_ = environment.id;
    ORLOP_CHECK(add(environment, "project_id", environment.parent));
    ORLOP_CHECK(add_stages(environment.id));
    ORLOP_CHECK(add_below(environment, *find_family(environment.family)));
    // Added last, when all possible targets are known.
    for (const Linking& each : linking_) ORLOP_CHECK(add_link(each));
    return {};
  }

  // Returns the file. Ids of exported records are replaced by references; text that Terraform would interpolate is
  // escaped.
  std::string text() {
    Writer out;
    out.begin_object();
    write_block(out, "data", data_);
    write_block(out, "resource", all_);
    out.end_object();
    return std::move(out).take();
  }

 private:
  // Alias or override of a variable.
  struct Linking {
    Id id;
    Id owner;
    Id target;
    bool is_alias = false;
    std::string scope;
    Value stored;
  };

  void write_block(Writer& out, std::string_view name, const std::vector<Exported>& block) const {
    std::map<std::string, std::vector<const Exported*>> by_type;
    for (const Exported& each : block) by_type[each.type].push_back(&each);
    if (by_type.empty()) return;
    out.key(name).begin_object();
    for (const auto& [type, entries] : by_type) {
      out.key(type).begin_object();
      for (const Exported* each : entries) {
        out.key(each->label).begin_object();
        for (const Member& member : each->arguments.members()) out.field(member.name.view(), linked(member.value));
        out.end_object();
      }
      out.end_object();
    }
    out.end_object();
  }

  Result<void> add(const Record& record, std::string_view parent_argument, const Id& parent) {
    const Family& family = *find_family(record.family);
    Record shown = record;
    if (!with_secrets_) shown.secrets.clear();
    ORLOP_TRY(body, as_request(family, shown));
    drop_part_ids(family, body);
    Value arguments(Value::Object{{Name(std::string(parent_argument)), Value(to_text(parent))}});
    for (Member& member : body.members()) arguments.members().push_back(std::move(member));
    if (family.machine == MachineKind::service) ORLOP_CHECK(add_stage_of(record.id, arguments));
    const std::string name = name_of(record);
    put(all_, record.id, family.name, name.empty() ? family.name : std::string_view(name), std::move(arguments));
    return {};
  }

  Result<void> add_stage_of(const Id& service, Value& arguments) {
    ORLOP_TRY(machine, unit_.machine(service));
    if (!machine) return {};
    arguments.set("deployment_stage_id", Value(to_text(machine->stage)));
    if (has(machine->plan_flags, PlanFlag::skipped)) arguments.set("is_skipped", Value(true));
    return {};
  }

  // Each stage is placed after the one before it.
  Result<void> add_stages(const Id& environment) {
    ORLOP_TRY(stages, stages_of(unit_, environment));
    std::optional<Id> before;
    for (const Stage& stage : stages) {
      ORLOP_CHECK(add(stage.record, "environment_id", environment));
      if (before) all_.back().arguments.set("is_after", Value(to_text(*before)));
      before = stage.record.id;
    }
    return {};
  }

  void put(std::vector<Exported>& block, const Id& id, std::string_view kind, std::string_view name, Value arguments) {
    Exported exported{id, prefix_ + std::string(kind), label_of(name), std::move(arguments)};
    const std::string block_prefix = &block == &data_ ? "data." : "";
    const int number = ++labels_[block_prefix + exported.type + "." + exported.label];
    if (number > 1) exported.label += "_" + std::to_string(number);
    const std::string place = block_prefix + exported.type + "." + exported.label + ".id";
    references_[to_text(id)] = "${" + place + "}";
    if (block_prefix.empty())
      short_ids_[upper_case(to_text(id).substr(0, short_id_size))] = "${upper(substr(" + place + ", 0, 8))}";
    block.push_back(std::move(exported));
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
      } else if (is_exported(*child) && record.family != stage_family().number) {
        ORLOP_CHECK(add(record, std::string(family.name) + "_id", parent.id));
        ORLOP_CHECK(add_below(record, *child));
      }
    }
    return {};
  }

  // Returns the label of a variable; in a service's built-in the service's name replaces its id.
  static std::string label_of_named(const NamedVariable& variable) {
    std::string label = variable.key;
    const std::string short_id = upper_case(to_text(variable.owner.id).substr(0, short_id_size));
    if (const std::size_t at = label.find("_Z" + short_id); at != std::string::npos)
      label.replace(at + 1, 1 + short_id_size, name_of(variable.owner));
    return label;
  }

  static void copy_members(const Value& from, std::initializer_list<std::string_view> names, Value& into) {
    for (const std::string_view name : names) {
      if (from.has(name)) into.set(name, *from.find(name));
    }
  }

  // Skips secrets without their value, which cannot be created.
  Result<void> add_variable(const Record& record, const Family& owner) {
    Record shown = record;
    if (!with_secrets_) shown.secrets.clear();
    ORLOP_TRY(stored, full_value(shown));
    const std::string scope(owner.service_kind.empty() ? "ENVIRONMENT" : owner.service_kind);
    const bool is_alias = stored.text_or("variable_type", "") == "ALIAS";
    if (stored.boolean_or("is_secret", false) && !with_secrets_ && !is_alias) return {};
    if (const auto target = parse_id(stored.text_or("target_id", ""))) {
      linking_.push_back({record.id, record.parent, *target, is_alias, scope, std::move(stored)});
      return {};
    }
    Value arguments(Value::Object{{"variable_parent_id", Value(to_text(record.parent))}});
    copy_members(stored,
                 {"key", "value", "is_secret", "mount_path", "description", "enable_interpolation_in_file",
                  "secret_manager_access_id"},
                 arguments);
    arguments.set("variable_scope", Value(scope));
    put(all_, record.id, "variable", stored.text_or("key", ""), std::move(arguments));
    return {};
  }

  // A target in the project, or a built-in, becomes a data source. The environment sees the built-ins of all its
  // services.
  Result<void> add_link(const Linking& link) {
    if (!references_.contains(to_text(link.target))) {
      ORLOP_TRY(found, require_variable(unit_, link.target));
      const bool is_of_project = find_family(found.owner.family)->name == "project";
      Value arguments(
          Value::Object{{"scope", Value(is_of_project ? "PROJECT" : "ENVIRONMENT")}, {"key", Value(found.key)}});
      arguments.set("parent_id", Value(to_text(is_of_project ? found.owner.id : environment_)));
      put(data_, link.target, "variable", label_of_named(found), std::move(arguments));
    }
    Value arguments(Value::Object{{"variable_id", Value(to_text(link.target))}});
    copy_members(link.stored,
                 link.is_alias
                     ? std::initializer_list<std::string_view>{"key", "description", "enable_interpolation_in_file"}
                     : std::initializer_list<std::string_view>{"value", "description", "enable_interpolation_in_file"},
                 arguments);
    const std::string name = link.is_alias ? "alias" : "override";
    arguments.set(name + "_scope", Value(link.scope));
    arguments.set(name + "_parent_id", Value(to_text(link.owner)));
    put(all_, link.id, "variable_" + name, link.stored.text_or("key", ""), std::move(arguments));
    return {};
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
    return Value(with_built_ins(std::move(escaped)));
  }

  // Keys of a service's built-ins contain the first digits of its id, as in PLATFORM_CONTAINER_Z0B1C2D3E_HOST_INTERNAL.
  std::string with_built_ins(std::string text) const {
    constexpr std::string_view mark = "_Z";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + mark.size())) {
      const auto known = short_ids_.find(text.substr(at + mark.size(), short_id_size));
      if (known != short_ids_.end()) text.replace(at + mark.size(), short_id_size, known->second);
    }
    return text;
  }

  static std::string upper_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char letter) {
      return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    });
    return text;
  }

  static constexpr std::size_t short_id_size = 8;

  Unit& unit_;
  bool with_secrets_;
  std::string prefix_;
  Id environment_;
  std::vector<Exported> data_;
  std::vector<Exported> all_;
  std::vector<Linking> linking_;
  std::map<std::string, std::string> short_ids_;
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

constexpr Field query[] = {boolean("exportSecrets",
                                   "Write the values of secrets into the file, which takes the permission to manage "
                                   "the environment. Default: false.")
                               .defaults_to(false)};

constexpr Operation operations[] = {{.path = "/environment/{environmentId}/terraformExport",
                                     .name = "export_environment_terraform",
                                     .handle = export_environment,
                                     .query = query,
                                     .summary = "Export an environment as a Terraform file",
                                     .about = "The file has Terraform's JSON syntax (`.tf.json`). Its resources are "
                                              "the environment, its stages and services with what lies below "
                                              "them, their settings as far as they were set, and their variables with "
                                              "aliases and overrides; the type of each is the name of the "
                                              "platform and of the resource, such as `platform_container`. A variable "
                                              "from elsewhere that one of them names is a data source. "
                                              "Secrets are left out without `exportSecrets`.",
                                     .gives = ContentType::binary}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::environments::terraform_export
