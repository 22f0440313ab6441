#include "sim/capacity/nodes.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "deploy/driver/report_bounds.h"

namespace orlop {

Nodes::Node* Nodes::node(std::uint32_t number) {
  const auto found = std::ranges::lower_bound(nodes_, number, {}, &Node::number);
  return found == nodes_.end() || found->number != number ? nullptr : &*found;
}

std::uint32_t Nodes::count(NodeState state) const {
  return static_cast<std::uint32_t>(std::ranges::count(nodes_, state, &Node::state));
}

bool Nodes::fits(const Node& node, const CapacityNeed& need) const {
  return node.cpu + need.cpu <= settings_.cpu && node.memory + need.memory <= settings_.memory &&
         node.pods < settings_.pods;
}

void Nodes::use(std::uint32_t number, const CapacityNeed& need, int sign) {
  Node* const used = node(number);
  if (used == nullptr) return;
  used->cpu += sign * need.cpu;
  used->memory += sign * need.memory;
  used->pods += sign;
  if (used->state == NodeState::ready) used->at.reset();
}

// Places each instance on the first node with capacity among those with the fewest instances of the service, all or
// none, and uses the nodes. `present`: nodes of instances that exist.
std::optional<Nodes::Places> Nodes::place(const CapacityNeed& need, std::size_t instances,
                                          std::span<const std::uint32_t> present) {
  std::unordered_map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t number : present) ++counts[number];
  Places places;
  bool has_room = true;
  for (std::size_t level = 0; places.size() < instances && has_room; ++level) {
    has_room = false;
    for (Node& each : nodes_) {
      if (places.size() == instances) break;
      if (each.state != NodeState::ready || !fits(each, need)) continue;
      has_room = true;
      std::size_t& count = counts[each.number];
      if (count > level) continue;
      ++count;
      use(each.number, need, 1);
      places.push_back(each.number);
    }
  }
  if (places.size() == instances) return places;
  for (const std::uint32_t number : places) use(number, need, -1);
  return std::nullopt;
}

void Nodes::free(const Placement& placement) {
  for (const std::uint32_t number : placement.nodes) use(number, placement.need, -1);
}

void Nodes::free_leaving(Placement& placement) {
  for (const std::uint32_t number : placement.leaving) use(number, placement.leaving_need, -1);
  placement.leaving.clear();
}

void Nodes::add_nodes(std::uint32_t count, NodeState state, std::optional<Instant> at) {
  for (std::uint32_t added = 0; added < count; ++added) {
    Node made;
    made.number = ++last_number_;
    made.state = state;
    made.at = at;
    nodes_.push_back(made);
  }
  if (count != 0) has_changed_ = true;
}

// Takes the instances off the node; they may be placed on another one at `from`.
void Nodes::drop_node(std::uint32_t number, Instant from) {
  for (auto& [service, placement] : placements_) {
    bool has_lost = false;
    for (std::uint32_t& place : placement.nodes) {
      if (place != number) continue;
      use(number, placement.need, -1);
      place = 0;
      has_lost = true;
    }
    for (std::size_t gone = std::erase(placement.leaving, number); gone > 0; --gone)
      use(number, placement.leaving_need, -1);
    if (!has_lost) continue;
    placement.starts.reset();
    starting_.erase(service);
    placement.homeless = from;
    homeless_.insert(service);
  }
  has_changed_ = true;
}

void Nodes::set(const CapacitySettings& settings) {
  settings_ = settings;
  has_changed_ = true;
  if (is_stopped_) return;
  const auto total = static_cast<std::uint32_t>(nodes_.size());
  if (total < settings.nodes_least) add_nodes(settings.nodes_least - total, NodeState::ready, std::nullopt);
  while (nodes_.size() > settings.nodes_most) {
    drop_node(nodes_.back().number, Instant{});
    nodes_.pop_back();
  }
}

void Nodes::found(const Found& found) {
  Placement& placement = placements_[found.service];
  placement.need = found.need;
  placement.is_running = found.is_running;
  placement.step = found.step;
  placement.began = found.began;
  auto places = place(found.need, found.need.instances);
  if (places) placement.nodes = std::move(*places);
  else placement.nodes.assign(found.need.instances, 0);
  if (!places && found.step.is_nil()) await_nodes(found.service, placement);
  has_changed_ = true;
}

