#include "catalogs/cloud_catalog.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace orlop {
namespace {

constexpr Region all_regions[] = {
#define ORLOP_REGION(cloud_provider, name, country_code, country, city) \
  {cloud_provider, name, country_code, country, city},
#include "catalogs/regions.def"
};

// Suffixes of the zones of Scaleway's regions, which a cluster can name too.
constexpr std::string_view scaleway_zones[] = {"-1", "-2", "-3"};

std::vector<std::string> names_of_regions(std::string_view cloud_provider) {
  std::vector<std::string> names;
  for (const Region& region : regions_of(cloud_provider)) {
    names.emplace_back(region.name);
    for (std::string& zone : zones_of(region)) names.push_back(std::move(zone));
  }
  return names;
}

struct RegionNames {
  explicit RegionNames(std::string_view cloud_provider)
      : texts(names_of_regions(cloud_provider)), views(texts.begin(), texts.end()) {}
  std::vector<std::string> texts;
  std::vector<std::string_view> views;
};

// Released versions as clients name them: by the first number, or the first two.
constexpr std::string_view postgresql_versions[] = {"9.6", "10", "11", "12", "13", "14", "15", "16", "17", "18"};
constexpr std::string_view mysql_versions[] = {"5.7", "8", "8.0", "8.4", "9"};
constexpr std::string_view mongodb_versions[] = {"3.6", "4",   "4.0", "4.2", "4.4", "5",  "5.0",
                                                 "6",   "6.0", "7",   "7.0", "8",   "8.0"};
constexpr std::string_view redis_versions[] = {"5", "5.0", "6", "6.0", "6.2", "7", "7.0", "7.2", "7.4", "8", "8.0"};

struct Catalog {
  std::string_view of;
  std::span<const std::string_view> values;
};

constexpr Catalog versions[] = {{"POSTGRESQL", postgresql_versions},
                                {"MYSQL", mysql_versions},
                                {"MONGODB", mongodb_versions},
                                {"REDIS", redis_versions}};

std::span<const std::string_view> values_of(std::span<const Catalog> catalogs, std::string_view of) {
  const auto found = std::ranges::find(catalogs, of, &Catalog::of);
  return found == catalogs.end() ? std::span<const std::string_view>() : found->values;
}

}  // namespace

std::span<const Region> regions_of(std::string_view cloud_provider) {
  const auto first = std::ranges::find(all_regions, cloud_provider, &Region::cloud_provider);
  const auto last = std::find_if(first, std::end(all_regions),
                                 [&](const Region& region) { return region.cloud_provider != cloud_provider; });
  return {first, last};
}

std::vector<std::string> zones_of(const Region& region) {
  std::vector<std::string> zones;
  if (region.cloud_provider != "SCW") return zones;
  for (const std::string_view end : scaleway_zones) zones.push_back(std::string(region.name) + std::string(end));
  return zones;
}

std::span<const std::string_view> known_regions(std::string_view cloud_provider) {
  static const RegionNames aws("AWS"), gcp("GCP"), azure("AZURE"), scaleway("SCW");
  if (cloud_provider == "AWS") return aws.views;
  if (cloud_provider == "GCP") return gcp.views;
  if (cloud_provider == "AZURE") return azure.views;
  if (cloud_provider == "SCW") return scaleway.views;
  return {};
}

std::span<const std::string_view> known_versions(std::string_view engine) { return values_of(versions, engine); }

bool is_known_version(std::string_view engine, std::string_view version) {
  return std::ranges::any_of(known_versions(engine), [&](std::string_view known) {
    return version == known || (version.starts_with(known) && version.substr(known.size()).starts_with('.'));
  });
}

}  // namespace orlop
