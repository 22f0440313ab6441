#include "workloads/plan_options.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/brand.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::int64_t log_files_max_default = 3;
constexpr std::int64_t log_files_most = 1000;

Error wrong_option(std::string_view name, std::string_view allowed, const Value& given) {
  return invalid("the option " + std::string(name) + " must be " + std::string(allowed) + ", not " + to_json(given));
}

Result<void> read_text_option(const Value& given, std::string_view name, std::span<const std::string_view> allowed,
                              std::string& text) {
  const Value* found = given.find(name);
  if (found == nullptr || found->is_null()) return {};
  std::string list;
  for (const std::string_view one : allowed) list.append(list.empty() ? "" : " or ").append(one);
  if (!found->is_text() || found->as_text().find('\0') != std::string::npos)
    return wrong_option(name, allowed.empty() ? "a text" : list, *found);
  if (!allowed.empty() && std::ranges::find(allowed, found->as_text()) == allowed.end())
    return wrong_option(name, list, *found);
  text = found->as_text();
  return {};
}

Result<void> read_images(const Value& given, Value& images) {
  images = Value(Value::Object{{"POSTGRESQL", Value("docker.io/library/postgres:{version}")},
                               {"MYSQL", Value("docker.io/library/mysql:{version}")},
                               {"MONGODB", Value("docker.io/library/mongo:{version}")},
                               {"REDIS", Value("docker.io/library/redis:{version}")}});
  const Value* found = given.find("images");
  if (found == nullptr || found->is_null()) return {};
  constexpr std::string_view allowed = "an object of image references by POSTGRESQL, MYSQL, MONGODB and REDIS";
  if (!found->is_object()) return wrong_option("images", allowed, *found);
  for (const Member& member : found->members()) {
    if (images.find(member.name) == nullptr || !member.value.is_text() || member.value.as_text().empty())
      return wrong_option("images", allowed, *found);
    images.set(member.name, member.value);
  }
  return {};
}

Result<void> read_ulimits(const Value& given, Value& ulimits) {
  const Value* found = given.find("ulimits");
  if (found == nullptr || found->is_null()) return {};
  constexpr std::string_view allowed = "a list of objects with Name, Soft and Hard";
  if (!found->is_list()) return wrong_option("ulimits", allowed, *found);
  for (const Value& item : found->items()) {
    const Value* const soft = item.find("Soft");
    const Value* const hard = item.find("Hard");
    const bool is_right = item.text_or("Name", "") != "" && item.members().size() == 3 && soft != nullptr &&
                          hard != nullptr && soft->type() == Value::Type::integer &&
                          hard->type() == Value::Type::integer;
    if (!is_right) return wrong_option("ulimits", allowed, *found);
  }
  ulimits = *found;
  return {};
}

Result<void> check_option_names(const Value& given) {
  constexpr std::string_view names[] = {
      "brand",        "event",         "publish_address", "public_address", "cpu_limit",
      "log_size_max", "log_files_max", "ulimits",         "images",         "allow_host_access"};
  for (const Member& member : given.members()) {
    if (std::ranges::find(names, member.name.view()) != std::end(names)) continue;
    std::string list;
    for (const std::string_view name : names) list.append(list.empty() ? "" : ", ").append(name);
    return invalid("the options have no " + std::string(member.name.view()) + "; they are " + list);
  }
  return {};
}

}  // namespace

Result<PlanOptions> read_plan_options(std::string_view text) {
  ORLOP_TRY(given, parse_json(text.empty() ? "{}" : text));
  if (!given.is_object()) return invalid("the options must be a JSON object, not " + to_json(given));
  ORLOP_CHECK(check_option_names(given));
  PlanOptions options;
  options.brand = brand_default;
  options.publish_address = "127.0.0.1";
  options.public_address = "127.0.0.1";
  options.cpu_limit = "none";
  options.log_size_max = "10m";
  options.log_files_max = log_files_max_default;
  constexpr std::string_view events[] = {"on_start", "on_stop", "on_delete", "cronjob"};
  constexpr std::string_view limits[] = {"none", "equal"};
  ORLOP_CHECK(read_text_option(given, "brand", {}, options.brand));
  ORLOP_CHECK(read_text_option(given, "event", events, options.event));
  ORLOP_CHECK(read_text_option(given, "publish_address", {}, options.publish_address));
  ORLOP_CHECK(read_text_option(given, "public_address", {}, options.public_address));
  ORLOP_CHECK(read_text_option(given, "cpu_limit", limits, options.cpu_limit));
  ORLOP_CHECK(read_text_option(given, "log_size_max", {}, options.log_size_max));
  if (const Value* files = given.find("log_files_max"); files != nullptr && !files->is_null()) {
    const bool is_right =
        files->type() == Value::Type::integer && files->as_integer() >= 1 && files->as_integer() <= log_files_most;
    if (!is_right) return wrong_option("log_files_max", "1 to 1000", *files);
    options.log_files_max = files->as_integer();
  }
  if (const Value* allowed = given.find("allow_host_access"); allowed != nullptr && !allowed->is_null()) {
    if (allowed->type() != Value::Type::boolean) return wrong_option("allow_host_access", "true or false", *allowed);
    options.allow_host_access = allowed->as_boolean();
  }
  ORLOP_CHECK(read_images(given, options.images));
  ORLOP_CHECK(read_ulimits(given, options.ulimits));
  return options;
}

}  // namespace orlop
