// Several parents, parents named in the body or the query, case-sensitive names, text parameters of paths.
#include <gtest/gtest.h>

#include <string>

#include "unit/rest/guarded.h"

namespace orlop::tests {
namespace {

constexpr std::string_view nowhere = "0198c0de-ffff-7000-8000-00000000ffff";

class Parents : public testing::Test {
 protected:
  std::string id(std::string_view parameter) { return guarded_.id_for(all_routes().front(), std::string(parameter)); }
  std::string application() { return "/application/" + id("applicationId") + "/testNote"; }
  std::string container() { return "/container/" + id("containerId") + "/testNote"; }
  std::string flag(std::string_view parent, std::string_view scope, std::string_view name = "one") {
    return R"({"name": ")" + std::string(name) + R"(", "flag_parent_id": ")" + std::string(parent) +
           R"(", "flag_scope": ")" + std::string(scope) + "\"}";
  }
  std::string flags_of(std::string_view parent, std::string_view scope) {
    return "/testFlag?parent_id=" + std::string(parent) + "&scope=" + std::string(scope);
  }
  void expect(const Reply& reply, std::uint16_t status, std::string_view part) {
    EXPECT_EQ(reply.status, status) << reply.body;
    EXPECT_NE(reply.body.find(part), std::string::npos) << reply.body;
  }

