// The words that documents make of the core's names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/family.h"

namespace orlop {

// "deployment_stage", "deployment stage" and "deployment-stage" are "DeploymentStage".
std::string camel_case(std::string_view name);
// ASCII letters only.
std::string upper_case(std::string_view name);
// "deployment_stage" is "deployment stage", and "aws_credentials" is "AWS credentials".
std::string spaced(std::string_view name);
// "a cluster", "an environment"; "AWS credentials" as it is.
std::string with_article(std::string_view noun);
// What a record of the family is to people: "container registry", "Helm service"; and several of them.
std::string noun_of(const Family& family);
std::string nouns_of(const Family& family);
// The name under which a parent holds its records of the family: "container_registries".
std::string plural_of(const Family& family);

// The families whose parent this is, in the order of all_families().
std::vector<const Family*> children_of(const Family& family);

// The nouns of the families that may be the parent: "application, container or Helm service"; "" for a root.
std::string parents_text(const Family& family);

// A field's name under the default brand.
std::string shown_name(const Field& field);

// Every part after the first with `separator` before it.
std::string join(std::span<const std::string> parts, std::string_view separator);

}  // namespace orlop
