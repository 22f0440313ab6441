#include <string>
#include <string_view>

#include "describe/pages/markdown.h"
#include "describe/pages/reference.h"
#include "model/role.h"
#include "rest/route.h"

namespace orlop {
namespace {

std::string roles() {
  std::string text = table_head({"role", "organization", "cluster", "project", "environment", "billing"});
  for (const Role& role : built_in_roles) {
    text += table_row({code(role.name), code(to_string(role.at(ScopeKind::organization))),
                       code(to_string(role.at(ScopeKind::cluster))), code(to_string(role.at(ScopeKind::project))),
                       code(to_string(role.at(ScopeKind::environment))), code(to_string(role.at(ScopeKind::billing)))});
  }
  return text;
}

std::string needs() {
  std::string text = table_head({"operation", "required level", "scope"});
  for (const Route& route : all_routes()) {
    const auto place = place_of(route);
    const std::string path = code(std::string(to_string(route.operation.method)) + " " + route.path);
    if (!place) text += table_row({path, "valid credentials", ""});
    else text += table_row({path, code(to_string(route.need)), std::string(to_string(*place))});
  }
  return text;
}

}  // namespace

std::string permissions_page() {
  std::string text = page_head("Permissions");
  text +=
      "\nIf authentication is required, an external caller has the role of its token or of its membership. A role "
      "grants a "
      "level in "
      "each scope; each level includes those before it: `view`, `operate` (deploy, restart, stop; create "
      "environments), `manage` "
      "(create, edit, delete), `administer` (members, roles, tokens, webhooks), `own`. What an organization uses and "
      "pays is a scope of its own, `billing`. Resources of an organization that the "
      "caller "
      "does not belong to are reported as not found (404). An operation that the role does not permit is refused with "
      "403.\n\n## Built-in "
      "roles\n\n";
  text += roles();
  text +=
      "\nA [custom role](custom_role.md) grants `view` on the organization, a level on each cluster (`VIEWER` is "
      "`view`, "
      "`ENV_CREATOR` "
      "`operate`, `ADMIN` `manage`; default `view`), and on each project a level for each environment mode "
      "(`NO_ACCESS` is "
      "`none`, "
      "`VIEWER` `view`, `DEPLOYER` `operate`, `MANAGER` `manage`; default `none`) or, with `is_admin`, `manage` on the "
      "whole "
      "project. "
      "Creating or editing an environment requires `manage` on its mode and `operate` on its cluster.\n\n## Required "
      "levels\n\n";
  return text + needs();
}

}  // namespace orlop