// Lets the instances without a node be placed at once.
void Nodes::await_nodes(const Id& service, Placement& placement) {
  placement.homeless = Instant{};
  homeless_.insert(service);
}

// Reports whether running instances are replaced one after the other.
bool Nodes::rolls_out(const Id& service, const CapacityNeed& need) const {
  const auto known = placements_.find(service);
  if (known == placements_.end() || !known->second.is_running || !need.rolls || homeless_.contains(service))
    return false;
  return need.configuration == 0 || known->second.need.configuration != need.configuration;
}

// Rolls out as Kubernetes does: adds new instances up to the surge, removes old ones down to what may be unavailable,
// and repeats. Returns false if it would be stuck; then nothing has changed. The old instances at the peak use their
// capacity until the step ends.
bool Nodes::roll_out(Placement& placement, const CapacityNeed& need) {
  const std::size_t wanted = need.instances;
  const std::size_t most = wanted + need.surge;
  const std::size_t least = wanted - std::min<std::size_t>(wanted, need.unavailable);
  Places old = placement.nodes;
  Places made;
  Places removed;
  for (bool goes_on = true; goes_on && (made.size() < wanted || !old.empty());) {
    goes_on = false;
    while (made.size() < wanted && old.size() + made.size() < most) {
      const auto place_of_one = place(need, 1, made);
      if (!place_of_one) break;
      made.push_back(place_of_one->front());
      goes_on = true;
    }
    while (!old.empty() && old.size() + made.size() > least) {
      use(old.back(), placement.need, -1);
      removed.push_back(old.back());
      old.pop_back();
      goes_on = true;
    }
  }
  if (made.size() < wanted || !old.empty()) {
    for (const std::uint32_t number : made) use(number, need, -1);
    for (const std::uint32_t number : removed) use(number, placement.need, 1);
    return false;
  }
  placement.leaving_need = placement.need;
  for (const std::uint32_t number : removed) {
    const Node* const at = node(number);
    if (placement.leaving.size() == need.surge) break;
    if (at == nullptr || !fits(*at, placement.leaving_need)) continue;
    use(number, placement.leaving_need, 1);
    placement.leaving.push_back(number);
  }
  placement.nodes = std::move(made);
  return true;
}

// Places all instances of the service at once, also in the capacity that they leave.
bool Nodes::move(const Waiting& waiting) {
  const auto known = placements_.find(waiting.service);
  const bool is_placed = known != placements_.end();
  if (is_placed) free(known->second);
  auto places = place(waiting.need, waiting.need.instances);
  if (places) {
    placements_[waiting.service].nodes = std::move(*places);
    return true;
  }
  if (is_placed) {
    for (const std::uint32_t number : known->second.nodes) use(number, known->second.need, 1);
  }
  return false;
}

bool Nodes::try_begin(const Waiting& waiting, Instant now) {
  const auto known = placements_.find(waiting.service);
  const bool is_placed = known != placements_.end();
  const bool rolls = rolls_out(waiting.service, waiting.need);
  const bool may_stay =
      is_placed && !rolls && known->second.need.has_room_of(waiting.need) && !homeless_.contains(waiting.service);
  if (rolls && !roll_out(known->second, waiting.need)) return false;
  if (!rolls && !may_stay && !move(waiting)) return false;
  Placement& placement = placements_[waiting.service];
  placement.need = waiting.need;
  placement.step = waiting.step;
  placement.began = now;
  placement.homeless.reset();
  placement.lost.reset();
  homeless_.erase(waiting.service);
  if (!may_stay) {
    placement.starts.reset();
    starting_.erase(waiting.service);
  }
  has_changed_ = true;
  return true;
}

