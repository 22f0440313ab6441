// Capacities as JSON, for replies and snapshots.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "sim/capacity/capacities.h"
#include "sim/invalid_member.h"

namespace orlop {
namespace {

constexpr std::string_view node_states[] = {"coming", "ready", "lost"};

void write_at(Writer& out, std::string_view name, const std::optional<Instant>& at) {
  if (at) out.field(name, *at);
}

void write_need(Writer& out, const CapacityNeed& need) {
  out.field("cpu", need.cpu)
      .field("memory", need.memory)
      .field("instances", static_cast<std::int64_t>(need.instances))
      .field("is_of_run", need.is_of_run);
  if (need.rolls)
    out.field("surge", static_cast<std::int64_t>(need.surge))
        .field("unavailable", static_cast<std::int64_t>(need.unavailable));
  if (need.configuration != 0) out.field("configuration", static_cast<std::int64_t>(need.configuration));
}

void write_numbers(Writer& out, std::string_view name, const std::vector<std::uint32_t>& numbers) {
  out.key(name).begin_list();
  for (const std::uint32_t number : numbers) out.value(static_cast<std::int64_t>(number));
  out.end_list();
}

CapacityNeed need_in(const Value& given) {
  CapacityNeed need;
  need.cpu = given.integer_or("cpu", 0);
  need.memory = given.integer_or("memory", 0);
  need.instances = static_cast<std::uint32_t>(given.integer_or("instances", 0));
  need.is_of_run = given.boolean_or("is_of_run", false);
  need.rolls = given.has("surge");
  need.surge = static_cast<std::uint32_t>(given.integer_or("surge", 0));
  need.unavailable = static_cast<std::uint32_t>(given.integer_or("unavailable", 0));
  need.configuration = static_cast<std::uint64_t>(given.integer_or("configuration", 0));
  return need;
}

std::optional<Instant> at_in(const Value& given, std::string_view name) {
  return parse_instant(given.text_or(name, ""));
}
Id id_in(const Value& given, std::string_view name) { return parse_id(given.text_or(name, "")).value_or(Id()); }

void write_all(Writer& out, const Nodes& nodes) {
  out.field("last_number", static_cast<std::int64_t>(nodes.last_number()))
      .field("is_stopped", nodes.is_stopped())
      .field("settled", nodes.settled());
  out.key("all_nodes").begin_list();
  for (const Nodes::Node& node : nodes.nodes()) {
    out.begin_object()
        .field("number", static_cast<std::int64_t>(node.number))
        .field("state", node_states[static_cast<std::size_t>(node.state)]);
    write_at(out, "at", node.at);
    out.end_object();
  }
  out.end_list().key("placements").begin_list();
  for (const auto& [service, placement] : nodes.placements()) {
    out.begin_object().field("service", service);
    write_need(out, placement.need);
    write_numbers(out, "nodes", placement.nodes);
    out.field("is_running", placement.is_running);
    if (!placement.leaving.empty()) {
      write_numbers(out, "leaving", placement.leaving);
      out.key("leaving_need").begin_object();
      write_need(out, placement.leaving_need);
      out.end_object();
    }
    if (!placement.step.is_nil()) out.field("step", placement.step).field("began", placement.began);
    write_at(out, "homeless", placement.homeless);
    write_at(out, "lost", placement.lost);
    write_at(out, "starts", placement.starts);
    out.end_object();
  }
  out.end_list().key("waiting").begin_list();
  for (const Nodes::Waiting& waiting : nodes.waiting()) {
    out.begin_object().field("step", waiting.step).field("service", waiting.service);
    write_need(out, waiting.need);
    out.end_object();
  }
  out.end_list();
}

const Value::List& list_in(const Value& given, std::string_view name) {
  static const Value::List none;
  const Value* const list = given.find(name);
  return list != nullptr && list->is_list() ? list->items() : none;
}

std::vector<std::uint32_t> numbers_in(const Value& given, std::string_view name) {
  std::vector<std::uint32_t> numbers;
  for (const Value& number : list_in(given, name)) numbers.push_back(static_cast<std::uint32_t>(number.as_integer()));
  return numbers;
}

Nodes::Memory read_all(const Value& given) {
  Nodes::Memory memory;
  memory.last_number = static_cast<std::uint32_t>(given.integer_or("last_number", 0));
  memory.is_stopped = given.boolean_or("is_stopped", false);
  memory.settled = at_in(given, "settled").value_or(Instant{});
  for (const Value& item : list_in(given, "all_nodes")) {
    Nodes::Node node;
    node.number = static_cast<std::uint32_t>(item.integer_or("number", 0));
    const auto* const state = std::ranges::find(node_states, item.text_or("state", "ready"));
    node.state = static_cast<Nodes::NodeState>(state == std::end(node_states) ? 1 : state - std::begin(node_states));
    node.at = at_in(item, "at");
    memory.nodes.push_back(node);
  }
  std::ranges::sort(memory.nodes, {}, &Nodes::Node::number);
  for (const Value& item : list_in(given, "placements")) {
    Nodes::Placement placement;
    placement.need = need_in(item);
    placement.nodes = numbers_in(item, "nodes");
    placement.leaving = numbers_in(item, "leaving");
    if (const Value* const need = item.find("leaving_need")) placement.leaving_need = need_in(*need);
    placement.is_running = item.boolean_or("is_running", false);
    placement.step = id_in(item, "step");
    placement.began = at_in(item, "began").value_or(Instant{});
    placement.homeless = at_in(item, "homeless");
    placement.lost = at_in(item, "lost");
    placement.starts = at_in(item, "starts");
    memory.placements[id_in(item, "service")] = std::move(placement);
  }
  for (const Value& item : list_in(given, "waiting"))
    memory.waiting.push_back({id_in(item, "step"), id_in(item, "service"), need_in(item)});
  return memory;
}

}  // namespace

void Nodes::restore(Memory memory) {
  nodes_ = std::move(memory.nodes);
  placements_ = std::move(memory.placements);
  waiting_ = std::move(memory.waiting);
  last_number_ = memory.last_number;
  is_stopped_ = memory.is_stopped;
  settled_ = memory.settled;
  homeless_.clear();
  for (Node& each : nodes_) each.cpu = each.memory = each.pods = 0;
  starting_.clear();
  const auto add = [this](std::uint32_t number, const CapacityNeed& need) {
    Node* const used = node(number);
    if (used == nullptr) return;
    used->cpu += need.cpu;
    used->memory += need.memory;
    ++used->pods;
  };
  for (const auto& [service, placement] : placements_) {
    for (const std::uint32_t number : placement.nodes) add(number, placement.need);
    for (const std::uint32_t number : placement.leaving) add(number, placement.leaving_need);
    if (placement.homeless) homeless_.insert(service);
    if (placement.starts) starting_.insert(service);
  }
  has_changed_ = false;
}

void write_usage(Writer& out, const CapacityUsage& usage) {
  out.field("nodes", static_cast<std::int64_t>(usage.nodes))
      .field("coming", static_cast<std::int64_t>(usage.coming))
      .field("lost", static_cast<std::int64_t>(usage.lost));
  out.field("cpu", usage.cpu)
      .field("cpu_used", usage.cpu_used)
      .field("memory", usage.memory)
      .field("memory_used", usage.memory_used);
  out.field("pods", usage.pods)
      .field("pods_used", usage.pods_used)
      .field("waiting", static_cast<std::int64_t>(usage.waiting))
      .field("price", usage.price);
}

void Capacities::write(Writer& out, bool with_all) const {
  const std::lock_guard lock(mutex_);
  out.begin_object().key("clusters").begin_list();
  for (const auto& [cluster, entry] : clusters_) {
    out.begin_object().field("cluster", cluster).key("settings").begin_object();
    write_capacity(out, entry.nodes.settings());
    out.end_object();
    const std::optional<CapacityUsage> usage = with_all ? entry.noted : entry.nodes.usage();
    if (usage) {
      out.key("usage").begin_object();
      write_usage(out, *usage);
      out.end_object();
    }
    if (with_all) write_all(out, entry.nodes);
    out.end_object();
  }
  out.end_list().end_object();
}

Result<void> Capacities::restore(const Value& given) {
  Clusters clusters;
  for (const Value& item : list_in(given, "clusters")) {
    const auto cluster = parse_id(item.text_or("cluster", ""));
    const Value* const settings = item.find("settings");
    if (!cluster || settings == nullptr)
      return invalid_member("capacity.clusters", "must be a list of {\"cluster\", \"settings\"}");
    ORLOP_TRY(read, read_capacity(*settings, std::nullopt));
    Entry& entry = clusters[*cluster];
    entry.nodes.set(read);
    entry.nodes.restore(read_all(item));
    const Value* const usage = item.find("usage");
    if (usage == nullptr) continue;
    CapacityUsage noted;
    noted.nodes = static_cast<std::uint32_t>(usage->integer_or("nodes", 0));
    noted.coming = static_cast<std::uint32_t>(usage->integer_or("coming", 0));
    noted.lost = static_cast<std::uint32_t>(usage->integer_or("lost", 0));
    noted.cpu = usage->integer_or("cpu", 0);
    noted.cpu_used = usage->integer_or("cpu_used", 0);
    noted.memory = usage->integer_or("memory", 0);
    noted.memory_used = usage->integer_or("memory_used", 0);
    noted.pods = usage->integer_or("pods", 0);
    noted.pods_used = usage->integer_or("pods_used", 0);
    noted.waiting = static_cast<std::uint32_t>(usage->integer_or("waiting", 0));
    noted.price = read.price;
    entry.noted = noted;
  }
  const std::lock_guard lock(mutex_);
  clusters_ = std::move(clusters);
  freed_.clear();
  note_any();
  return {};
}

}  // namespace orlop