  Guarded guarded_;
};

TEST_F(Parents, EachPathHasItsOwnRecords) {
  const std::string mine = guarded_.make(application(), R"({"key": "a"})");
  const std::string other = guarded_.make(container(), R"({"key": "a"})");
  expect(guarded_.ask("GET", application()), 200, mine);
  EXPECT_EQ(guarded_.ask("GET", application()).body.find(other), std::string::npos);
  expect(guarded_.ask("GET", container() + "/" + other), 200, other);
  expect(guarded_.ask("PUT", container() + "/" + other, R"({"key": "a", "text": "new"})"), 200, "new");
  EXPECT_EQ(guarded_.ask("DELETE", container() + "/" + other).status, 204);
  EXPECT_EQ(guarded_.ask("GET", container()).body, R"({"results":[]})");
}

TEST_F(Parents, APathOfAnotherFamilyLeadsNowhere) {
  const std::string note = guarded_.make(container(), R"({"key": "a"})");
  const std::string wrong = "/application/" + id("containerId") + "/testNote";
  for (const auto& [method, path] : {std::pair{"GET", wrong},
                                     {"POST", wrong},
                                     {"GET", wrong + "/" + note},
                                     {"PUT", wrong + "/" + note},
                                     {"DELETE", wrong + "/" + note},
                                     {"GET", application() + "/" + note}}) {
    expect(guarded_.ask(method, path, *method == 'G' || *method == 'D' ? "" : R"({"key": "b"})"), 404, "there is no");
  }
  expect(guarded_.ask("GET", container() + "/" + note), 200, note);
}

TEST_F(Parents, GoWithTheirChildren) {
  const std::string note = guarded_.make(container(), R"({"key": "a"})");
  EXPECT_EQ(guarded_.ask("DELETE", "/container/" + id("containerId")).status, 204);
  expect(guarded_.ask("GET", container() + "/" + note), 404, "there is no");
}

TEST_F(Parents, RoutesAreNamedAfterThem) {
  std::string names;
  for (const Route& route : all_routes()) {
    if (route.family != nullptr && route.family->name == "test_note") names += route.name + " ";
  }
  EXPECT_NE(names.find("create_application_test_note "), std::string::npos) << names;
  EXPECT_NE(names.find("delete_helm_test_note "), std::string::npos) << names;
}

TEST_F(Parents, KeysDifferInCase) {
  (void)guarded_.make(container(), R"({"key": "Path"})");
  (void)guarded_.make(container(), R"({"key": "PATH"})");
  const std::string path = guarded_.make(container(), R"({"key": "path"})");
  expect(guarded_.ask("POST", container(), R"({"key": "PATH"})"), 409,
         R"(key \"PATH\" is taken by another test note of this container)");
  expect(guarded_.ask("PUT", container() + "/" + path, R"({"key": "Path"})"), 409, "is taken");
  expect(guarded_.ask("PUT", container() + "/" + path, R"({"key": "pAth"})"), 200, "pAth");
  (void)guarded_.make(container(), R"({"key": "path"})");
}

TEST_F(Parents, AreNamedInTheBody) {
  const std::string project = guarded_.make("/testFlag", flag(id("projectId"), "PROJECT"));
  const std::string container = guarded_.make("/testFlag", flag(id("containerId"), "CONTAINER"));
  expect(guarded_.ask("GET", flags_of(id("projectId"), "PROJECT")), 200, project);
  expect(guarded_.ask("GET", flags_of(id("containerId"), "CONTAINER")), 200, container);
  EXPECT_EQ(guarded_.ask("GET", flags_of(id("containerId"), "CONTAINER")).body.find(project), std::string::npos);
  EXPECT_EQ(guarded_.ask("GET", "/testFlag/" + container).body.find("flag_parent_id"), std::string::npos);
  expect(guarded_.ask("POST", "/testFlag", flag(id("containerId"), "CONTAINER", "ONE")), 409, "of this container");
}

TEST_F(Parents, ThatAreNamedWrongAreRefused) {
  const std::string long_text(70'000, 'x');
  expect(guarded_.ask("POST", "/testFlag", R"({"name": "x", "flag_scope": "PROJECT"})"), 400,
         "flag_parent_id is required");
  expect(guarded_.ask("POST", "/testFlag", R"({"name": "x", "flag_parent_id": ")" + id("projectId") + "\"}"), 400,
         "flag_scope is required");
  expect(guarded_.ask("POST", "/testFlag", flag("7", "PROJECT")), 400, R"(flag_parent_id must be a uuid, not \"7\")");
  expect(guarded_.ask("POST", "/testFlag", flag(long_text, "PROJECT")), 400, "must be a uuid");
  expect(guarded_.ask("POST", "/testFlag", flag("", "PROJECT")), 400, "is required");
  expect(guarded_.ask("POST", "/testFlag", R"({"name": "x", "flag_parent_id": 7, "flag_scope": "PROJECT"})"), 400,
         "not an integer");
  expect(guarded_.ask("POST", "/testFlag", R"([1])"), 400, "the body must be an object, not a list");
  expect(guarded_.ask("POST", "/testFlag", "null"), 400, "the body must be an object");
  expect(guarded_.ask("POST", "/testFlag", ""), 400, "a JSON body is required");
  expect(guarded_.ask("POST", "/testFlag", flag(nowhere, "PROJECT")), 404, "there is no");
  expect(guarded_.ask("POST", "/testFlag", flag(id("projectId"), "CONTAINER")), 400, "flag_scope must be PROJECT");
  expect(guarded_.ask("POST", "/testFlag", flag(id("applicationId"), "CONTAINER")), 404, "there is no");
  expect(guarded_.ask("GET", "/testFlag"), 400, "parent_id");
  expect(guarded_.ask("GET", flags_of(id("projectId"), "CONTAINER")), 400, "scope must be PROJECT");
  expect(guarded_.ask("GET", flags_of(nowhere, "PROJECT")), 404, "there is no");
}

TEST_F(Parents, OfNestedRecordsKeepTheirOwnPath) {
  const std::string below =
      "/organization/" + guarded_.organization() + "/cluster/" + id("clusterId") + "/testClusterNote";
  const std::string note = guarded_.make(below, R"({"text": "a"})");
  expect(guarded_.ask("GET", below), 200, note);
  expect(guarded_.ask("GET", below + "/" + note), 200, note);
  const std::string elsewhere =
      "/organization/" + guarded_.other_organization() + "/cluster/" + id("clusterId") + "/testClusterNote";
  expect(guarded_.ask("GET", elsewhere), 404, "there is no");
  expect(guarded_.ask("GET", elsewhere + "/" + note), 404, "there is no");
  expect(guarded_.ask("POST", elsewhere, R"({"text": "b"})"), 404, "there is no");
}

TEST_F(Parents, PathsTakeTexts) {
  const std::string base = "/organization/" + guarded_.organization() + "/testEcho/";
  expect(guarded_.ask("GET", base + "eu%20west/REDIS"), 200, R"("region":"eu west","engine":"REDIS")");
  expect(guarded_.ask("GET", base + "x/REDIS"), 400, "region");
  expect(guarded_.ask("GET", base + "eu/ORACLE"), 400, "engine");
  expect(guarded_.ask("GET", base + std::string(70'000, 'x') + "/REDIS"), 400, "the path has");
  expect(guarded_.ask("GET", base + "/REDIS"), 404, "no operation");
  expect(guarded_.ask("GET", "/organization/7/testEcho/eu/REDIS"), 400, "organizationId must be a uuid");
}

}  // namespace
}  // namespace orlop::tests
