#include "workloads/planned_image.h"

#include <string>
#include <string_view>

#include "workloads/planned_runtime.h"

namespace orlop {
namespace {

constexpr std::string_view version_mark = "{version}";

// Returns "ghcr.io" of "https://ghcr.io/": the part of a reference before the image's name. A path of the address
// belongs to it, as in "registry.example.com/team".
std::string server_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  while (url.ends_with('/')) url.remove_suffix(1);
  return std::string(url);
}

const Value* reference_of(const Workload& workload, std::string_view id) {
  const Value* references = workload.configuration.find("references");
  return references == nullptr || id.empty() ? nullptr : references->find(id);
}

// Returns {"kind", "server"} and the login that the kind needs; null for a registry without credentials. A kind whose
// password is a token of a cloud has "token_helper" and the members of its config that the helper reads.
Value credentials_of(const Workload& workload, const Value& source) {
  const Value* const registry = reference_of(workload, source.text_or("registry_id", ""));
  const Value* const config = registry == nullptr ? nullptr : registry->find("config");
  if (config == nullptr || config->members().empty()) return {};
  const std::string_view kind = registry->text_or("kind", "");
  Value credentials = Value::object();
  credentials.set("kind", Value(kind));
  credentials.set("server", Value(server_of(registry->text_or("url", ""))));
  if (config->has("username") || config->has("password")) {
    credentials.set("username", Value(config->text_or("username", "")));
    credentials.set("password", Value(config->text_or("password", "")));
  } else if (kind == "SCALEWAY_CR") {
    credentials.set("username", Value("nologin"));
    credentials.set("password", Value(config->text_or("scaleway_secret_key", "")));
  } else if (kind == "GCP_ARTIFACT_REGISTRY" && config->has("json_credentials")) {
    credentials.set("username", Value("_json_key"));
    credentials.set("password", Value(config->text_or("json_credentials", "")));
  } else if (kind == "ECR" || kind == "GCP_ARTIFACT_REGISTRY" || kind == "AZURE_CR") {
    credentials.set("token_helper", Value(kind));
    credentials.set("config", *config);
  } else {
    return {};
  }
  return credentials;
}

std::string with_tag(std::string_view name, std::string_view tag) {
  const bool is_digest = tag.starts_with("sha256:");
  std::string reference(name);
  if (!tag.empty()) reference.append(is_digest ? "@" : ":").append(tag);
  return reference;
}

Value platform_of(const Workload& workload) {
  const std::string_view architecture = workload.configuration.text_or("cpu_architecture", "");
  if (architecture.empty()) return {};
  std::string lower(architecture);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return Value("linux/" + lower);
}

// A tag that moves is compared with the registry at each deployment, others are pulled once.
std::string_view pull_of(std::string_view tag) { return tag.empty() || tag == "latest" ? "newer" : "missing"; }

Value registry_image(const Workload& workload, const Value& source) {
  const Value* const registry = source.find("registry");
  const std::string server = registry == nullptr ? "" : server_of(registry->text_or("url", ""));
  const std::string_view tag = source.text_or("tag", "");
  std::string name(source.text_or("image_name", ""));
  // Docker Hub keeps its own images in "library".
  if (server == "docker.io" && name.find('/') == std::string::npos) name.insert(0, "library/");
  // A roll-back names the image of its release.
  const std::string_view digest = workload.configuration.text_or("image_digest", "");
  const std::string_view version = digest.empty() ? tag : digest;
  return Value(Value::Object{{"reference", Value(with_tag(server.empty() ? name : server + "/" + name, version))},
                             {"pull", Value(pull_of(version))},
                             {"platform", platform_of(workload)},
                             {"credentials", credentials_of(workload, source)}});
}

Result<Value> database_image(const Workload& workload) {
  const std::string_view type = workload.configuration.text_or("type", "");
  const std::string_view version = workload.configuration.text_or("version", "");
  std::string reference(workload.options.images.text_or(type, ""));
  if (reference.empty() || version.empty()) {
    return invalid("the database must have a type of POSTGRESQL, MYSQL, MONGODB or REDIS and a version, not \"" +
                   std::string(type) + "\" and \"" + std::string(version) + "\"");
  }
  const std::size_t at = reference.find(version_mark);
  if (at != std::string::npos) reference.replace(at, version_mark.size(), version);
  return Value(Value::Object{{"reference", Value(std::move(reference))},
                             {"pull", Value("missing")},
                             {"platform", Value()},
                             {"credentials", Value()}});
}

std::string_view user_of_provider(std::string_view provider) {
  if (provider == "GITLAB") return "oauth2";
  return provider == "BITBUCKET" ? "x-token-auth" : "x-access-token";
}

// Build arguments are kept in the image's history, so that secrets are none: their names only explain a build that
// misses one.
void set_arguments(const Workload& workload, Value& build) {
  Value arguments = Value::object();
  Value secret_names = Value::list();
  if (const Value* variables = workload.configuration.find("variables"); variables != nullptr) {
    for (const Value& variable : variables->items()) {
      if (variable.has("mount_path")) continue;
      if (variable.boolean_or("is_secret", false)) secret_names.append(Value(variable.text_or("key", "")));
      else arguments.set(variable.text_or("key", ""), Value(variable.text_or("value", "")));
    }
  }
  build.set("arguments", std::move(arguments));
  build.set("secret_arguments", std::move(secret_names));
}

Value build_of(const Workload& workload, const Value& source) {
  constexpr std::int64_t timeout_default = 1800;
  const Value& settings = settings_of(workload);
  const auto nullable = [&](std::string_view name) {
    return source.has(name) ? Value(source.text_or(name, "")) : Value();
  };
  Value build(Value::Object{
      {"source", git_source_of(workload, source.find("git_repository"))},
      {"dockerfile_path", Value(source.text_or("dockerfile_path", "Dockerfile"))},
      {"dockerfile_raw", nullable("dockerfile_raw")},
      {"target", nullable("docker_target_build_stage")},
      {"repository", Value("localhost/" + workload.options.brand + "/" + workload.name)},
      {"timeout_seconds", Value(settings.integer_or("build.timeout_max_sec", timeout_default))},
      {"uses_cache", Value(!settings.boolean_or("build.disable_buildkit_cache", false))},
      {"platform", platform_of(workload)},
  });
  set_arguments(workload, build);
  return build;
}

// The build of a folder of the machine: its arguments are those of the runtime.
Value folder_build(const Workload& workload, const Value& given) {
  Value build = build_of(workload, given);
  build.set("source", Value());
  build.set("folder", Value(given.text_or("context", "")));
  const std::string_view known = workload.configuration.text_or("image_digest", "");
  build.set("image", known.empty() ? Value() : Value(known));
  build.set("dockerfile_path", Value(given.text_or("dockerfile", "Dockerfile")));
  build.set("target", given.has("target") ? Value(given.text_or("target", "")) : Value());
  const Value* const arguments = given.find("args");
  build.set("arguments", arguments == nullptr ? Value::object() : *arguments);
  build.set("secret_arguments", Value::list());
  return build;
}

}  // namespace

