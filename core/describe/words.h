// Spellings of the core's names for documents.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/family.h"

namespace orlop {

// Returns "DeploymentStage" for "deployment_stage", "deployment stage" and "deployment-stage".
std::string camel_case(std::string_view name);
// Converts ASCII letters only.
std::string upper_case(std::string_view name);
// Returns "deployment stage" for "deployment_stage", and "AWS credentials" for "aws_credentials".
std::string spaced(std::string_view name);
// Adds an article: "a cluster", "an environment"; none to plurals such as "AWS credentials".
std::string with_article(std::string_view noun);
// Return the noun for a record of the family, such as "container registry" or "Helm service", and its plural.
std::string noun_of(const Family& family);
std::string nouns_of(const Family& family);
// Returns the name of a parent's collection of the family, such as "container_registries".
std::string plural_of(const Family& family);

// Returns the families with this parent, in the order of all_families().
std::vector<const Family*> children_of(const Family& family);

// Returns the nouns of the families that may be the parent: "application, container or Helm service"; "" for a root.
std::string parents_text(const Family& family);

// Returns the name of a field under the default brand.
std::string shown_name(const Field& field);

// Joins the parts, with `separator` between them.
std::string join(std::span<const std::string> parts, std::string_view separator);

}  // namespace orlop
