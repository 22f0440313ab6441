#include "model/git_address.h"

namespace orlop {
namespace {

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

}  // namespace

GitAddress parse_git_address(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t host_end = rest.find('/');
  if (host_end == std::string_view::npos) return {rest, {}, {}};
  std::string_view host = rest.substr(0, host_end);
  if (const std::size_t user_end = host.rfind('@'); user_end != std::string_view::npos)
    host.remove_prefix(user_end + 1);
  const std::string_view path = without_suffix(without_suffix(rest.substr(host_end + 1), "/"), ".git");
  const std::size_t owner_end = path.rfind('/');
  if (owner_end == std::string_view::npos) return {host, {}, path};
  return {host, path.substr(0, owner_end), path.substr(owner_end + 1)};
}

std::string_view git_provider_of(std::string_view host) {
  if (host.find("gitlab") != std::string_view::npos) return "GITLAB";
  if (host.find("bitbucket") != std::string_view::npos) return "BITBUCKET";
  return "GITHUB";
}

}  // namespace orlop
