#include "releases/configuration_digest.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text/digest.h"
#include "releases/find_git_repository.h"
#include "resolution/built_in.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Members of any record that do not change what runs.
constexpr std::string_view notes[] = {"created_at", "updated_at", "description", "icon_uri", "metadata"};

// Members of a step's configuration that do not, besides the notes: records above the subject, the order of deployment,
// limits of the form, and what decides when, from which commit and with which image to deploy.
constexpr std::string_view left_out[] = {
    "environment", "project",       "organization",   "cluster",     "deployment_stage", "revision",
    "maximum_cpu", "maximum_gpu",   "maximum_memory", "auto_deploy", "auto_preview",     "environment_id",
    "rollback_of", "git_commit_id", "image_digest",   "addresses",
};

// Members of a git repository that a deployment writes back.
constexpr std::string_view deployed[] = {"deployed_commit_id", "deployed_commit_date", "deployed_commit_contributor",
                                         "deployed_commit_tag"};

constexpr std::string_view host_members[] = {"host", "port"};  // of a database

template <typename Names>
void erase_members(Value& record, const Names& names) {
  if (!record.is_object()) return;
  std::erase_if(record.members(), [&](const Member& member) {
    return std::ranges::any_of(names, [&](std::string_view name) { return member.name == name; });
  });
}

Value sorted(const Value& value) {
  if (value.is_list()) {
    Value::List items;
    items.reserve(value.items().size());
    for (const Value& item : value.items()) items.push_back(sorted(item));
    return Value(std::move(items));
  }
  if (!value.is_object()) return value;
  Value::Object members;
  members.reserve(value.members().size());
  for (const Member& member : value.members()) members.emplace_back(Name(member.name), sorted(member.value));
  std::ranges::sort(members, {}, [](const Member& member) { return member.name.view(); });
  return Value(std::move(members));
}

}  // namespace

Value released_part(Value configuration) {
  if (!configuration.is_object()) return Value::object();
  erase_members(configuration, notes);
  erase_members(configuration, left_out);
  if (Value* const references = configuration.find("references"); references != nullptr && references->is_object()) {
    for (Member& reference : references->members()) erase_members(reference.value, notes);
  }
  // Records below the subject: domains and the like.
  for (Member& member : configuration.members()) {
    if (!member.value.is_list()) continue;
    for (Value& item : member.value.items()) {
      if (item.is_object() && item.find("id") != nullptr) erase_members(item, notes);
    }
  }
  if (Value* const repository = find_git_repository(configuration)) erase_members(*repository, deployed);
  return configuration;
}

Value without_own_addresses(Value released) {
  const auto id = parse_id(released.text_or("id", ""));
  if (!id) return released;
  if (released.find("accessibility") != nullptr) erase_members(released, host_members);
  Value* const variables = released.find("variables");
  if (variables == nullptr || !variables->is_list()) return released;
  const std::string mark = built_in_mark(*id);
  std::erase_if(variables->items(), [&](const Value& variable) {
    return variable.text_or("key", "").find(mark) != std::string_view::npos;
  });
  return released;
}

std::string digest_of(const Value& released) {
  return "sha256:" + to_hex(sha256(canonical_json(without_own_addresses(released))));
}

std::string canonical_json(const Value& value) { return to_json(sorted(value)); }

}  // namespace orlop
