// Instance types of cloud providers: the names of their virtual machines. Settings::catalogs accepts others too.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

// Reports whether there is a catalog of the cloud provider's instance types ("AWS").
bool has_instance_types(std::string_view cloud_provider);

// Accepts "t3a.medium" in any case, also with an underscore instead of the dot ("T3A_MEDIUM"). Returns false if there
// is no catalog.
bool is_known_instance_type(std::string_view cloud_provider, std::string_view name);

// Returns the known instance type with the most similar name; empty if there is no catalog.
std::string nearest_instance_type(std::string_view cloud_provider, std::string_view name);

// Returns the machine in a managed database's instance type: "t3.small" of "db.t3.small" and "cache.t3.small". Empty if
// the name has neither prefix.
std::string_view machine_of_database(std::string_view name);

}  // namespace orlop
