#include "operations/variables/parts/render.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "ops/variables/variable_text.h"
#include "ops/verbs.h"
#include "wire/json.h"
#include "wire/member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// What an alias or override says of the variable that it names: JSON texts.
struct Named {
  Id id;
  std::string key = "\"\"";
  std::string value = "null";
  std::string mount_path = "\"\"";
  std::string_view scope = "\"BUILT_IN\"";
  std::string type = "\"BUILT_IN\"";
};

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

Named named_of(const BuiltIn& built_in) {
  Named named;
  named.id = built_in_id(built_in.owner, built_in.kind);
  named.key = quoted(built_in.key);
  if (!built_in.is_secret) named.value = quoted(built_in.value);
  return named;
}

// The views in it are of the record.
Named named_of(const Record& record) {
  Named named;
  named.id = record.id;
  RawMembers members(record.body);
  for (std::string_view name, raw; members.next(name, raw);) {
    if (name == "key") named.key = raw;
    if (name == "value") named.value = raw;
    if (name == "mount_path" && raw != "null") named.mount_path = raw;
    if (name == "scope") named.scope = raw;
    if (name == "variable_type") named.type = raw;
  }
  return named;
}

bool is_link(VariableType type) { return type == VariableType::alias || type == VariableType::override_; }

void write_named(Writer& out, std::string_view member, const Named& named, VariableForm form) {
  out.key(member).begin_object().field("id", named.id).field_raw("key", named.key);
  if (form != VariableForm::secret) out.field_raw("value", form == VariableForm::environment && named.value == "null" ? "\"\"" : named.value);
  out.field_raw("mount_path", named.mount_path).field_raw("scope", named.scope).field_raw("variable_type", named.type).end_object();
}

std::string_view link_member(VariableType type, VariableForm form) {
  if (form == VariableForm::secret) return type == VariableType::alias ? "aliased_secret" : "overridden_secret";
  return type == VariableType::alias ? "aliased_variable" : "overridden_variable";
}

bool is_left_out(std::string_view name, VariableForm form) {
  if (name == "target_id") return true;
  if (form == VariableForm::unified) return false;
  if (name == "is_secret") return true;
  return form == VariableForm::secret && (name == "value" || name == "mount_path" || name == "secret_manager_access_id");
}

// What every variable of an owner says of it: `,"service_id":…`; "" for what is no service.
std::string service_text(const Record& owner) {
  const Family* family = find_family(owner.family);
  if (family == nullptr || !is_service(*family)) return {};
  Writer out;
  out.begin_object().field("service_id", owner.id).field("service_name", std::string_view(name_of(owner)));
  out.field("service_type", family->service_kind).end_object();
  std::string text = std::move(out).take();
  text.front() = ',';
  text.pop_back();
  return text;
}

// Appends the object, but for its closing brace.
void write_record(Writer& out, const Record& record, VariableType type, const Named* target, VariableForm form) {
  out.begin_object();
  RawMembers members(record.body);
  for (std::string_view name, raw; members.next(name, raw);) {
    if (is_left_out(name, form)) continue;
    const bool is_key_of_target = name == "value" && type == VariableType::alias && target != nullptr;
    out.field_raw(name, is_key_of_target ? std::string_view(target->key) : raw);
  }
  if (target != nullptr) write_named(out, link_member(type, form), *target, form);
}

void write_built_in(Writer& out, const BuiltIn& built_in, VariableForm form, const std::string& service) {
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
  out.field("enable_interpolation_in_file", false).field("scope", "BUILT_IN");
  if (form == VariableForm::unified) out.field("is_secret", built_in.is_secret);
  out.field("variable_type", "BUILT_IN");
  std::string text = std::move(out).take();
  text += service;
  text += '}';
  out = Writer();
  out.raw(text);
}

// One list: what is visible, in its order, as texts.
class Lister {
 public:
  Lister(VariableForm form, std::optional<bool> is_secret) : form_(form), is_secret_(is_secret) {}

  Result<void> read(Unit& unit, const VariableOwners& owners) {
    ORLOP_TRY(built_ins, visible_built_ins(unit, owners, false));
    built_ins_ = std::move(built_ins);
    for (const Record& owner : owners.records) {
      ORLOP_TRY(own, own_variables(unit, owner.id));
      groups_.push_back({service_text(owner), std::move(own)});
    }
    return {};
  }

