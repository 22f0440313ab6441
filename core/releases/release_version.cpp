#include "releases/release_version.h"

#include <initializer_list>
#include <string_view>

#include "releases/find_git_repository.h"

namespace orlop {
namespace {

void copy_text(Value& version, std::string_view name, const Value& from, std::string_view member) {
  const std::string_view text = from.text_or(member, "");
  if (!text.empty()) version.set(name, Value(text));
}

// A chart of a record is in `repository`, that of a request in `helm_repository`.
const Value* find_chart(const Value& service) {
  const Value* const repository = service.find_path({"source", "repository"});
  return repository != nullptr ? repository : service.find_path({"source", "helm_repository"});
}

}  // namespace

Value version_of(const Value& service) {
  Value version = Value::object();
  const Value* const image = service.find_path({"source", "image"});
  for (const std::string_view name : {"image_name", "tag"}) copy_text(version, name, image ? *image : service, name);
  if (const Value* const chart = find_chart(service)) {
    for (const std::string_view name : {"chart_name", "chart_version"}) copy_text(version, name, *chart, name);
  }
  if (const Value* const repository = find_git_repository(service)) {
    copy_text(version, "git_url", *repository, "url");
    copy_text(version, "git_branch", *repository, "branch");
    copy_text(version, "git_commit_id", *repository, "deployed_commit_id");
  }
  copy_text(version, "git_commit_id", service, "git_commit_id");
  if (service.text_or("service_type", "") == "DATABASE" || service.find("accessibility") != nullptr) {
    copy_text(version, "engine", service, "type");
    copy_text(version, "engine_version", service, "version");
  }
  return version;
}

}  // namespace orlop