std::optional<Instant> Nodes::begin(const Id& step, const Id& service, const CapacityNeed& need, Instant now,
                                    bool is_resumed) {
  const auto known = placements_.find(service);
  if (known != placements_.end() && known->second.step == step) return known->second.began;
  if (std::ranges::find(waiting_, step, &Waiting::step) != waiting_.end()) return std::nullopt;
  if (is_resumed) return now;
  const Waiting asked{step, service, need};
  if (try_begin(asked, now)) return now;
  waiting_.push_back(asked);
  has_changed_ = true;
  return std::nullopt;
}

void Nodes::ended(const Id& step, const Id& service, StepKind kind, ReportKind how) {
  const auto waits = std::ranges::find(waiting_, step, &Waiting::step);
  if (waits != waiting_.end()) {
    waiting_.erase(waits);
    has_changed_ = true;
    return;
  }
  const auto known = placements_.find(service);
  if (known == placements_.end()) return;
  Placement& placement = known->second;
  const bool succeeded = how == ReportKind::succeeded;
  const bool is_gone = succeeded && (kind == StepKind::stop || kind == StepKind::remove);
  if (placement.step != step && !is_gone) return;
  placement.is_running = placement.is_running || (succeeded && !placement.need.is_of_run);
  placement.step = Id();
  if (!succeeded) placement.need.configuration = 0;
  if (!placement.leaving.empty()) has_changed_ = true;
  free_leaving(placement);
  if (placement.is_running && !is_gone) {
    if (placement.homeless || std::ranges::find(placement.nodes, 0U) == placement.nodes.end()) return;
    await_nodes(service, placement);
    has_changed_ = true;
    return;
  }
  free(placement);
  homeless_.erase(service);
  starting_.erase(service);
  placements_.erase(known);
  has_changed_ = true;
}

std::uint32_t Nodes::lose(std::uint32_t count, std::optional<Duration> lasts, Instant now) {
  std::uint32_t lost = 0;
  for (std::size_t at = 0; at < nodes_.size() && lost < count; ++at) {
    if (nodes_[at].state != NodeState::ready) continue;
    drop_node(nodes_[at].number, now + settings_.reschedule_after);
    nodes_[at].state = NodeState::lost;
    nodes_[at].at = lasts ? std::optional(now + *lasts) : std::nullopt;
    ++lost;
  }
  if (!lasts) std::erase_if(nodes_, [](const Node& each) { return each.state == NodeState::lost && !each.at; });
  return lost;
}

void Nodes::stop() {
  for (const Node& each : nodes_) drop_node(each.number, Instant{});
  nodes_.clear();
  is_stopped_ = true;
  has_changed_ = true;
}

void Nodes::start() {
  if (!std::exchange(is_stopped_, false)) return;
  add_nodes(settings_.nodes_least, NodeState::ready, std::nullopt);
}

void Nodes::move_nodes(Instant now) {
  for (Node& each : nodes_) {
    if (each.state == NodeState::ready || !each.at || *each.at > now) continue;
    each.state = NodeState::ready;
    each.at.reset();
  }
}

void Nodes::say_lost(const Id& service, Placement& placement, CapacityEffects& effects) const {
  if (placement.lost) return;
  placement.lost = settled_;
  if (!placement.step.is_nil()) {
    effects.lost_contact.push_back(placement.step);
  } else if (placement.is_running) {
    const bool has_some = std::ranges::any_of(placement.nodes, [](std::uint32_t number) { return number != 0; });
    effects.running.push_back({service, has_some ? RunningState::warning : RunningState::error});
  }
}

// A running step is delayed by the time without its nodes.
void Nodes::say_found(const Id& service, Placement& placement, CapacityEffects& effects) {
  if (!placement.step.is_nil()) {
    if (placement.lost) placement.began = placement.began + (settled_ - *placement.lost);
    effects.found_contact.push_back(placement.step);
  } else if (placement.is_running) {
    effects.running.push_back({service, RunningState::starting});
    placement.starts = settled_ + settings_.start_after;
    starting_.insert(service);
  }
  placement.homeless.reset();
  placement.lost.reset();
}

void Nodes::say_started(Instant now, CapacityEffects& effects) {
  for (auto at = starting_.begin(); at != starting_.end();) {
    Placement& placement = placements_.at(*at);
    if (placement.starts && *placement.starts > now) {
      ++at;
      continue;
    }
    placement.starts.reset();
    effects.running.push_back({*at, RunningState::running});
    at = starting_.erase(at);
  }
}

