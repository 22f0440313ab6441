#include "catalogs/machine_type.h"

#include <algorithm>
#include <array>
#include <span>

namespace orlop {
namespace {

// A size of a series. The memory follows from the processors (MachineSeries::ram_by_cpu) unless the size sets it.
struct MachineSize {
  std::string_view name;
  int cpu;
  std::string_view gbps;
  bool is_shared = false;
  int ram_in_gib = 0;
  int gpu_count = 0;
};

struct MachineSeries {
  std::string_view cloud_provider;
  std::string_view name;    // "m6i"
  std::string_view before;  // prefix of the size in the type's name: "m6i."
  std::string_view after;   // suffix of the size in the type's name: "s_v5"
  std::span<const MachineSize> sizes;
  int ram_by_cpu = 0;
  std::string_view architecture = "AMD64";
  std::string_view gpu = {};
  int gpu_memory_in_mib = 0;  // of one GPU
};

// ---- Amazon Web Services

constexpr MachineSize burstable[] = {{"micro", 2, "5", true, 1},   {"small", 2, "5", true, 2},
                                     {"medium", 2, "5", true, 4},  {"large", 2, "5", true, 8},
                                     {"xlarge", 4, "5", true, 16}, {"2xlarge", 8, "5", true, 32}};
constexpr MachineSize generation_5[] = {
    {"large", 2, "10", true}, {"xlarge", 4, "10", true}, {"2xlarge", 8, "10", true}, {"4xlarge", 16, "10", true},
    {"8xlarge", 32, "10"},    {"12xlarge", 48, "12"},    {"16xlarge", 64, "20"},     {"24xlarge", 96, "25"}};
constexpr MachineSize compute_5[] = {{"large", 2, "10", true},    {"xlarge", 4, "10", true}, {"2xlarge", 8, "10", true},
                                     {"4xlarge", 16, "10", true}, {"9xlarge", 36, "12"},     {"12xlarge", 48, "12"},
                                     {"18xlarge", 72, "25"},      {"24xlarge", 96, "25"}};
constexpr MachineSize generation_6[] = {{"large", 2, "12.5", true},   {"xlarge", 4, "12.5", true},
                                        {"2xlarge", 8, "12.5", true}, {"4xlarge", 16, "12.5", true},
                                        {"8xlarge", 32, "12.5"},      {"12xlarge", 48, "18.75"},
                                        {"16xlarge", 64, "25"},       {"24xlarge", 96, "37.5"}};
constexpr MachineSize graviton_2[] = {
    {"medium", 1, "10", true},   {"large", 2, "10", true}, {"xlarge", 4, "10", true}, {"2xlarge", 8, "10", true},
    {"4xlarge", 16, "10", true}, {"8xlarge", 32, "12"},    {"12xlarge", 48, "20"},    {"16xlarge", 64, "25"}};
constexpr MachineSize graviton_3[] = {
    {"medium", 1, "12.5", true}, {"large", 2, "12.5", true}, {"xlarge", 4, "12.5", true}, {"2xlarge", 8, "15", true},
    {"4xlarge", 16, "15", true}, {"8xlarge", 32, "15"},      {"12xlarge", 48, "22.5"},    {"16xlarge", 64, "30"}};
constexpr MachineSize gpu_t4[] = {{"xlarge", 4, "25", true, 16, 1},
                                  {"2xlarge", 8, "25", true, 32, 1},
                                  {"4xlarge", 16, "25", true, 64, 1},
                                  {"8xlarge", 32, "50", false, 128, 1}};
constexpr MachineSize gpu_a10g[] = {{"xlarge", 4, "10", true, 16, 1},
                                    {"2xlarge", 8, "10", true, 32, 1},
                                    {"4xlarge", 16, "25", true, 64, 1},
                                    {"8xlarge", 32, "25", false, 128, 1}};

// ---- Microsoft Azure

constexpr MachineSize azure_b[] = {{"2", 2, "6.25", true},
                                   {"4", 4, "6.25", true},
                                   {"8", 8, "6.25", true},
                                   {"16", 16, "6.25", true},
                                   {"32", 32, "6.25", true}};
constexpr MachineSize azure_v5[] = {{"2", 2, "12.5"}, {"4", 4, "12.5"}, {"8", 8, "12.5"}, {"16", 16, "12.5"},
                                    {"32", 32, "16"}, {"48", 48, "24"}, {"64", 64, "30"}, {"96", 96, "35"}};
constexpr MachineSize azure_arm[] = {{"2", 2, "12.5"}, {"4", 4, "12.5"}, {"8", 8, "12.5"}, {"16", 16, "12.5"},
                                     {"32", 32, "16"}, {"48", 48, "24"}, {"64", 64, "40"}};
constexpr MachineSize azure_f[] = {{"2", 2, "5"},    {"4", 4, "10"},   {"8", 8, "12.5"}, {"16", 16, "12.5"},
                                   {"32", 32, "16"}, {"48", 48, "21"}, {"64", 64, "28"}, {"72", 72, "30"}};
constexpr MachineSize azure_t4[] = {{"4", 4, "8", false, 28, 1},
                                    {"8", 8, "8", false, 56, 1},
                                    {"16", 16, "8", false, 110, 1},
                                    {"64", 64, "32", false, 440, 4}};

// ---- Google Cloud Platform

constexpr MachineSize google_e2[] = {
    {"2", 2, "4", true}, {"4", 4, "8", true}, {"8", 8, "16", true}, {"16", 16, "16", true}};
constexpr MachineSize google_e2_large[] = {
    {"2", 2, "4", true}, {"4", 4, "8", true}, {"8", 8, "16", true}, {"16", 16, "16", true}, {"32", 32, "16", true}};
constexpr MachineSize google_n2[] = {{"2", 2, "10", true},   {"4", 4, "10", true},   {"8", 8, "16", true},
                                     {"16", 16, "32", true}, {"32", 32, "32", true}, {"48", 48, "32", true},
                                     {"64", 64, "32", true}, {"80", 80, "32", true}};
constexpr MachineSize google_t2a[] = {{"1", 1, "10", true},  {"2", 2, "10", true},   {"4", 4, "10", true},
                                      {"8", 8, "16", true},  {"16", 16, "32", true}, {"32", 32, "32", true},
                                      {"48", 48, "32", true}};
constexpr MachineSize google_l4[] = {{"4", 4, "10", true, 16, 1},
                                     {"8", 8, "16", true, 32, 1},
                                     {"12", 12, "16", true, 48, 1},
                                     {"16", 16, "32", true, 64, 1},
                                     {"24", 24, "32", true, 96, 2}};

// ---- Scaleway

constexpr MachineSize scaleway_dev[] = {
    {"M", 3, "0.3", false, 4}, {"L", 4, "0.4", false, 8}, {"XL", 4, "0.5", false, 12}};
constexpr MachineSize scaleway_gp[] = {
    {"XS", 4, "0.5"}, {"S", 8, "0.8"}, {"M", 16, "1.5"}, {"L", 32, "5"}, {"XL", 48, "10", false, 256}};
constexpr MachineSize scaleway_play[] = {{"NANO", 2, "0.2", false, 4}, {"MICRO", 4, "0.4", false, 8}};
constexpr MachineSize scaleway_pro[] = {
    {"XXS", 2, "0.35"}, {"XS", 4, "0.7"}, {"S", 8, "1.5"}, {"M", 16, "3"}, {"L", 32, "6"}};
constexpr MachineSize scaleway_pop[] = {{"2C-8G", 2, "0.4"},    {"4C-16G", 4, "0.8"},    {"8C-32G", 8, "1.6"},
                                        {"16C-64G", 16, "3.2"}, {"32C-128G", 32, "6.4"}, {"64C-256G", 64, "12.8"}};

constexpr MachineSeries all_series[] = {
    {"AWS", "t3", "t3.", "", burstable},
    {"AWS", "t3a", "t3a.", "", burstable},
    {"AWS", "t4g", "t4g.", "", burstable, 0, "ARM64"},
    {"AWS", "m5", "m5.", "", generation_5, 4},
    {"AWS", "m6i", "m6i.", "", generation_6, 4},
    {"AWS", "m6a", "m6a.", "", generation_6, 4},
    {"AWS", "m6g", "m6g.", "", graviton_2, 4, "ARM64"},
    {"AWS", "m7i", "m7i.", "", generation_6, 4},
    {"AWS", "m7a", "m7a.", "", generation_6, 4},
    {"AWS", "m7g", "m7g.", "", graviton_3, 4, "ARM64"},
    {"AWS", "c5", "c5.", "", compute_5, 2},
    {"AWS", "c6i", "c6i.", "", generation_6, 2},
    {"AWS", "c6a", "c6a.", "", generation_6, 2},
    {"AWS", "c6g", "c6g.", "", graviton_2, 2, "ARM64"},
    {"AWS", "c7i", "c7i.", "", generation_6, 2},
    {"AWS", "c7g", "c7g.", "", graviton_3, 2, "ARM64"},
    {"AWS", "r5", "r5.", "", generation_5, 8},
    {"AWS", "r6i", "r6i.", "", generation_6, 8},
    {"AWS", "r6g", "r6g.", "", graviton_2, 8, "ARM64"},
    {"AWS", "r7i", "r7i.", "", generation_6, 8},
    {"AWS", "r7g", "r7g.", "", graviton_3, 8, "ARM64"},
    {"AWS", "g4dn", "g4dn.", "", gpu_t4, 0, "AMD64", "T4", 16'384},
    {"AWS", "g5", "g5.", "", gpu_a10g, 0, "AMD64", "A10G", 24'576},
    {"AZURE", "Bsv2", "Standard_B", "s_v2", azure_b, 4},
    {"AZURE", "Dsv5", "Standard_D", "s_v5", azure_v5, 4},
    {"AZURE", "Dasv5", "Standard_D", "as_v5", azure_v5, 4},
    {"AZURE", "Dpsv5", "Standard_D", "ps_v5", azure_arm, 4, "ARM64"},
    {"AZURE", "Esv5", "Standard_E", "s_v5", std::span(azure_v5).first(6), 8},
    {"AZURE", "Fsv2", "Standard_F", "s_v2", azure_f, 2},
    {"AZURE", "NCasT4_v3", "Standard_NC", "as_T4_v3", azure_t4, 0, "AMD64", "T4", 16'384},
    {"GCP", "e2-standard", "e2-standard-", "", google_e2_large, 4},
    {"GCP", "e2-highmem", "e2-highmem-", "", google_e2, 8},
    {"GCP", "n2-standard", "n2-standard-", "", google_n2, 4},
    {"GCP", "n2-highmem", "n2-highmem-", "", google_n2, 8},
    {"GCP", "n2d-standard", "n2d-standard-", "", google_n2, 4},
    {"GCP", "t2a-standard", "t2a-standard-", "", google_t2a, 4, "ARM64"},
    {"GCP", "g2-standard", "g2-standard-", "", google_l4, 0, "AMD64", "L4", 24'576},
    {"SCW", "DEV1", "DEV1-", "", scaleway_dev},
    {"SCW", "GP1", "GP1-", "", scaleway_gp, 4},
    {"SCW", "PLAY2", "PLAY2-", "", scaleway_play},
    {"SCW", "PRO2", "PRO2-", "", scaleway_pro, 4},
    {"SCW", "POP2", "POP2-", "", scaleway_pop, 4},
};

// Series of machines of managed databases.
constexpr std::string_view database_series[] = {"t3", "t4g", "m5", "m6i", "m6g", "r5", "r6g", "r7g"};
constexpr std::string_view document_series[] = {"r5", "r6g"};
constexpr std::string_view cache_series[] = {"t3", "t4g", "m6g", "m7g", "r6g", "r7g"};

struct DatabaseMachines {
  std::string_view engine;
  std::string_view before;
  std::span<const std::string_view> series;
  int burstable_ram_max = 32;  // GiB
};
constexpr DatabaseMachines database_machines[] = {{"POSTGRESQL", "db.", database_series},
                                                  {"MYSQL", "db.", database_series},
                                                  {"MONGODB", "db.", document_series},
                                                  {"REDIS", "cache.", cache_series, 4}};

MachineType machine_of(const MachineSeries& series, const MachineSize& size) {
  MachineType made;
  made.name.append(series.before).append(size.name).append(series.after);
  made.series = series.name;
  made.size = size.name;
  made.cpu = size.cpu;
  made.ram_in_gib = size.ram_in_gib == 0 ? size.cpu * series.ram_by_cpu : size.ram_in_gib;
  made.bandwidth_in_gbps = size.gbps;
  made.is_bandwidth_shared = size.is_shared;
  made.architecture = series.architecture;
  made.gpu = {size.gpu_count, series.gpu, size.gpu_count * series.gpu_memory_in_mib};
  return made;
}

}  // namespace

std::vector<MachineType> machine_types_of(std::string_view cloud_provider) {
  std::vector<MachineType> types;
  for (const MachineSeries& series : all_series) {
    if (series.cloud_provider != cloud_provider) continue;
    for (const MachineSize& size : series.sizes) types.push_back(machine_of(series, size));
  }
  return types;
}

std::vector<std::string> database_machines_of(std::string_view engine) {
  std::vector<std::string> names;
  const auto known = std::ranges::find(database_machines, engine, &DatabaseMachines::engine);
  if (known == std::end(database_machines)) return names;
  for (const MachineSeries& series : all_series) {
    if (series.cloud_provider != "AWS" || std::ranges::find(known->series, series.name) == known->series.end())
      continue;
    for (const MachineSize& size : series.sizes) {
      // Sizes with one processor are not offered.
      const bool is_offered = size.cpu >= 2 && size.ram_in_gib <= known->burstable_ram_max;
      if (is_offered) names.push_back(std::string(known->before) + std::string(series.before) + std::string(size.name));
    }
  }
  return names;
}

}  // namespace orlop
