#include "sim/capacity/capacity_settings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text/utf8.h"
#include "catalogs/nearest.h"
#include "sim/invalid_member.h"
#include "sim/rules/distribution.h"

namespace orlop {
namespace {

constexpr std::string_view members[] = {"nodes",
                                        "nodes_max",
                                        "cpu",
                                        "memory",
                                        "pods",
                                        "price",
                                        "scale_up_after",
                                        "scale_down_after",
                                        "reschedule_after",
                                        "start_after"};
constexpr std::int64_t cpu_max = 1'000'000;            // millicores of a node
constexpr std::int64_t memory_max = 64 * 1024 * 1024;  // MB of a node
constexpr std::int64_t pods_max = 10'000;
constexpr double price_max = 1e9;

bool is_integer(const Value& given) { return given.type() == Value::Type::integer; }

Result<std::int64_t> read_count(const Value& given, std::string_view name, std::int64_t least, std::int64_t most) {
  if (is_integer(given) && given.as_integer() >= least && given.as_integer() <= most) return given.as_integer();
  return invalid_member(std::string(name), "must be a whole number from " + std::to_string(least) + " to " +
                                               std::to_string(most) + ", not " + shown(given));
}

std::optional<double> number_of(const Value& given) {
  if (is_integer(given) || given.type() == Value::Type::number) return given.as_number();
  return std::nullopt;
}

// Removes the digits at the front of a text, and returns their number.
std::optional<std::int64_t> leading_number(std::string_view& text) {
  constexpr std::size_t digits_max = 9;
  std::int64_t number = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    if (digits == digits_max) return std::nullopt;
    number = number * 10 + (text[digits] - '0');
  }
  text.remove_prefix(digits);
  return digits == 0 ? std::nullopt : std::optional(number);
}

// Cores as a number, or a text such as "4" or "3500m".
Result<std::int64_t> read_cpu(const Value& given) {
  std::int64_t millicores = 0;
  if (const auto cores = number_of(given)) {
    millicores = *cores > 0 && *cores <= 1e6 ? static_cast<std::int64_t>(std::llround(*cores * 1000)) : 0;
  } else if (given.is_text()) {
    std::string_view rest = given.as_text();
    const auto number = leading_number(rest);
    if (number && rest == "m") millicores = *number;
    else if (number && rest.empty()) millicores = *number * 1000;
  }
  if (millicores >= 1 && millicores <= cpu_max) return millicores;
  return invalid_member("cpu",
                        "must be the cores of each node, such as 4, 0.5 or \"3500m\", up to 1000, not " + shown(given));
}

// MB as a number, or a text such as "16GiB", "512MB" or, as in Kubernetes, "16Gi".
Result<std::int64_t> read_memory(const Value& given) {
  std::int64_t memory = 0;
  if (is_integer(given)) {
    memory = given.as_integer();
  } else if (given.is_text()) {
    std::string_view rest = given.as_text();
    const auto number = leading_number(rest);
    if (number && (rest == "GiB" || rest == "Gi" || rest == "GB")) memory = *number * 1024;
    else if (number && (rest == "MiB" || rest == "Mi" || rest == "MB" || rest.empty())) memory = *number;
  }
  if (memory >= 1 && memory <= memory_max) return memory;
  return invalid_member(
      "memory",
      "must be the memory of each node in MB, or a text such as \"16GiB\", up to \"65536GiB\", not " + shown(given));
}

Result<double> read_price(const Value& given) {
  const auto price = number_of(given);
  if (price && *price >= 0 && *price <= price_max) return *price;
  return invalid_member("price", "must be the price of a node for an hour, 0 to 1000000000, not " + shown(given));
}

Result<void> read_nodes(const Value& given, const std::optional<CapacitySettings>& before, CapacitySettings& out) {
  const Value* const nodes = given.find("nodes");
  const Value* const most = given.find("nodes_max");
  if (nodes != nullptr) {
    ORLOP_TRY(count, read_count(*nodes, "nodes", 0, nodes_max));
    out.nodes_least = static_cast<std::uint32_t>(count);
    if (!before || before->nodes_most == before->nodes_least) out.nodes_most = out.nodes_least;
  }
  if (most != nullptr) {
    ORLOP_TRY(count, read_count(*most, "nodes_max", 0, nodes_max));
    out.nodes_most = static_cast<std::uint32_t>(count);
  }
  if (out.nodes_most >= out.nodes_least) return {};
  return invalid_member("nodes_max", "must be at least nodes, which is " + std::to_string(out.nodes_least) + ", not " +
                                         std::to_string(out.nodes_most));
}

CapacityNeed need_from(const Value& resources, std::string_view cpu, std::string_view memory) {
  CapacityNeed need;
  need.cpu = resources.integer_or(cpu, 0);
  need.memory = resources.integer_or(memory, 0);
  need.instances = 1;
  return need;
}

}  // namespace

std::span<const std::string_view> capacity_members() { return members; }

