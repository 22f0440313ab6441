#include "deploy/driver/released_configuration.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "deploy/driver/configuration.h"
#include "releases/configuration_digest.h"
#include "releases/json_patch.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Sets what the release was built from, by which a step deploys it again although a branch or a tag has moved.
Result<void> set_version(Unit& unit, const Id& subject, std::uint32_t number, Value& configuration) {
  ORLOP_TRY(releases, releases_of(unit, subject));
  const auto found = std::ranges::find(releases, number, &Release::number);
  if (found == releases.end()) return {};
  for (const std::string_view name : {"git_commit_id", "image_digest"}) {
    const std::string_view known = found->version.text_or(name, "");
    if (!known.empty()) configuration.set(name, Value(known));
  }
  return {};
}

// Returns the outputs of jobs in the configuration of the newest release; null if there are none.
Result<Value> last_outputs(Unit& unit, const Id& service) {
  ORLOP_TRY(newest, newest_release(unit, service));
  if (newest.number == 0) return Value();
  auto released = configuration_of_release(unit, service, newest.number);
  if (!released) return released.error().code == ErrorCode::conflict ? Result<Value>(Value()) : released.error();
  const Value* const outputs = released->configuration.find("outputs");
  return outputs == nullptr ? Value() : *outputs;
}

}  // namespace

Result<std::string> rolled_back(Unit& unit, const Id& subject, std::uint32_t release, const std::string& configuration,
                                SecretValues& secrets) {
  ORLOP_TRY(released, configuration_of_release(unit, subject, release));
  ORLOP_TRY(current, parse_stored(configuration));
  for (const std::string& pointer : released.secrets) {
    const Value* const secret = value_at(released.configuration, pointer);
    if (secret != nullptr) secrets.add_texts(*secret);
  }
  const Value replaced = released_part(current);
  std::erase_if(current.members(), [&](const Member& member) { return replaced.find(member.name) != nullptr; });
  for (Member& member : released.configuration.members()) current.add(std::move(member.name), std::move(member.value));
  ORLOP_CHECK(set_version(unit, subject, release, current));
  return to_json(current);
}

Result<StepConfiguration> wanted_configuration(Unit& unit, const Record& service) {
  ORLOP_TRY(outputs, last_outputs(unit, service.id));
  ORLOP_TRY(large, is_large_environment(unit, service.parent));
  SharedVariables shared;
  SecretValues secrets;
  std::vector<std::string> remarks;
  ORLOP_TRY(made, configuration_of(unit, service, nullptr, outputs, {&shared, large, &remarks}, secrets));
  return released_configuration(made, std::move(secrets).take());
}

}  // namespace orlop
