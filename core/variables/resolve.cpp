#include "variables/resolve.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace orlop {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Hands over the literal parts and the keys of a value, in their order.
template <typename Literal, typename Reference>
Result<void> walk_references(std::string_view value, Literal literal, Reference reference) {
  while (true) {
    const std::size_t begin = value.find("{{");
    const std::size_t end = begin == std::string_view::npos ? begin : value.find("}}", begin + 2);
    if (end == std::string_view::npos) break;
    // Of "{{{{A}}" the inner braces are the reference.
    const std::size_t inner = value.rfind("{{", end - 2);
    literal(value.substr(0, inner));
    ORLOP_CHECK(reference(trimmed(value.substr(inner + 2, end - inner - 2)), value.substr(inner, end + 2 - inner)));
    value.remove_prefix(end + 2);
  }
  literal(value);
  return {};
}

class Resolver {
 public:
  explicit Resolver(std::span<const Variable> visible) : visible_(visible), results_(visible.size()) {
    chosen_.reserve(visible.size());
    for (std::size_t at = 0; at < visible.size(); ++at) {
      const auto [place, is_first] = chosen_.try_emplace(visible[at].key, at);
      if (!is_first && visible[at].scope >= visible[place->second].scope) place->second = at;
      has_links_ = has_links_ || !visible[at].target.is_nil();
    }
    if (has_links_) index_links();
  }

  Result<std::vector<ResolvedVariable>> all() {
    std::vector<std::size_t> order;
    order.reserve(chosen_.size());
    for (const auto& [key, at] : chosen_) order.push_back(at);
    std::ranges::sort(order, {}, [this](std::size_t at) { return visible_[at].key; });
    std::vector<ResolvedVariable> resolved;
    resolved.reserve(order.size());
    for (const std::size_t at : order) {
      ORLOP_CHECK(resolve(at));
      const Variable& variable = visible_[at];
      const Variable& source = visible_[source_of(at)];
      resolved.push_back({variable.key, results_[at].value, results_[at].is_secret,
                          variable.mount_path.empty() ? source.mount_path : variable.mount_path, source.secret_manager_access});
      size_ += results_[at].value.size();
      if (size_ > resolved_size_max) return too_large(variable.key);
    }
    return resolved;
  }

  std::string cycle_of(std::string_view key) {
    const auto found = chosen_.find(key);
    if (found == chosen_.end()) return {};
    (void)resolve(found->second);
    return std::exchange(cycle_, {});
  }

 private:
  enum class Progress : std::uint8_t { none, running, done };
  struct Resolved {
    std::string value;
    bool is_secret = false;
    Progress progress = Progress::none;
  };

  void index_links() {
    for (std::size_t at = 0; at < visible_.size(); ++at) places_.emplace(visible_[at].id, at);
    for (std::size_t at = 0; at < visible_.size(); ++at) {
      const Variable& variable = visible_[at];
      if (variable.type != VariableType::override_) continue;
      const auto [place, is_first] = overrides_.try_emplace(variable.target, at);
      if (!is_first && variable.scope >= visible_[place->second].scope) place->second = at;
    }
  }

  // The variable whose value this one has: itself, or what an alias stands for; itself if that is not visible.
  std::size_t source_of(std::size_t at) const {
    if (visible_[at].type != VariableType::alias) return at;
    const auto named = places_.find(visible_[at].target);
    std::size_t source = named == places_.end() ? at : named->second;
    // Scopes only get nearer, so that this ends.
    for (auto next = overrides_.find(visible_[source].id); next != overrides_.end(); next = overrides_.find(visible_[source].id)) {
      if (visible_[next->second].scope <= visible_[source].scope) break;
      source = next->second;
    }
    return source;
  }

  Result<void> resolve(std::size_t at) {
    Resolved& result = results_[at];
    if (result.progress == Progress::done) return {};
    if (result.progress == Progress::running) return note_cycle(at);
    const Variable& variable = visible_[at];
    const std::size_t source = source_of(at);
    const bool is_plain = source == at && (!variable.is_interpolated || is_external(variable.type) || !has_reference(variable.value));
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
    ORLOP_CHECK(walk_references(
        variable.value, [&value](std::string_view literal) { value += literal; },
        [&](std::string_view key, std::string_view written) -> Result<void> {
          const auto found = chosen_.find(key);
          if (found == chosen_.end()) {
            value += written;
            return {};
          }
          ORLOP_CHECK(resolve(found->second));
          const Resolved& named = results_[found->second];
          value += named.value;
          is_secret = is_secret || named.is_secret;
          return value.size() > resolved_size_max ? Result<void>(too_large(variable.key)) : Result<void>();
        }));
    result.value = std::move(value);
    result.is_secret = is_secret;
    return {};
  }

  Error note_cycle(std::size_t at) {
    auto step = std::ranges::find(path_, at);
    for (; step != path_.end(); ++step) cycle_.append(visible_[*step].key).append(" -> ");
    cycle_.append(visible_[at].key);
    return make_error(ErrorCode::invalid, "variables refer to each other in a cycle: " + cycle_);
  }

  Error too_deep() const {
    return make_error(ErrorCode::invalid, "variable " + std::string(visible_[path_.front()].key) + " leads through more than " +
                                              std::to_string(reference_depth_max) + " references from variable to variable");
  }

  static Error too_large(std::string_view key) {
    return make_error(ErrorCode::invalid, "the values of the variables have more than " + std::to_string(resolved_size_max) +
                                              " bytes once the references in them are replaced, as in " + std::string(key));
  }

  std::span<const Variable> visible_;
  std::vector<Resolved> results_;                              // by place in visible_
  std::unordered_map<std::string_view, std::size_t> chosen_;   // by key
  std::unordered_map<Id, std::size_t> places_;                 // by id; only if a variable names another one
  std::unordered_map<Id, std::size_t> overrides_;              // the nearest override, by the variable that it names
  std::vector<std::size_t> path_;                              // of the references that are being followed
  std::string cycle_;
  std::size_t size_ = 0;
  bool has_links_ = false;
};

}  // namespace

Result<std::vector<ResolvedVariable>> resolve_variables(std::span<const Variable> visible) { return Resolver(visible).all(); }

std::string find_cycle(std::span<const Variable> visible, std::string_view key) { return Resolver(visible).cycle_of(key); }

}  // namespace orlop
