// Catalogs of cloud providers and database engines: regions and versions. Settings::catalogs decides whether others are
// accepted.
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

// Returns an empty list if the cloud provider has no catalog.
std::span<const Region> regions_of(std::string_view cloud_provider);
// Returns the zones that a cluster can name instead of a region; empty for most cloud providers.
std::vector<std::string> zones_of(const Region& region);

// Returns the regions of a cloud provider ("AWS"); empty if it has no catalog.
std::span<const std::string_view> known_regions(std::string_view cloud_provider);

// Returns the versions of a database engine ("POSTGRESQL"); empty if it has no catalog.
std::span<const std::string_view> known_versions(std::string_view engine);

// Accepts the versions of the catalog and their releases: "16.4" if the catalog has "16".
bool is_known_version(std::string_view engine, std::string_view version);

}  // namespace orlop
