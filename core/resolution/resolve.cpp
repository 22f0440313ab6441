#include "resolution/resolve.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace orlop {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Finds the visible variable of a key, and the source of an alias. Variables are identified by their index in the list.
class VisibleIndex {
 public:
  explicit VisibleIndex(std::span<const Variable> visible) : visible_(visible) {
    chosen_.reserve(visible.size());
    bool has_links = false;
    for (std::size_t at = 0; at < visible.size(); ++at) {
      const auto [place, is_first] = chosen_.try_emplace(visible[at].key, at);
      if (!is_first && visible[at].scope >= visible[place->second].scope) place->second = at;
      has_links = has_links || !visible[at].target.is_nil();
    }
    if (has_links) index_links();
  }

  std::optional<std::size_t> find(std::string_view key) const {
    const auto found = chosen_.find(key);
    return found == chosen_.end() ? std::nullopt : std::optional(found->second);
  }

  // Returns one variable for each key, ascending by key.
  std::vector<std::size_t> all() const {
    std::vector<std::size_t> order;
    order.reserve(chosen_.size());
    for (const auto& [key, at] : chosen_) order.push_back(at);
    std::ranges::sort(order, {}, [this](std::size_t at) { return visible_[at].key; });
    return order;
  }

  // Returns the variable that provides the value: the variable itself, or for an alias its target or the target's
  // nearest override. The alias itself if the target is not visible.
  std::size_t source_of(std::size_t at) const {
    if (visible_[at].type != VariableType::alias) return at;
    const auto named = places_.find(visible_[at].target);
    std::size_t source = named == places_.end() ? at : named->second;
    // Terminates because each step reaches a nearer scope.
    for (auto next = overrides_.find(visible_[source].id); next != overrides_.end();
         next = overrides_.find(visible_[source].id)) {
      if (visible_[next->second].scope <= visible_[source].scope) break;
      source = next->second;
    }
    return source;
  }

 private:
  void index_links() {
    for (std::size_t at = 0; at < visible_.size(); ++at) places_.emplace(visible_[at].id, at);
    for (std::size_t at = 0; at < visible_.size(); ++at) {
      const Variable& variable = visible_[at];
      if (variable.type != VariableType::override_) continue;
      const auto [place, is_first] = overrides_.try_emplace(variable.target, at);
      if (!is_first && variable.scope >= visible_[place->second].scope) place->second = at;
    }
  }

  std::span<const Variable> visible_;
  std::unordered_map<std::string_view, std::size_t> chosen_;  // by key
  std::unordered_map<Id, std::size_t> places_;                // by id; only if a variable names another one
  std::unordered_map<Id, std::size_t> overrides_;             // nearest override, by id of the overridden variable
};

// Follows references from variable to variable, each variable once. Computes no values.
class CycleSearch {
 public:
  explicit CycleSearch(std::span<const Variable> visible)
      : visible_(visible), index_(visible), states_(visible.size(), State::unseen) {}

  std::string from(std::string_view key) {
    const auto found = index_.find(key);
    return found ? walk(*found) : std::string();
  }

  std::string anywhere() {
    for (const std::size_t at : index_.all()) {
      if (std::string cycle = walk(at); !cycle.empty()) return cycle;
    }
    return {};
  }

 private:
  enum class State : std::uint8_t { unseen, open, done };
  // A variable, and its references that remain to be followed.
  struct Step {
    std::size_t at;
    std::vector<std::size_t> next;
  };

  std::vector<std::size_t> targets_of(std::size_t at) const {
    const std::size_t source = index_.source_of(at);
    if (source != at) return {source};
    std::vector<std::size_t> targets;
    for (const std::string_view key : references_in(visible_[at])) {
      if (const auto found = index_.find(key)) targets.push_back(*found);
    }
    std::ranges::reverse(targets);  // taken from the back: the first one is followed first
    return targets;
  }

  std::string walk(std::size_t begin) {
    if (states_[begin] != State::unseen) return {};
    std::vector<Step> path;
    const auto enter = [&](std::size_t at) {
      states_[at] = State::open;
      path.push_back({at, targets_of(at)});
    };
    enter(begin);
    while (!path.empty()) {
      std::vector<std::size_t>& next = path.back().next;
      if (next.empty()) {
        states_[path.back().at] = State::done;
        path.pop_back();
        continue;
      }
      const std::size_t at = next.back();
      next.pop_back();
      if (states_[at] == State::open) return text_of(path, at);
      if (states_[at] == State::unseen) enter(at);
    }
    return {};
  }

  std::string text_of(const std::vector<Step>& path, std::size_t at) const {
    std::string text;
    for (auto step = std::ranges::find(path, at, &Step::at); step != path.end(); ++step)
      text.append(visible_[step->at].key).append(" -> ");
    return text.append(visible_[at].key);
  }

  std::span<const Variable> visible_;
  VisibleIndex index_;
  std::vector<State> states_;  // by index in visible_
};

class Resolver {
 public:
  Resolver(std::span<const Variable> visible, std::string_view built_in_prefix)
      : visible_(visible), built_in_prefix_(built_in_prefix), index_(visible), results_(visible.size()) {}

  Result<Resolution> all() {
    const std::vector<std::size_t> order = index_.all();
    resolution_.variables.reserve(order.size());
    for (const std::size_t at : order) {
      ORLOP_CHECK(resolve(at));
      const Variable& variable = visible_[at];
      const Variable& source = visible_[index_.source_of(at)];
      resolution_.variables.push_back({variable.key, results_[at].value, results_[at].is_secret,
                                       variable.mount_path.empty() ? source.mount_path : variable.mount_path,
                                       source.secret_manager_access,
                                       source.is_missing ? source.key : std::string_view()});
      size_ += results_[at].value.size();
      if (size_ > resolved_size_max) return too_large(variable.key);
    }
    return std::move(resolution_);
  }