Value git_source_of(const Workload& workload, const Value* repository) {
  if (repository == nullptr || !repository->is_object()) return {};
  const Value* const token = reference_of(workload, repository->text_or("git_token_id", ""));
  Value access;
  if (token != nullptr) {
    access = Value(Value::Object{{"username", Value(user_of_provider(token->text_or("type", "")))},
                                 {"password", Value(token->text_or("token", ""))}});
  }
  const std::string_view commit = workload.configuration.text_or("git_commit_id", "");
  return Value(Value::Object{
      {"url", Value(repository->text_or("url", ""))},
      {"branch", Value(repository->text_or("branch", ""))},
      {"commit", commit.empty() ? Value() : Value(commit)},
      {"root_path", Value(repository->text_or("root_path", "/"))},
      {"access", std::move(access)},
      {"submodules", Value(!settings_of(workload).boolean_or("build.skip_git_submodules", false))},
  });
}

Result<PlannedImage> image_of(Workload& workload) {
  PlannedImage planned;
  const Value& configuration = workload.configuration;
  if (workload.kind == WorkloadKind::database) {
    ORLOP_TRY(image, database_image(workload));
    planned.image = std::move(image);
    return planned;
  }
  if (const Value local = local_build_of(workload); local.is_object()) {
    planned.build = folder_build(workload, local);
    return planned;
  }
  const Value* const source = workload.kind == WorkloadKind::job ? configuration.find("source") : &configuration;
  const Value* const image = source == &configuration ? source : configuration.find_path({"source", "image"});
  const Value* const docker = source == &configuration ? source : configuration.find_path({"source", "docker"});
  if (image != nullptr && image->has("image_name")) planned.image = registry_image(workload, *image);
  else if (docker != nullptr && docker->has("git_repository")) planned.build = build_of(workload, *docker);
  else if (docker != nullptr && docker->has("dockerfile_raw")) planned.build = build_of(workload, *docker);
  if (planned.image.is_null() && planned.build.is_null()) {
    return invalid("the service \"" + std::string(configuration.text_or("name", "")) +
                   "\" must have an image_name or a git_repository");
  }
  return planned;
}

}  // namespace orlop
