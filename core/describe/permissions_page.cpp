#include <string>
#include <string_view>

#include "describe/markdown.h"
#include "describe/reference.h"
#include "model/role.h"
#include "rest/route.h"

namespace orlop {
namespace {

std::string roles() {
  std::string text = table_head({"role", "organization", "cluster", "project", "environment"});
  for (const Role& role : built_in_roles) {
    text += table_row({code(role.name), code(to_string(role.at(ScopeKind::organization))), code(to_string(role.at(ScopeKind::cluster))),
                       code(to_string(role.at(ScopeKind::project))), code(to_string(role.at(ScopeKind::environment)))});
  }
  return text;
}

std::string needs() {
  std::string text = table_head({"operation", "needs", "in its"});
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
      "\nWhere authentication is required, a caller from outside has the role of its token or of its membership. A role gives a level in "
      "each kind of place; each level includes those before it: `view`, `operate` (deploy, restart, stop; make environments), `manage` "
      "(create, edit, delete), `administer` (members, roles, tokens, webhooks), `own`. What belongs to an organization that the caller is "
      "no member of is not there for it: 404, as for what was never made. What it may know of and not do is 403.\n\n## Built-in "
      "roles\n\n";
  text += roles();
  text +=
      "\nA [custom role](custom_role.md) gives `view` of the organization, a level for each cluster (`VIEWER` is `view`, `ENV_CREATOR` "
      "`operate`, `ADMIN` `manage`; `view` where it names none), and for each project a level by mode of environment (`NO_ACCESS` is "
      "`none`, `VIEWER` `view`, `DEPLOYER` `operate`, `MANAGER` `manage`; `none` where it names none) or, with `is_admin`, `manage` of "
      "all of it. To make or change an environment it takes `manage` of its mode, and `operate` of its cluster.\n\n## What each operation "
      "needs\n\n";
  return text + needs();
}

}  // namespace orlop