  Result<std::vector<std::string>> texts(Unit& unit) {
    std::vector<std::string> texts;
    std::unordered_map<Id, std::string> services;
    for (const BuiltIn& built_in : built_ins_) {
      if (is_secret_ && *is_secret_ != built_in.is_secret) continue;
      const auto [service, is_new] = services.try_emplace(built_in.owner);
      if (is_new) {
        ORLOP_TRY(owner, unit.record(built_in.owner));
        if (owner) service->second = service_text(*owner);
      }
      Writer out(384);
      write_built_in(out, built_in, form_, service->second);
      texts.push_back(std::move(out).take());
    }
    for (const Group& group : groups_) {
      for (const Record& record : group.records) ORLOP_CHECK(add(record, group.service, texts));
    }
    return texts;
  }

 private:
  struct Group {
    std::string service;
    std::vector<Record> records;
  };

  Result<void> add(const Record& record, const std::string& service, std::vector<std::string>& texts) {
    const auto end = end_of_text(record.body);
    if (!end) return make_error(ErrorCode::storage_corrupt, "the store holds a variable whose text the library did not write");
    if (is_secret_ && *is_secret_ != end->is_secret) return {};
    const bool is_as_stored = form_ == VariableForm::unified && !is_link(end->type);
    std::string text;
    if (is_as_stored) {
      text.reserve(record.body.size() + service.size());
      text.append(record.body, 0, record.body.size() - 1);
    } else {
      Writer out(record.body.size() + 384);
      const Named* target = is_link(end->type) ? target_of(record) : nullptr;
      write_record(out, record, end->type, target, form_);
      text = std::move(out).take();
    }
    text.append(service).push_back('}');
    texts.push_back(std::move(text));
    return {};
  }

  const Named* target_of(const Record& record) {
    if (targets_.empty()) index_targets();
    const std::string_view raw = raw_member(record.body, "target_id");
    const auto id = raw.size() > 2 ? parse_id(raw.substr(1, raw.size() - 2)) : std::nullopt;
    const auto found = id ? targets_.find(*id) : targets_.end();
    return found == targets_.end() ? nullptr : &found->second;
  }

  void index_targets() {
    for (const BuiltIn& built_in : built_ins_) {
      Named named = named_of(built_in);
      targets_.emplace(named.id, std::move(named));
    }
    for (const Group& group : groups_) {
      for (const Record& record : group.records) targets_.emplace(record.id, named_of(record));
    }
  }

  VariableForm form_;
  std::optional<bool> is_secret_;
  std::vector<BuiltIn> built_ins_;
  std::vector<Group> groups_;  // by owner
  std::unordered_map<Id, Named> targets_;
};

}  // namespace

Result<Answer> list_variables(Unit& unit, const Call& call, const VariableOwners& owners, VariableForm form, std::optional<bool> is_secret) {
  Lister lister(form, is_secret);
  ORLOP_CHECK(lister.read(unit, owners));
  ORLOP_TRY(texts, lister.texts(unit));
  return page_of_texts(call, texts);
}

Result<std::string> render_variable(Unit& unit, const Record& variable, VariableForm form) {
  ORLOP_TRY(owner, unit.record(variable.parent));
  const auto end = end_of_text(variable.body);
  if (!owner || !end) return not_found("variable", variable.id);
  std::optional<Named> target;
  std::optional<Record> target_record;  // that the views of `target` belong to
  if (is_link(end->type)) {
    ORLOP_TRY(content, content_of(variable));
    ORLOP_TRY(record, unit.record(content.target));
    if (record) {
      target_record = std::move(*record);
      target = named_of(*target_record);
    } else {
      ORLOP_TRY(named, require_variable(unit, content.target));
      ORLOP_TRY(made, built_ins_of(unit, named.owner, false));
      const auto found = std::ranges::find(made, named.key, &BuiltIn::key);
      if (found != made.end()) target = named_of(*found);
    }
  }
  Writer out(variable.body.size() + 512);
  write_record(out, variable, end->type, target ? &*target : nullptr, form);
  std::string text = std::move(out).take();
  return text.append(service_text(*owner)).append("}");
}

}  // namespace orlop
