#include "deploy/request/sub_action.h"

namespace orlop {

std::string_view sub_action_of(std::string_view service_kind, Action action, const Value& overrides,
                               const Id& service) {
  if (service_kind != "TERRAFORM" || action == Action::none) return "NONE";
  if (action == Action::remove || action == Action::uninstall) return "TERRAFORM_DESTROY";
  const Value* asked = overrides.find(to_text(service));
  const std::string_view enum_value = asked == nullptr ? std::string_view() : asked->text_or("action", "");
  if (enum_value == "PLAN") return "TERRAFORM_PLAN_ONLY";
  if (enum_value == "FORCE_UNLOCK") return "TERRAFORM_FORCE_UNLOCK_STATE";
  if (enum_value == "MIGRATE_STATE") return "TERRAFORM_MIGRATE_STATE";
  return "TERRAFORM_PLAN_AND_APPLY";
}

}  // namespace orlop