void Nodes::place_homeless(Instant now, CapacityEffects& effects) {
  for (auto at = homeless_.begin(); at != homeless_.end();) {
    const Id service = *at;
    Placement& placement = placements_.at(service);
    say_lost(service, placement, effects);
    const auto missing = static_cast<std::size_t>(std::ranges::count(placement.nodes, 0U));
    auto places =
        placement.homeless.value_or(Instant{}) <= now ? place(placement.need, missing, placement.nodes) : std::nullopt;
    if (!places) {
      ++at;
      continue;
    }
    for (std::uint32_t& number : placement.nodes) {
      if (number != 0) continue;
      number = places->back();
      places->pop_back();
    }
    say_found(service, placement, effects);
    at = homeless_.erase(at);
  }
}

// Returns how many instances the node has capacity for.
std::int64_t Nodes::room_on(const Node& node, const CapacityNeed& need) const {
  std::int64_t room = settings_.pods - node.pods;
  if (need.cpu > 0) room = std::min(room, (settings_.cpu - node.cpu) / need.cpu);
  if (need.memory > 0) room = std::min(room, (settings_.memory - node.memory) / need.memory);
  return std::max<std::int64_t>(room, 0);
}

// Returns the nodes that are ready or coming, and those to add (number 0), with everything that waits placed on them.
// Leaves out what they cannot hold as a whole.
std::vector<Nodes::Node> Nodes::plan() const {
  std::vector<Node> bins;
  std::ranges::copy_if(nodes_, std::back_inserter(bins),
                       [](const Node& each) { return each.state != NodeState::lost; });
  std::size_t may_add = settings_.nodes_most - std::min<std::size_t>(nodes_.size(), settings_.nodes_most);
  const auto put = [&](const CapacityNeed& need, std::int64_t instances) {
    std::int64_t room = room_on(Node(), need) * static_cast<std::int64_t>(may_add);
    for (const Node& each : bins) room += room_on(each, need);
    if (room < instances) return false;
    for (; instances > 0; --instances) {
      auto found = std::ranges::find_if(bins, [&](const Node& each) { return fits(each, need); });
      if (found == bins.end()) {
        --may_add;
        found = bins.insert(bins.end(), Node());
      }
      found->cpu += need.cpu;
      found->memory += need.memory;
      ++found->pods;
    }
    return true;
  };
  for (const Id& service : homeless_) {
    const Placement& placement = placements_.at(service);
    put(placement.need, std::ranges::count(placement.nodes, 0U));
  }
  for (const Waiting& waiting : waiting_) {
    const CapacityNeed& need = waiting.need;
    if (!rolls_out(waiting.service, need)) {
      put(need, need.instances);
      continue;
    }
    // All that the roll-out may have at once in addition to the old instances; if they do not fit, those without which
    // it is stuck.
    const std::int64_t wanted = need.instances;
    const std::int64_t beside = wanted - static_cast<std::int64_t>(placements_.at(waiting.service).nodes.size());
    const std::int64_t least = std::max<std::int64_t>({beside, beside + 1 - need.unavailable, 1});
    if (!put(need, std::clamp<std::int64_t>(beside + need.surge, 1, std::max<std::int64_t>(wanted, 1))))
      put(need, least);
  }
  return bins;
}

// Adds nodes for what waits, and up to the least number; removes nodes that are empty for long and not needed by what
// waits.
void Nodes::scale(Instant now) {
  const auto total = static_cast<std::uint32_t>(nodes_.size());
  const auto is_empty = [](const Node& each) { return each.state == NodeState::ready && each.pods == 0; };
  const bool may_change =
      total < settings_.nodes_most || (total > settings_.nodes_least && std::ranges::any_of(nodes_, is_empty));
  const bool must_plan = may_change && (!homeless_.empty() || !waiting_.empty());
  const std::vector<Node> planned = must_plan ? plan() : std::vector<Node>();
  const auto missing = static_cast<std::uint32_t>(std::ranges::count(planned, 0U, &Node::number));
  add_nodes(std::max(missing, settings_.nodes_least - std::min(total, settings_.nodes_least)), NodeState::coming,
            now + settings_.scale_up_after);
  for (std::size_t left = nodes_.size(); left-- > 0;) {
    Node& each = nodes_[left];
    if (!is_empty(each)) continue;
    const auto use = std::ranges::find(planned, each.number, &Node::number);
    if (use != planned.end() && use->pods != 0) {
      each.at.reset();  // needed: the waiting step may not start yet
      continue;
    }
    if (!each.at) each.at = now;
    if (nodes_.size() <= settings_.nodes_least || now < *each.at + settings_.scale_down_after) continue;
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(left));
  }
}

