// Asks external systems for the default branch of git repositories that a request names without a branch.
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "external_systems/ask.h"
#include "model/git_address.h"
#include "model/registry.h"
#include "records/create_many.h"
#include "records/git_secret.h"
#include "records/verbs.h"

namespace orlop {
namespace {

// Paths of git repositories in the bodies of services.
using MemberPath = std::array<std::string_view, 4>;
constexpr std::array<MemberPath, 7> repository_paths = {{{"git_repository"},
                                                         {"source", "docker", "git_repository"},
                                                         {"source", "git_repository"},
                                                         {"source", "git", "git_repository"},
                                                         {"values_override", "file", "git", "git_repository"},
                                                         {"terraform_files_source", "git_repository"},
                                                         {"terraform_files_source", "git", "git_repository"}}};

constexpr std::string_view unknown_branch =
    "the default branch of a git repository is not known, since external systems failed: it is main";

// Repository without a branch, and the question about it.
struct Unnamed {
  MemberPath path;
  std::string url;
  Value input = Value::object();
};

Value* member_at(Value& body, const MemberPath& path) {
  Value* found = &body;
  for (const std::string_view name : path) {
    if (found != nullptr && !name.empty()) found = found->find(name);
  }
  return found;
}

bool names_no_branch(const Value& repository) {
  return repository.is_object() && !repository.text_or("url", "").empty() && repository.text_or("branch", "").empty();
}

Result<Value> question_about(Unit& unit, const Call& call, const Id& organization, const Value& repository) {
  const auto token_id = parse_id(repository.text_or("git_token_id", ""));
  ORLOP_TRY(token, token_id ? unit.record(*token_id) : Result<Shared<Record>>(Shared<Record>()));
  std::string provider(git_provider_of(parse_git_address(repository.text_or("url", "")).host));
  std::string secret;
  if (token && token->organization == organization) {
    ORLOP_TRY(value, unit.value_of(*token));
    provider = value->text_or("type", provider);
    ORLOP_TRY(found, git_secret_of(unit, token->id));
    secret = std::move(found);
  }
  Value input = Value::object();
  input.add("organization_id", Value(to_text(organization)));
  input.add("caller", Value(call.author));
  input.add("provider", Value(repository.text_or("provider", provider)));
  input.add("token", Value(std::move(secret)));
  return input;
}

Result<std::vector<Unnamed>> find_unnamed(Unit& unit, const Call& call, const Id& organization) {
  std::vector<Unnamed> found;
  Value body = *call.body;
  for (const MemberPath& path : repository_paths) {
    const Value* repository = member_at(body, path);
    if (repository == nullptr || !names_no_branch(*repository)) continue;
    ORLOP_TRY(input, question_about(unit, call, organization, *repository));
    found.push_back({path, std::string(repository->text_or("url", "")), std::move(input)});
  }
  return found;
}

// Returns "" if the list lacks the repository or its default branch.
std::string default_branch_in(const Value& repositories, std::string_view url) {
  const GitAddress address = parse_git_address(url);
  const std::string name = std::string(address.owner) + "/" + std::string(address.name);
  for (const Value& repository : repositories.items()) {
    const GitAddress listed = parse_git_address(repository.text_or("url", ""));
    // The repository's URL may be an address of SSH.
    const bool is_it = listed.host.empty() ? repository.text_or("name", "") == name : listed == address;
    if (is_it) return std::string(repository.text_or("default_branch", ""));
  }
  return {};
}

// Adds the branches that external systems know to the body; false if they failed.
bool add_branches(ExternalSystems& systems, std::string_view brand, const std::vector<Unnamed>& unnamed, Value& body) {
  bool is_known = true;
  for (const Unnamed& each : unnamed) {
    const auto repositories = ask(&systems, Question::list_repositories, each.input, brand);
    is_known = is_known && (repositories || repositories.error().code == ErrorCode::unanswered);
    const std::string branch = repositories ? default_branch_in(*repositories, each.url) : std::string();
    if (!branch.empty()) member_at(body, each.path)->set("branch", Value(branch));
  }
  return is_known;
}

Result<Answer> write_with_branches(Unit& unit, const Call& call, Handler write) {
  ExternalSystems* const systems = unit.settings().external_systems;
  const bool may_answer = systems != nullptr && systems->answers(facts_of(Question::list_repositories).name);
  if (!may_answer || call.ids.empty()) return write(unit, call);
  ORLOP_TRY(named, unit.record(call.ids.back()));
  if (!named) return write(unit, call);
  ORLOP_TRY(unnamed, find_unnamed(unit, call, named->organization));
  if (unnamed.empty()) return write(unit, call);
  if (unit.changes().empty()) {  // a part of a batch cannot ask
    Unit trial(Unit::Trial(), unit);
    if (auto tried = write(trial, call); !tried) return std::move(tried).error();
  }
  Answer prepared;
  prepared.ask = [call, write, systems, brand = unit.settings().brand,
                  unnamed = std::move(unnamed)]() -> Result<Answer> {
    const auto body = std::make_shared<Value>(*call.body);
    const bool is_known = add_branches(*systems, brand, unnamed, *body);
    Answer asked;
    // keeps the body alive for the second transaction
    asked.apply = [call, write, body, is_known](Unit& later) -> Result<Answer> {
      Call with_branches = call;
      with_branches.body = body.get();
      ORLOP_TRY(answer, write(later, with_branches));
      if (!is_known && answer.warning.empty()) answer.warning = unknown_branch;
      return std::move(answer);
    };
    return asked;
  };
  return prepared;
}

}  // namespace

Result<Answer> create_from_git(Unit& unit, const Call& call) {
  return write_with_branches(unit, call, call.names == nullptr ? create : create_many);
}

Result<Answer> edit_from_git(Unit& unit, const Call& call) { return write_with_branches(unit, call, edit); }

}  // namespace orlop
