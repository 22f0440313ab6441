// Services from git repositories: external systems answer with the default branch of a repository that a request names
// without one.
#include "endpoints/operation_set.h"
#include "records/verbs.h"

namespace orlop::operation_sets::services::default_branches {
namespace {

constexpr auto kinds_from_git =
    static_cast<std::uint8_t>(static_cast<int>(ServiceKind::application) | static_cast<int>(ServiceKind::job) |
                              static_cast<int>(ServiceKind::helm) | static_cast<int>(ServiceKind::terraform));
constexpr ReplacedVerb replaced[] = {{.verb = Verb::create, .handle = create_from_git},
                                     {.verb = Verb::edit, .handle = edit_from_git}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = services_of(kinds_from_git),
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::services::default_branches
