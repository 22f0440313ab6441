// A new family with a new sub-resource: two files of data, and both are created, read, listed, edited, deleted, sealed,
// checked and cleaned up like all others.
#include "unit/relations/scope.h"

namespace orlop::tests {
namespace {

class SubResource : public OnPlatform {
 protected:
  std::string shelves() { return "/project/" + id("projectId") + "/testShelf"; }
};

TEST_F(SubResource, IsServedByItsFamilyAlone) {
  const std::string shelf = guarded_.make(shelves(), R"({"name": "left", "pin": "canary"})");
  const std::string boxes = "/testShelf/" + shelf + "/testBox";
  const std::string box = guarded_.make(boxes, R"({"name": "Screws", "weight_in_grams": 5})");
  (void)guarded_.make(boxes, R"({"name": "screws"})");
  expect(guarded_.ask("GET", shelves()), 200, shelf);
  EXPECT_EQ(guarded_.ask("GET", "/testShelf/" + shelf).body.find("canary"), std::string::npos);
  expect(guarded_.ask("POST", shelves(), R"({"name": "LEFT"})"), 409, "LEFT");
  expect(guarded_.ask("POST", boxes, R"({"name": "Screws"})"), 409, "Screws");
  expect(guarded_.ask("POST", boxes, R"({"name": "Nails", "weight_in_grams": 1001})"), 400, "weight_in_grams");
  expect(guarded_.ask("PUT", "/testBox/" + box, R"({"name": "Screws", "weight_in_grams": 7})"), 200,
         R"("weight_in_grams":7)");
  expect(guarded_.ask("GET", boxes), 200, R"("weight_in_grams":7)");
  expect(guarded_.ask("POST", "/testShelf/" + box + "/testBox", R"({"name": "a"})"), 404, "there is no");
  EXPECT_EQ(guarded_.ask("DELETE", "/testShelf/" + shelf).status, 204);
  expect(guarded_.ask("GET", "/testBox/" + box), 404, "there is no");
}

TEST_F(SubResource, GoesWithTheProject) {
  const std::string shelf = guarded_.make(shelves(), R"({"name": "left"})");
  const std::string box = guarded_.make("/testShelf/" + shelf + "/testBox", R"({"name": "a"})");
  ASSERT_EQ(guarded_.ask("DELETE", "/project/" + id("projectId")).status, 204);
  EXPECT_EQ(guarded_.ask("GET", "/testBox/" + box).status, 404);
}

}  // namespace
}  // namespace orlop::tests