// A need that was refused is not tried again.
void Nodes::begin_waiting(Instant now, CapacityEffects& effects) {
  std::vector<CapacityNeed> refused;
  std::erase_if(waiting_, [&](const Waiting& waiting) {
    const bool is_new = !placements_.contains(waiting.service);
    if (is_new && std::ranges::find(refused, waiting.need) != refused.end()) return false;
    if (try_begin(waiting, now)) {
      effects.begun.push_back(waiting.step);
      return true;
    }
    if (is_new) refused.push_back(waiting.need);
    return false;
  });
}

void Nodes::settle(Instant now, CapacityEffects& effects) {
  has_changed_ = false;
  settled_ = now;
  if (is_stopped_) return;
  move_nodes(now);
  place_homeless(now, effects);
  say_started(now, effects);
  begin_waiting(now, effects);
  scale(now);
  has_changed_ = false;
}

std::optional<Instant> Nodes::due() const {
  if (has_changed_) return Instant{};
  std::optional<Instant> first;
  const auto take = [&first](Instant at) { first = std::min(first.value_or(at), at); };
  const bool may_go = nodes_.size() > settings_.nodes_least;
  for (const Node& each : nodes_) {
    if (!each.at) continue;
    if (each.state != NodeState::ready) take(*each.at);
    else if (may_go) take(*each.at + settings_.scale_down_after);
  }
  for (const Id& service : homeless_) {
    const Instant from = placements_.at(service).homeless.value_or(Instant{});
    if (from > settled_) take(from);
  }
  for (const Id& service : starting_) take(placements_.at(service).starts.value_or(Instant{}));
  return first;
}

CapacityUsage Nodes::usage() const {
  CapacityUsage usage;
  usage.price = settings_.price;
  for (const Node& each : nodes_) {
    if (each.state == NodeState::coming) ++usage.coming;
    if (each.state == NodeState::lost) ++usage.lost;
    if (each.state != NodeState::ready) continue;
    ++usage.nodes;
    usage.cpu_used += each.cpu;
    usage.memory_used += each.memory;
    usage.pods_used += each.pods;
  }
  usage.cpu = settings_.cpu * usage.nodes;
  usage.memory = settings_.memory * usage.nodes;
  usage.pods = settings_.pods * usage.nodes;
  usage.waiting = static_cast<std::uint32_t>(waiting_.size() + homeless_.size());
  return usage;
}

std::string Nodes::reason(const Id& service, const CapacityNeed& need) const {
  const CapacityUsage now = usage();
  const bool rolls = rolls_out(service, need);
  std::string text = rolls ? "the roll-out is stuck: another instance"
                           : std::to_string(need.instances) + (need.instances == 1 ? " instance" : " instances");
  text += " with " + std::to_string(need.cpu) + "m cpu and " + std::to_string(need.memory) +
          (rolls ? " MB has no room: " : " MB have no room: ");
  if (!fits(Node(), need))
    return text + "a node has " + std::to_string(settings_.cpu) + "m cpu and " + std::to_string(settings_.memory) +
           " MB";
  text += std::to_string(now.nodes) + (now.nodes == 1 ? " node has " : " nodes have ") +
          std::to_string(now.cpu - now.cpu_used) + "m cpu and " + std::to_string(now.memory - now.memory_used) +
          " MB left";
  if (now.coming != 0) text += ", " + std::to_string(now.coming) + " more to come";
  return text;
}

}  // namespace orlop
