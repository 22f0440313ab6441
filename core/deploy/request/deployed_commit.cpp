#include "deploy/request/deployed_commit.h"

#include <cstddef>
#include <utility>

#include "base/instant.h"
#include "model/registry.h"
#include "model/validate.h"
#include "releases/find_git_repository.h"
#include "unit/store_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct CommitPart {
  std::string_view output;  // name in the outputs of a step
  std::string_view member;  // name in the repository
};
constexpr CommitPart parts[] = {
    {"git_commit_id", "deployed_commit_id"},
    {"git_commit_date", "deployed_commit_date"},
    {"git_commit_author", "deployed_commit_contributor"},
    {"git_commit_tag", "deployed_commit_tag"},
};

constexpr std::size_t part_size_max = 255;

bool is_usable(const CommitPart& part, std::string_view text) {
  if (text.empty() || text.size() > part_size_max) return false;
  return part.output != "git_commit_date" || parse_instant(text).has_value();
}

Value commit_used(StateTransition& service, const Value* overrides) {
  Value commit = Value::object();
  if (!service.detail().commit.empty()) {
    if (auto said = parse_stored(service.detail().commit)) return std::move(*said);
  }
  const std::string_view asked = overrides == nullptr ? std::string_view() : overrides->text_or("git_commit_id", "");
  if (!asked.empty()) commit.set("git_commit_id", Value(asked));
  return commit;
}

// Returns whether the repository has changed.
bool put_commit(Value& repository, const Value& commit) {
  bool has_changed = false;
  for (const CommitPart& part : parts) {
    const std::string_view now = commit.text_or(part.output, "");
    if (repository.text_or(part.member, "") == now) continue;
    has_changed = true;
    if (now.empty()) {
      repository.erase(part.member);
    } else {
      repository.set(part.member, Value(now));
    }
  }
  return has_changed;
}

}  // namespace

Value* repository_of(Value& service) { return find_git_repository(service); }

const Value* repository_of(const Value& service) { return find_git_repository(service); }

std::string commit_in(std::string_view outputs) {
  if (outputs.find("git_commit_id") == std::string_view::npos) return {};
  const auto given = parse_json(outputs);
  if (!given || !is_usable(parts[0], given->text_or(parts[0].output, ""))) return {};
  Writer out;
  out.begin_object();
  for (const CommitPart& part : parts) {
    const std::string_view text = given->text_or(part.output, "");
    if (is_usable(part, text)) out.field(part.output, text);
  }
  out.end_object();
  return std::move(out).take();
}

Result<void> store_deployed_commit(Unit& unit, StateTransition& service, const Value* overrides) {
  if (!has(service.machine().plan_flags, PlanFlag::has_git)) return {};
  ORLOP_TRY(record, unit.record(service.machine().id));
  const Family* family = record ? find_family(record->family) : nullptr;
  if (family == nullptr) return {};
  ORLOP_TRY(body, parse_stored(record->body));
  Value* repository = repository_of(body);
  if (repository == nullptr || !put_commit(*repository, commit_used(service, overrides))) return {};
  arrange(family->fields, body);
  Record edited = *record;
  edited.body = to_json(body);
  emit_edited(unit, edited);
  unit.put(std::move(edited));
  return {};
}

}  // namespace orlop