Result<CapacitySettings> read_capacity(const Value& given, const std::optional<CapacitySettings>& before) {
  if (!given.is_object()) return invalid("the capacity must be an object, not " + shown(given));
  for (const Member& member : given.members()) {
    if (std::ranges::find(members, member.name.view()) != std::end(members)) continue;
    return invalid_member(std::string(beginning(member.name.view(), 64)),
                          "is not a member of a capacity" + nearest_hint(member.name, members));
  }
  CapacitySettings out = before.value_or(CapacitySettings{});
  for (const std::string_view name : {"nodes", "cpu", "memory"}) {
    if (!before && !given.has(name))
      return invalid_member(std::string(name), "is required where the cluster has no capacity yet");
  }
  ORLOP_CHECK(read_nodes(given, before, out));
  if (const Value* cpu = given.find("cpu")) {
    ORLOP_TRY(read, read_cpu(*cpu));
    out.cpu = read;
  }
  if (const Value* memory = given.find("memory")) {
    ORLOP_TRY(read, read_memory(*memory));
    out.memory = read;
  }
  if (const Value* pods = given.find("pods")) {
    ORLOP_TRY(read, read_count(*pods, "pods", 1, pods_max));
    out.pods = read;
  }
  if (const Value* price = given.find("price")) {
    ORLOP_TRY(read, read_price(*price));
    out.price = read;
  }
  const std::pair<std::string_view, Duration*> durations[] = {{"scale_up_after", &out.scale_up_after},
                                                              {"scale_down_after", &out.scale_down_after},
                                                              {"reschedule_after", &out.reschedule_after},
                                                              {"start_after", &out.start_after}};
  for (const auto& [name, duration] : durations) {
    const Value* const member = given.find(name);
    if (member == nullptr) continue;
    ORLOP_TRY(read, read_duration(*member, std::string(name)));
    *duration = read;
  }
  return out;
}

void write_capacity(Writer& out, const CapacitySettings& settings) {
  const auto ms = [](Duration duration) { return std::to_string(duration.milliseconds) + "ms"; };
  out.field("nodes", static_cast<std::int64_t>(settings.nodes_least))
      .field("nodes_max", static_cast<std::int64_t>(settings.nodes_most));
  out.field("cpu", std::to_string(settings.cpu) + "m").field("memory", settings.memory).field("pods", settings.pods);
  out.field("price", settings.price);
  out.field("scale_up_after", ms(settings.scale_up_after)).field("scale_down_after", ms(settings.scale_down_after));
  out.field("reschedule_after", ms(settings.reschedule_after)).field("start_after", ms(settings.start_after));
}

namespace {

// FNV-1a: the same on every machine.
std::uint64_t digest_of(std::string_view text) {
  std::uint64_t digest = 0xCBF29CE484222325ULL;
  for (const char letter : text) digest = (digest ^ static_cast<unsigned char>(letter)) * 0x100000001B3ULL;
  return digest >> 1;  // it is stored as a JSON number
}

// A service that Kubernetes runs as a Deployment rolls out, unless it is to be recreated. A database, or a service with
// volumes, is replaced in the capacity that it leaves.
void add_roll_out(CapacityNeed& need, const Value& configuration) {
  const Value* const storage = configuration.find("storage");
  const Value* const settings = configuration.find("advanced_settings");
  const bool has_volumes = storage != nullptr && storage->is_list() && !storage->items().empty();
  if (has_volumes || settings == nullptr || settings->text_or("deployment.update_strategy.type", "") != "RollingUpdate")
    return;
  const auto percent = [&](std::string_view name) {
    return std::clamp<std::int64_t>(settings->integer_or(name, 25), 0, 100);
  };
  need.rolls = true;
  need.surge = static_cast<std::uint32_t>(
      (need.instances * percent("deployment.update_strategy.rolling_update.max_surge_percent") + 99) / 100);
  need.unavailable = static_cast<std::uint32_t>(
      need.instances * percent("deployment.update_strategy.rolling_update.max_unavailable_percent") / 100);
  if (need.surge == 0 && need.unavailable == 0) need.unavailable = 1;  // as Kubernetes
}

}  // namespace

std::optional<CapacityNeed> need_of(const Step& step, const Value& configuration) {
  auto need = need_of(step.kind == StepKind::restart ? StepKind::deploy : step.kind, configuration);
  if (!need || need->is_of_run) return need;
  add_roll_out(*need, configuration);
  if (step.kind == StepKind::deploy) need->configuration = digest_of(step.configuration);
  return need;
}

std::optional<CapacityNeed> need_of(StepKind kind, const Value& configuration) {
  if (kind != StepKind::deploy && kind != StepKind::execute) return std::nullopt;
  if (const Value* job = configuration.find("job_resources"); job != nullptr && job->is_object()) {
    CapacityNeed need = need_from(*job, "cpu_milli", "ram_mib");
    need.is_of_run = true;
    return need;
  }
  if (const Value* run = configuration.find("resources"); run != nullptr && run->is_object()) {
    CapacityNeed need = need_from(*run, "cpu_milli", "ram_mib");
    need.is_of_run = kind == StepKind::execute;
    return need;
  }
  // The deploy of a scheduled job needs none: only its runs do.
  const bool is_schedule = kind == StepKind::deploy && configuration.has("schedule");
  if (is_schedule || configuration.text_or("mode", "") == "MANAGED" || !configuration.has("cpu")) return std::nullopt;
  CapacityNeed need = need_from(configuration, "cpu", "memory");
  need.is_of_run = kind == StepKind::execute;
  if (!need.is_of_run)
    need.instances = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(configuration.integer_or("min_running_instances", 1), 0, 10'000));
  return need.instances == 0 ? std::nullopt : std::optional(need);
}

}  // namespace orlop
