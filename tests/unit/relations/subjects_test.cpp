// The subject of a write is a resource for which its caller has a permission, wherever the request names it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/role.h"
#include "unit/rest/guarded.h"

namespace orlop::tests {
namespace {

class Subjects : public testing::Test {
 protected:
  std::string id(std::string_view parameter) { return guarded_.id_for(all_routes().front(), std::string(parameter)); }
  std::string flag(std::string_view parent, std::string_view scope) {
    return R"({"name": "one", "flag_parent_id": ")" + std::string(parent) + R"(", "flag_scope": ")" +
           std::string(scope) + "\"}";
  }

  Guarded guarded_;
};

// Every write, with every sample as its body.
TEST_F(Subjects, AViewerWritesNothing) {
  std::vector<std::string> paths;
  std::vector<std::string> samples;
  for (const Route& route : all_routes()) {
    paths.push_back(guarded_.filled(route));
    for (const Field& field : route.operation.query) {
      if (field.kind != FieldKind::id) continue;
      paths.back() +=
          (paths.back().find('?') == std::string::npos ? "?" : "&") + std::string(field.name) + "=" + id("containerId");
    }
    samples.push_back(route.verb ? guarded_.with_ids(route.family->sample) : "{}");
  }
  const std::string viewer = guarded_.token_of(guarded_.organization(), viewer_role.id);
  const std::string foreign_owner = guarded_.token_of(guarded_.other_organization(), owner_role.id);
  const std::uint64_t before = guarded_.last_event();
  std::size_t asked = 0;
  for (std::size_t at = 0; at < paths.size(); ++at) {
    const Route& route = all_routes()[at];
    if (route.operation.access == Access::read || route.operation.has_no_subject || route.operation.bypasses_tenancy)
      continue;
    for (const std::string& caller : {viewer, foreign_owner}) {
      for (const std::string& body : {samples[at], std::string(), std::string("{}"), std::string("null")}) {
        const bool makes_organization = route.verb == Verb::create && route.family->name == "organization";
        if (makes_organization) continue;
        const Reply reply = guarded_.ask_as(caller, to_string(route.operation.method), paths[at], body);
        EXPECT_GE(reply.status, 400) << route.name << " " << body;
        EXPECT_LT(reply.status, 500) << route.name << " " << reply.body;
        EXPECT_EQ(guarded_.last_event(), before) << route.name << " " << body;
        ++asked;
      }
    }
  }
  EXPECT_GT(asked, 800U);
}

TEST_F(Subjects, TheParentInTheBodyDecides) {
  const std::string viewer = guarded_.token_of(guarded_.organization(), viewer_role.id);
  const std::string admin = guarded_.token_of(guarded_.organization(), admin_role.id);
  const std::string body = flag(id("containerId"), "CONTAINER");
  EXPECT_EQ(guarded_.ask_as(viewer, "POST", "/testFlag", body).status, 403);
  EXPECT_EQ(guarded_.ask_as(viewer, "POST", "/testFlag", flag(id("projectId"), "CONTAINER")).status, 403);
  EXPECT_EQ(guarded_.ask_as(admin, "POST", "/testFlag", body).status, 201);
  EXPECT_EQ(guarded_.ask_as(viewer, "GET", "/testFlag?scope=CONTAINER&parent_id=" + id("containerId")).status, 200);
}

TEST_F(Subjects, WhatAnotherOrganizationHasIsNotThere) {
  const std::string stranger = guarded_.token_of(guarded_.other_organization(), owner_role.id);
  const std::string nowhere = "0198c0de-ffff-7000-8000-00000000ffff";
  const Reply theirs = guarded_.ask_as(stranger, "POST", "/testFlag", flag(id("containerId"), "CONTAINER"));
  const Reply missing = guarded_.ask_as(stranger, "POST", "/testFlag", flag(nowhere, "CONTAINER"));
  EXPECT_EQ(theirs.status, 404);
  std::string expected = missing.body;
  for (std::size_t at = expected.find(nowhere); at != std::string::npos; at = expected.find(nowhere))
    expected.replace(at, nowhere.size(), id("containerId"));
  EXPECT_EQ(theirs.body, expected);
  EXPECT_EQ(guarded_.ask_as(stranger, "GET", "/testFlag?scope=CONTAINER&parent_id=" + id("containerId")).status, 404);
}

TEST_F(Subjects, AWriteWithoutOneIsRefused) {
  const std::string owner = guarded_.token_of(guarded_.organization(), owner_role.id);
  const std::uint64_t before = guarded_.last_event();
  EXPECT_EQ(guarded_.ask_as(owner, "POST", "/testOrphan").status, 403);
  EXPECT_EQ(guarded_.ask_as(owner, "POST", "/testQuery").status, 400);
  EXPECT_EQ(guarded_.ask_as(owner, "POST", "/testQuery?service_id=0198c0de-ffff-7000-8000-00000000ffff").status, 404);
  EXPECT_EQ(guarded_.last_event(), before);
  EXPECT_EQ(guarded_.ask_as(owner, "POST", "/testOpen").status, 204);
  EXPECT_EQ(guarded_.ask("POST", "/testOrphan").status, 200) << "the host needs none";
}

// The handler writes in another organization than the subject's.
TEST_F(Subjects, AWriteElsewhereIsRefused) {
  const std::string owner = guarded_.token_of(guarded_.organization(), owner_role.id);
  const std::string path = "/testQuery?service_id=" + id("containerId");
  const std::uint64_t before = guarded_.last_event();
  EXPECT_EQ(guarded_.ask_as(owner, "POST", path).status, 403);
  EXPECT_EQ(guarded_.last_event(), before);
}

// The caller owns the subject's organization, and may only read the other one.
TEST_F(Subjects, AWriteInAnOrganizationWhereTheCallerOnlyReadsIsRefused) {
  const std::string ada = "Bearer person:ada:ada@example.org";
  const auto admit = [&](const std::string& organization, const std::string& role) {
    const std::string invitations = "/organization/" + organization + "/inviteMember";
    const std::string invitation =
        guarded_.make(invitations, R"({"email": "ada@example.org", "role": ")" + role + "\"}");
    ASSERT_LT(guarded_.ask_as(ada, "POST", invitations + "/" + invitation).status, 300);
  };
  admit(guarded_.organization(), "ADMIN");
  admit(guarded_.other_organization(), "VIEWER");
  const std::string ours =
      guarded_.make("/organization/" + guarded_.organization() + "/project", R"({"name": "ours"})");
  const std::string theirs =
      guarded_.make("/organization/" + guarded_.other_organization() + "/project", R"({"name": "theirs"})");
  const std::string path = "/testElsewhere?service_id=" + id("containerId") + "&project_id=";
  const std::uint64_t before = guarded_.last_event();
  EXPECT_EQ(guarded_.ask_as(ada, "POST", path + theirs).status, 403);
  EXPECT_EQ(guarded_.last_event(), before);
  EXPECT_EQ(guarded_.ask_as(ada, "POST", path + ours).status, 200);
}

}  // namespace
}  // namespace orlop::tests
