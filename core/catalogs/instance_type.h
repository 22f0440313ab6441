// The instance types of cloud providers: the names of their virtual machines. Settings::open_catalogs accepts others
// besides.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

// Whether there is a catalogue of the cloud provider's instance types ("AWS").
bool has_instance_types(std::string_view cloud_provider);

// "t3a.medium", in any case, and with an underscore in the place of the point ("T3A_MEDIUM"). False without a
// catalogue.
bool is_known_instance_type(std::string_view cloud_provider, std::string_view name);

// The known instance type with the most similar name; "" without a catalogue.
std::string nearest_instance_type(std::string_view cloud_provider, std::string_view name);

// The part of a managed database's instance type that names the machine: "t3.small" of "db.t3.small" and
// "cache.t3.small". "" if the name has neither prefix.
std::string_view machine_of_database(std::string_view name);

}  // namespace orlop
