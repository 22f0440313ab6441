// What is known of cloud providers and database engines: regions and versions. Settings::catalogs decides whether others are accepted.
#pragma once

#include <span>
#include <string_view>

namespace orlop {

// By the cloud provider's word ("AWS"); empty for one without a catalogue.
std::span<const std::string_view> known_regions(std::string_view cloud_provider);

// By the engine's word ("POSTGRESQL"); empty for one without a catalogue.
std::span<const std::string_view> known_versions(std::string_view engine);

// A version is known if it is in the catalogue, or is a release of one that is: "16.4" of "16".
bool is_known_version(std::string_view engine, std::string_view version);

}  // namespace orlop
