#include "catalogs/machine_type.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "catalogs/instance_type.h"

namespace orlop {
namespace {

TEST(MachineTypes, HaveASizeAndAreThereOnce) {
  std::set<std::string> names;
  for (const std::string_view cloud : {"AWS", "AZURE", "GCP", "SCW"}) {
    const auto types = machine_types_of(cloud);
    EXPECT_GE(types.size(), 20U) << cloud;
    for (const MachineType& type : types) {
      EXPECT_TRUE(names.insert(type.name).second) << type.name << " is there twice";
      EXPECT_GE(type.cpu, 1) << type.name;
      EXPECT_GE(type.ram_in_gib, 1) << type.name;
      EXPECT_FALSE(type.bandwidth_in_gbps.empty()) << type.name;
      EXPECT_EQ(type.gpu.count > 0, type.gpu.memory_in_mib > 0) << type.name;
      EXPECT_EQ(is_known_instance_type(cloud, type.name), cloud == "AWS") << type.name;
    }
  }
  EXPECT_TRUE(machine_types_of("ON_PREMISE").empty());
}

TEST(MachineTypes, OfDatabasesAreMachines) {
  for (const std::string_view engine : {"POSTGRESQL", "MYSQL", "MONGODB", "REDIS"}) {
    const auto names = database_machines_of(engine);
    EXPECT_GE(names.size(), 14U) << engine;
    for (const std::string& name : names) EXPECT_TRUE(is_known_instance_type("AWS", machine_of_database(name))) << name;
  }
  EXPECT_TRUE(database_machines_of("ORACLE").empty());
}

}  // namespace
}  // namespace orlop
