#include "endpoints/services/parts/deploy_body.h"

#include <string_view>

#include "deploy/request/deployed_commit.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_kind.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop {
namespace {

void copy_text(const Value& body, std::string_view name, Value& overrides) {
  const Value* given = body.find(name);
  if (given != nullptr && given->is_text()) overrides.set(name, *given);
}

Result<void> edit_tag(Unit& unit, const Family& family, const Record& service, const Value& body) {
  if (!body.has("image_tag")) return {};
  ORLOP_TRY(request, as_request(family, service));
  request.set("tag", *body.find("image_tag"));
  if (auto edited = edit_record(unit, family, service, request); !edited) return std::move(edited).error();
  return {};
}

Result<void> edit_job_tag(Unit& unit, const Family& family, const Record& service, const Value& body) {
  const bool has_tag = body.has("image_tag");
  const bool has_commit = body.has("git_commit_id");
  if (has_tag && has_commit) return invalid_field("image_tag", "cannot be given together with git_commit_id");
  if (!has_tag && !has_commit) return {};
  ORLOP_TRY(request, as_request(family, service));
  Value* source = request.find("source");
  Value* image = source == nullptr ? nullptr : source->find("image");
  const bool is_image = image != nullptr && image->is_object();
  if (has_tag && !is_image) return invalid_field("image_tag", "needs a job that is made of an image");
  if (has_commit && is_image) return invalid_field("git_commit_id", "needs a job that is built from a repository");
  if (!has_tag) return {};
  image->set("tag", *body.find("image_tag"));
  if (auto edited = edit_record(unit, family, service, request); !edited) return std::move(edited).error();
  return {};
}

}  // namespace

Value overrides_of_redeployment(const Value& service) {
  const Value* repository = repository_of(service);
  const std::string_view commit =
      repository == nullptr ? std::string_view() : repository->text_or("deployed_commit_id", "");
  return commit.empty() ? Value() : Value(Value::Object{{"git_commit_id", Value(commit)}});
}

Value overrides_of_removal(const Call& call) {
  Value overrides;
  const std::string_view forced = query_text(call, "force_terraform_action");
  if (!forced.empty()) overrides.set("force_terraform_action", Value(forced));
  if (query_flag(call, "resources_only")) overrides.set("resources_only", Value(true));
  return overrides;
}

void set_overrides(Order& order, const Id& service, const Value& overrides) {
  if (overrides.is_null()) return;
  order.overrides = Writer().begin_object().field(to_text(service), overrides).end_object().text();
}

Result<Value> apply_deploy_body(Unit& unit, const Family& family, const Record& service, const Value& body) {
  Value overrides;
  switch (names_of_kind(family)->kind) {
    case ServiceKind::application: copy_text(body, "git_commit_id", overrides); break;
    case ServiceKind::container: ORLOP_CHECK(edit_tag(unit, family, service, body)); break;
    case ServiceKind::job:
      ORLOP_CHECK(edit_job_tag(unit, family, service, body));
      copy_text(body, "git_commit_id", overrides);
      break;
    case ServiceKind::helm:
      for (const std::string_view name : {"chart_version", "git_commit_id", "values_override_git_commit_id"}) {
        copy_text(body, name, overrides);
      }
      break;
    case ServiceKind::terraform:
      copy_text(body, "git_commit_id", overrides);
      copy_text(body, "action", overrides);
      break;
    case ServiceKind::database:
    case ServiceKind::argocd_app: break;
  }
  return overrides;
}

}  // namespace orlop
