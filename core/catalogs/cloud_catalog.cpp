#include "catalogs/cloud_catalog.h"

#include <algorithm>

namespace orlop {
namespace {

// From the providers' public lists of regions, November 2026. Those of Amazon Web Services are the regions of the public, China, government
// and European sovereign partitions in botocore 1.44.5; Azure's include the government regions.
constexpr std::string_view aws_regions[] = {
    "af-south-1",     "ap-east-1",      "ap-east-2",      "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1",
    "ap-south-2",     "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6",
    "ap-southeast-7", "ca-central-1",   "ca-west-1",      "cn-north-1",     "cn-northwest-1", "eu-central-1",   "eu-central-2",
    "eu-north-1",     "eu-south-1",     "eu-south-2",     "eu-west-1",      "eu-west-2",      "eu-west-3",      "il-central-1",
    "me-central-1",   "me-south-1",     "mx-central-1",   "sa-east-1",      "us-east-1",      "us-east-2",      "us-gov-east-1",
    "us-gov-west-1",  "us-west-1",      "us-west-2",      "eusc-de-east-1"};

constexpr std::string_view gcp_regions[] = {
    "africa-south1",           "asia-east1",           "asia-east2",              "asia-northeast1",   "asia-northeast2",
    "asia-northeast3",         "asia-south1",          "asia-south2",             "asia-southeast1",   "asia-southeast2",
    "australia-southeast1",    "australia-southeast2", "europe-central2",         "europe-north1",     "europe-north2",
    "europe-southwest1",       "europe-west1",         "europe-west10",           "europe-west12",     "europe-west2",
    "europe-west3",            "europe-west4",         "europe-west6",            "europe-west8",      "europe-west9",
    "me-central1",             "me-central2",          "me-west1",                "northamerica-northeast1",
    "northamerica-northeast2", "northamerica-south1",  "southamerica-east1",      "southamerica-west1", "us-central1",
    "us-east1",                "us-east4",             "us-east5",                "us-south1",         "us-west1",
    "us-west2",                "us-west3",             "us-west4"};

constexpr std::string_view azure_regions[] = {
    "australiacentral",   "australiacentral2", "australiaeast",  "australiasoutheast", "austriaeast",       "belgiumcentral",
    "brazilsouth",        "brazilsoutheast",   "canadacentral",  "canadaeast",         "centralindia",      "centralus",
    "chilecentral",       "eastasia",          "eastus",         "eastus2",            "francecentral",     "francesouth",
    "germanynorth",       "germanywestcentral", "indonesiacentral", "israelcentral",   "italynorth",        "japaneast",
    "japanwest",          "jioindiacentral",   "jioindiawest",   "koreacentral",       "koreasouth",        "malaysiawest",
    "mexicocentral",      "newzealandnorth",   "northcentralus", "northeurope",        "norwayeast",        "norwaywest",
    "polandcentral",      "qatarcentral",      "southafricanorth", "southafricawest",  "southcentralus",    "southeastasia",
    "southindia",         "spaincentral",      "swedencentral",  "switzerlandnorth",   "switzerlandwest",   "uaecentral",
    "uaenorth",           "uksouth",           "ukwest",         "westcentralus",      "westeurope",        "westindia",
    "westus",             "westus2",           "westus3",        "usgovarizona",       "usgovtexas",        "usgovvirginia"};

// Regions, and the zones that a cluster can be put into.
constexpr std::string_view scaleway_regions[] = {"fr-par",   "fr-par-1", "fr-par-2", "fr-par-3", "nl-ams",   "nl-ams-1",
                                                 "nl-ams-2", "nl-ams-3", "pl-waw",   "pl-waw-1", "pl-waw-2", "pl-waw-3"};

// Versions that the projects have released, by what a client names: the first number, or the first two.
constexpr std::string_view postgresql_versions[] = {"9.6", "10", "11", "12", "13", "14", "15", "16", "17", "18"};
constexpr std::string_view mysql_versions[] = {"5.7", "8", "8.0", "8.4", "9"};
constexpr std::string_view mongodb_versions[] = {"3.6", "4", "4.0", "4.2", "4.4", "5", "5.0", "6", "6.0", "7", "7.0", "8", "8.0"};
constexpr std::string_view redis_versions[] = {"5", "5.0", "6", "6.0", "6.2", "7", "7.0", "7.2", "7.4", "8", "8.0"};

struct Catalog {
  std::string_view of;
  std::span<const std::string_view> values;
};

constexpr Catalog regions[] = {{"AWS", aws_regions}, {"GCP", gcp_regions}, {"AZURE", azure_regions}, {"SCW", scaleway_regions}};
constexpr Catalog versions[] = {{"POSTGRESQL", postgresql_versions},
                                {"MYSQL", mysql_versions},
                                {"MONGODB", mongodb_versions},
                                {"REDIS", redis_versions}};

std::span<const std::string_view> values_of(std::span<const Catalog> catalogs, std::string_view of) {
  const auto found = std::ranges::find(catalogs, of, &Catalog::of);
  return found == catalogs.end() ? std::span<const std::string_view>() : found->values;
}

}  // namespace

std::span<const std::string_view> known_regions(std::string_view cloud_provider) { return values_of(regions, cloud_provider); }

std::span<const std::string_view> known_versions(std::string_view engine) { return values_of(versions, engine); }

bool is_known_version(std::string_view engine, std::string_view version) {
  return std::ranges::any_of(known_versions(engine), [&](std::string_view known) {
    return version == known || (version.starts_with(known) && version.substr(known.size()).starts_with('.'));
  });
}

}  // namespace orlop
