// What is known of cloud providers and database engines: regions and versions. Settings::catalogs decides whether
// others are accepted.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orlop {

struct Region {
  std::string_view cloud_provider;  // "AWS"
  std::string_view name;            // "eu-west-3"
  std::string_view country_code;    // "FR"
  std::string_view country;
  std::string_view city;
};

// Empty for a cloud provider without a catalog.
std::span<const Region> regions_of(std::string_view cloud_provider);
// The zones that a cluster can name in the place of a region; none for most cloud providers.
std::vector<std::string> zones_of(const Region& region);

// By the cloud provider's word ("AWS"); empty for one without a catalogue.
std::span<const std::string_view> known_regions(std::string_view cloud_provider);

// By the engine's word ("POSTGRESQL"); empty for one without a catalogue.
std::span<const std::string_view> known_versions(std::string_view engine);

// A version is known if it is in the catalogue, or is a release of one that is: "16.4" of "16".
bool is_known_version(std::string_view engine, std::string_view version);

}  // namespace orlop
