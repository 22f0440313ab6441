#include "families/shapes/services/git_repository.h"

#include <utility>

namespace orlop::shapes {
namespace {

struct Address {
  std::string_view host;
  std::string_view owner;
  std::string_view name;
};

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

// Parts that the address lacks are empty.
Address parse_address(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t host_end = rest.find('/');
  if (host_end == std::string_view::npos) return {rest, {}, {}};
  std::string_view host = rest.substr(0, host_end);
  if (const std::size_t user_end = host.rfind('@'); user_end != std::string_view::npos) host.remove_prefix(user_end + 1);
  const std::string_view path = without_suffix(without_suffix(rest.substr(host_end + 1), "/"), ".git");
  const std::size_t owner_end = path.rfind('/');
  if (owner_end == std::string_view::npos) return {host, {}, path};
  return {host, path.substr(0, owner_end), path.substr(owner_end + 1)};
}

std::string_view provider_of(std::string_view host) {
  if (host.find("gitlab") != std::string_view::npos) return "GITLAB";
  if (host.find("bitbucket") != std::string_view::npos) return "BITBUCKET";
  return "GITHUB";
}

}  // namespace

void check_git_repository(const Value& repository, std::string_view path, Violations& violations) {
  const std::string_view url = repository.text_or("url", "");
  if (!check_no_password(url, member_path(path, "url"), "a git token", violations)) return;
  const Address address = parse_address(url);
  if (!address.host.empty() && !address.owner.empty() && !address.name.empty()) return;
  refuse(violations, member_path(path, "url"), "must be an address like https://host/owner/name.git, not " + quoted(url));
}

void complete_git_repository(Value& repository, const Value* previous, ValidationContext& context) {
  const Address address = parse_address(repository.text_or("url", ""));
  const std::string owner(address.owner);
  const std::string name(address.name);
  const std::string_view guessed = provider_of(address.host);
  const auto token_id = id_of(repository, "git_token_id");
  const Value* token = token_id ? context.find("git_token", *token_id) : nullptr;
  set_absent(repository, "provider", token != nullptr ? Value(token->text_or("type", guessed)) : Value(guessed));
  set_absent(repository, "branch", Value("main"));
  repository.set("owner", Value(owner));
  repository.set("name", Value(name));
  repository.set("has_access", Value(true));
  if (token != nullptr) {
    repository.set("git_token_name", Value(token->text_or("name", "")));
  } else {
    repository.erase("git_token_name");
  }
  const bool is_same = previous != nullptr && previous->text_or("url", "") == repository.text_or("url", "");
  for (const std::string_view member :
       {"deployed_commit_id", "deployed_commit_date", "deployed_commit_contributor", "deployed_commit_tag"}) {
    if (is_same) {
      keep_from(repository, previous, {member});
    } else {
      repository.erase(member);
    }
  }
}

}  // namespace orlop::shapes
