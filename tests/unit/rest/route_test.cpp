#include "rest/route.h"

#include <gtest/gtest.h>

#include <set>

namespace orlop {
namespace {

constexpr std::string_view some_id = "0198c0de-1234-7abc-8def-0123456789ab";

std::string with_ids(std::string path) {
  for (std::size_t at = path.find('{'); at != std::string::npos; at = path.find('{')) {
    path.replace(at, path.find('}', at) - at + 1, some_id);
  }
  return path;
}

void expect_bounds(std::span<const Field> fields, const std::string& path) {
  for (const Field& field : fields) {
    const std::string here = path + "." + std::string(field.name);
    EXPECT_TRUE(field.kind != FieldKind::list || field.maximum <= 10'000) << here;
    if (field.shape != nullptr) expect_bounds(field.shape->fields, here);
  }
}

TEST(Route, EveryListOfABodyHasAMaximum) {
  for (const Route& route : all_routes()) {
    if (route.operation.body != nullptr) expect_bounds(route.operation.body->fields, route.name);
  }
}

TEST(Route, EveryRouteIsFoundUnderItsOwnPath) {
  ASSERT_FALSE(all_routes().empty());
  for (const Route& route : all_routes()) {
    for (const std::string prefix : {"", "/api/v1"}) {
      const Match found = match(route.operation.method, prefix + with_ids(route.path));
      ASSERT_EQ(found.route, &route) << to_string(route.operation.method) << " " << route.path;
      EXPECT_EQ(found.ids.size() + found.texts.size(), route.parameters.size());
      EXPECT_TRUE(found.bad_id_name.empty());
    }
  }
}

TEST(Route, MethodAndPathAndNameAreUnique) {
  std::set<std::string> places;
  std::set<std::string> names;
  for (const Route& route : all_routes()) {
    EXPECT_TRUE(places.insert(std::string(to_string(route.operation.method)) + " " + with_ids(route.path)).second)
        << route.path;
    EXPECT_TRUE(names.insert(route.name).second) << route.name;
    EXPECT_NE(route.operation.handle, nullptr) << route.path;
  }
}

TEST(Route, AKnownPathListsItsMethods) {
  const Match found = match(Method::post, "/project/" + std::string(some_id));
  EXPECT_TRUE(found.is_path_known);
  EXPECT_EQ(found.route, nullptr);
  EXPECT_EQ(allowed_at("/project/" + std::string(some_id)), "GET, PUT, DELETE");
  EXPECT_EQ(allowed_at("/nothing"), "");
}

TEST(Route, UnknownPathsAreUnknown) {
  for (const char* path :
       {"/", "", "/nothing", "/project", "//project", "/api/v1", "/api/v2/organization", "/organizationx"}) {
    EXPECT_FALSE(match(Method::get, path).is_path_known) << path;
  }
}

TEST(Route, AnIdThatIsNoneIsNamed) {
  const Match found = match(Method::get, "/project/7");
  EXPECT_EQ(found.bad_id_name, "projectId");
  EXPECT_EQ(found.bad_id, "7");
}

TEST(Route, ATrailingSlashIsTheSamePath) { EXPECT_NE(match(Method::get, "/organization/").route, nullptr); }

}  // namespace
}  // namespace orlop
