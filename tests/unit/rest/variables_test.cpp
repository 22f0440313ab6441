// Permissions to read and write variables, where the path does not name their owner.
#include <gtest/gtest.h>

#include <string>

#include "model/role.h"
#include "unit/rest/guarded.h"

namespace orlop::tests {
namespace {

class VariableCallers : public testing::Test {
 protected:
  void SetUp() override {
    const Route& any = all_routes().front();
    project_ = guarded_.id_for(any, "projectId");
    environment_ = guarded_.id_for(any, "environmentId");
    container_ = guarded_.id_for(any, "containerId");
    variable_ = guarded_.id_for(any, "variableId");
    wide_ = guarded_.make("/variable", body_of("WIDE", "PROJECT", project_));
  }

  static std::string body_of(const std::string& key, const std::string& scope, const std::string& parent) {
    return R"({"key": ")" + key + R"(", "value": "1", "is_secret": false, "variable_scope": ")" + scope +
           R"(", "variable_parent_id": ")" + parent + "\"}";
  }

  std::string built_in() {
    const Value list = parsed(guarded_.ask("GET", "/variable?scope=CONTAINER&parent_id=" + container_));
    return std::string(list.find("results")->items().front().text_or("id", ""));
  }

  // Returns the statuses of every write, in a fixed order.
  std::string writes_of(const std::string& token) {
    std::string statuses;
    const auto ask = [&](std::string_view method, const std::string& path, const std::string& body = "") {
      statuses.append(statuses.empty() ? "" : " ")
          .append(std::to_string(guarded_.ask_as(token, method, path, body).status));
    };
    const std::string alias = R"({"key": "B", "alias_scope": "CONTAINER", "alias_parent_id": ")" + container_ + "\"}";
    const std::string over =
        R"({"value": "B", "override_scope": "CONTAINER", "override_parent_id": ")" + container_ + "\"}";
    ask("POST", "/variable", body_of("NEW", "CONTAINER", container_));
    ask("POST", "/variable", body_of("NEW", "PROJECT", project_));
    ask("POST", "/variable/" + wide_ + "/alias", alias);
    ask("POST", "/variable/" + built_in() + "/alias", alias);
    ask("POST", "/variable/" + wide_ + "/override", over);
    ask("POST", "/container/" + container_ + "/environmentVariable/" + wide_ + "/override", R"({"value": "C"})");
    ask("POST", "/variable/import?service_type=CONTAINER&service_id=" + container_,
        R"({"overwrite": true, "vars": [{"name": "I", "value": "1", "scope": "PROJECT", "is_secret": false}]})");
    ask("PUT", "/variable/" + variable_, R"({"key": "A", "value": "2"})");
    ask("PUT", "/variable/" + built_in(), R"({"key": "A", "value": "2"})");
    ask("DELETE", "/variable/" + variable_);
    ask("DELETE", "/variable/" + wide_);
    return statuses;
  }

  Guarded guarded_;
  std::string project_;
  std::string environment_;
  std::string container_;
  std::string variable_;
  std::string wide_;
};

TEST_F(VariableCallers, a_viewer_reads_and_writes_nothing) {
  const std::string token = guarded_.token_of(guarded_.organization(), viewer_role.id);
  const std::uint64_t before = guarded_.last_event();
  EXPECT_EQ(guarded_.ask_as(token, "GET", "/variable?scope=CONTAINER&parent_id=" + container_).status, 200);
  EXPECT_EQ(writes_of(token), "403 403 403 403 403 403 403 403 403 403 403");
  EXPECT_EQ(guarded_.last_event(), before);
}

TEST_F(VariableCallers, of_another_organization_find_nothing) {
  const std::string token = guarded_.token_of(guarded_.other_organization(), owner_role.id);
  const std::uint64_t before = guarded_.last_event();
  EXPECT_EQ(guarded_.ask_as(token, "GET", "/variable?scope=CONTAINER&parent_id=" + container_).status, 404);
  EXPECT_EQ(writes_of(token), "404 404 404 404 404 404 404 404 404 404 404");
  EXPECT_EQ(guarded_.last_event(), before);
}

TEST_F(VariableCallers, who_manage_environments_but_not_projects_write_no_variable_of_a_project) {
  const std::string token = guarded_.token_of(guarded_.organization(), built_in_roles[2].id);
  EXPECT_EQ(writes_of(token), "201 403 201 409 201 409 403 200 403 204 403");
}

TEST_F(VariableCallers, an_administrator_may_all_but_change_what_is_built_in) {
  const std::string token = guarded_.token_of(guarded_.organization(), admin_role.id);
  EXPECT_EQ(writes_of(token), "201 201 201 409 201 409 201 200 403 204 204");
}

}  // namespace
}  // namespace orlop::tests