 private:
  enum class Progress : std::uint8_t { none, running, done };
  struct Resolved {
    std::string value;
    bool is_secret = false;
    Progress progress = Progress::none;
  };

  Result<void> resolve(std::size_t at) {
    Resolved& result = results_[at];
    if (result.progress == Progress::done) return {};
    if (result.progress == Progress::running) return cycle_at(at);
    const Variable& variable = visible_[at];
    const std::size_t source = index_.source_of(at);
    const bool is_plain =
        source == at && (!variable.is_interpolated || is_external(variable.type) || !has_reference(variable.value));
    if (is_plain) {
      result = {std::string(variable.value), variable.is_secret, Progress::done};
      return {};
    }
    if (path_.size() >= reference_depth_max) return too_deep();
    result.progress = Progress::running;
    path_.push_back(at);
    if (source != at) {
      ORLOP_CHECK(resolve(source));
      result.value = results_[source].value;
      result.is_secret = results_[source].is_secret || variable.is_secret;
    } else {
      ORLOP_CHECK(interpolate(variable, result));
    }
    path_.pop_back();
    result.progress = Progress::done;
    return {};
  }

  Result<void> interpolate(const Variable& variable, Resolved& result) {
    std::string value;
    bool is_secret = variable.is_secret;
    ORLOP_CHECK(visit_references(
        variable.value, [&value](std::string_view literal) { value += literal; },
        [&](std::string_view key, std::string_view written) -> Result<void> {
          const auto found = index_.find(key);
          if (!found) {
            value += written;
            note_unknown(variable, key);
            return {};
          }
          ORLOP_CHECK(resolve(*found));
          const Resolved& named = results_[*found];
          value += named.value;
          is_secret = is_secret || named.is_secret;
          return value.size() > resolved_size_max ? Result<void>(too_large(variable.key)) : Result<void>();
        }));
    result.value = std::move(value);
    result.is_secret = is_secret;
    return {};
  }

  void note_unknown(const Variable& variable, std::string_view key) {
    const bool is_built_in = !built_in_prefix_.empty() && key.starts_with(built_in_prefix_);
    std::vector<UnknownReference>& noted = is_built_in ? resolution_.unknown_built_ins : resolution_.unknown;
    const auto is_same = [&](const UnknownReference& other) {
      return other.variable == variable.key && other.key == key;
    };
    const bool is_new = is_key(key) && noted.size() < unknown_references_max && std::ranges::none_of(noted, is_same);
    if (is_new) noted.push_back({variable.key, key, variable.is_secret});
  }

  Error cycle_at(std::size_t at) const {
    std::string cycle;
    for (auto step = std::ranges::find(path_, at); step != path_.end(); ++step)
      cycle.append(visible_[*step].key).append(" -> ");
    return make_error(ErrorCode::invalid,
                      "variables refer to each other in a cycle: " + cycle.append(visible_[at].key));
  }

  Error too_deep() const {
    return make_error(ErrorCode::invalid, "variable " + std::string(visible_[path_.front()].key) +
                                              " leads through more than " + std::to_string(reference_depth_max) +
                                              " references from variable to variable");
  }

  static Error too_large(std::string_view key) {
    return make_error(ErrorCode::invalid,
                      "the values of the variables have more than " + std::to_string(resolved_size_max) +
                          " bytes once the references in them are replaced, as in " + std::string(key));
  }

  std::span<const Variable> visible_;
  std::string_view built_in_prefix_;
  VisibleIndex index_;
  std::vector<Resolved> results_;  // by index in visible_
  std::vector<std::size_t> path_;  // references being followed
  Resolution resolution_;
  std::size_t size_ = 0;
};

}  // namespace

Result<Resolution> resolve_variables(std::span<const Variable> visible, std::string_view built_in_prefix) {
  return Resolver(visible, built_in_prefix).all();
}

Result<void> visit_references(
    std::string_view text, const std::function<void(std::string_view literal)>& literal,
    const std::function<Result<void>(std::string_view key, std::string_view written)>& reference) {
  while (true) {
    const std::size_t begin = text.find("{{");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find("}}", begin + 2);
    if (end == std::string_view::npos) break;
    // In "{{{{A}}" the inner braces are the reference.
    const std::size_t inner = text.rfind("{{", end - 2);
    literal(text.substr(0, inner));
    ORLOP_CHECK(reference(trimmed(text.substr(inner + 2, end - inner - 2)), text.substr(inner, end + 2 - inner)));
    text.remove_prefix(end + 2);
  }
  literal(text);
  return {};
}

std::string find_cycle(std::span<const Variable> visible, std::string_view key) {
  return CycleSearch(visible).from(key);
}
std::string find_cycle(std::span<const Variable> visible) { return CycleSearch(visible).anywhere(); }

std::vector<std::string_view> references_in(const Variable& variable) {
  std::vector<std::string_view> keys;
  if (!variable.is_interpolated || is_external(variable.type) || !has_reference(variable.value)) return keys;
  std::unordered_set<std::string_view> seen;
  (void)visit_references(
      variable.value, [](std::string_view) {},
      [&](std::string_view key, std::string_view) -> Result<void> {
        if (seen.insert(key).second) keys.push_back(key);
        return {};
      });
  return keys;
}

}  // namespace orlop
