#include "endpoints/variables/parts/texts.h"

#include <utility>

#include "model/registry.h"
#include "unit/unique_name.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

void write_named(Writer& out, std::string_view member, const Named& named, VariableForm form) {
  out.key(member).begin_object().field("id", named.id).field_raw("key", named.key);
  if (form != VariableForm::secret)
    out.field_raw("value", form == VariableForm::environment && named.value == "null" ? "\"\"" : named.value);
  out.field_raw("mount_path", named.mount_path).field_raw("scope", named.scope).field_raw("variable_type", named.type);
  if (form == VariableForm::secret)
    out.field_raw("description", named.description).field_raw("enable_interpolation_in_file", named.interpolates_file);
  out.end_object();
}

std::string_view link_member(VariableType type, VariableForm form) {
  if (form == VariableForm::secret) return type == VariableType::alias ? "aliased_secret" : "overridden_secret";
  return type == VariableType::alias ? "aliased_variable" : "overridden_variable";
}

bool is_left_out(std::string_view name, VariableForm form) {
  if (name == "target_id" || name.starts_with("service_")) return true;  // service members are appended later
  if (form == VariableForm::unified) return false;
  if (name == "is_secret") return true;
  return form == VariableForm::secret &&
         (name == "value" || name == "mount_path" || name == "secret_manager_access_id");
}

}  // namespace

Named named_of(const BuiltIn& built_in) {
  Named named;
  named.id = built_in_id(built_in.owner, built_in.kind);
  named.key = quoted(built_in.key);
  if (!built_in.is_secret) named.value = quoted(built_in.value);
  return named;
}

Named named_of(const Id& id, std::string_view body) {
  Named named;
  named.id = id;
  RawMembers members(body);
  for (std::string_view name, raw; members.next(name, raw);) {
    if (name == "key") named.key = raw;
    if (name == "value") named.value = raw;
    if (name == "mount_path" && raw != "null") named.mount_path = raw;
    if (name == "scope") named.scope = raw;
    if (name == "variable_type") named.type = raw;
    if (name == "description") named.description = raw;
    if (name == "enable_interpolation_in_file") named.interpolates_file = raw;
  }
  return named;
}

bool is_link(VariableType type) { return type == VariableType::alias || type == VariableType::override_; }

std::string service_text(const Record& owner) {
  const Family* family = find_family(owner.family);
  const bool is_workflow = family != nullptr && family->name == "agentic_workflow";
  if (family == nullptr || !(is_service(*family) || is_workflow)) return {};
  Writer out;
  out.begin_object().field("service_id", owner.id).field("service_name", std::string_view(name_of(owner)));
  if (!is_workflow) out.field("service_type", family->service_kind);  // service_type has no value for workflows
  out.end_object();
  std::string text = std::move(out).take();
  text.front() = ',';
  text.pop_back();
  return text;
}

void write_stored(Writer& out, std::string_view body, VariableType type, const Named* target, VariableForm form) {
  out.begin_object();
  RawMembers members(body);
  for (std::string_view name, raw; members.next(name, raw);) {
    if (is_left_out(name, form)) continue;
    const bool is_key_of_target = name == "value" && type == VariableType::alias && target != nullptr;
    out.field_raw(name, is_key_of_target ? std::string_view(target->key) : raw);
  }
  if (target != nullptr) write_named(out, link_member(type, form), *target, form);
}

void write_built_in(Writer& out, const BuiltIn& built_in, VariableForm form, std::string_view service) {
  const Id id = built_in_id(built_in.owner, built_in.kind);
  const Instant created_at = created_at_of(built_in.owner);
  out.begin_object().field("id", id).field("created_at", created_at).field("updated_at", created_at);
  out.field("key", std::string_view(built_in.key));
  if (form != VariableForm::secret) {
    out.key("value");
    if (built_in.is_secret) {
      out.null();
    } else {
      out.value(std::string_view(built_in.value));
    }
    out.field_null("mount_path");
  }
  out.field("description", "").field("enable_interpolation_in_file", false).field("scope", "BUILT_IN");
  if (form == VariableForm::unified) out.field("is_secret", built_in.is_secret);
  out.field("variable_type", "BUILT_IN");
  std::string text = std::move(out).take();
  text += service;
  text += '}';
  out = Writer();
  out.raw(text);
}

}  // namespace orlop
