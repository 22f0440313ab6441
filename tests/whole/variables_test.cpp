// Variables by requests: lists, and refused writes.
#include "whole/variables_fixture.h"

namespace orlop {
namespace {

TEST_P(Variables, are_listed_with_those_that_are_inherited) {
  set("WIDE", "1", "PROJECT", project_);
  const std::string host = set("HOST", "db", "ENVIRONMENT", environment_);
  set("OWN", canary, "CONTAINER", api_, true);
  alias(host, "DB_HOST", "CONTAINER", api_);
  auto listed = this->listed("CONTAINER", api_);
  EXPECT_EQ(listed["WIDE"].text_or("scope", ""), "PROJECT");
  EXPECT_EQ(listed["WIDE"].find("service_id"), nullptr);
  EXPECT_EQ(listed["WIDE"].text_or("description", "none"), "");
  EXPECT_EQ(listed["PLATFORM_PROJECT_ID"].text_or("description", "none"), "");
  EXPECT_EQ(listed["HOST"].text_or("scope", ""), "ENVIRONMENT");
  EXPECT_EQ(listed["OWN"].text_or("service_id", ""), api_);
  EXPECT_EQ(listed["OWN"].text_or("service_name", ""), "api");
  EXPECT_EQ(listed["OWN"].text_or("service_type", ""), "CONTAINER");
  ASSERT_NE(listed["OWN"].find("value"), nullptr);
  EXPECT_TRUE(listed["OWN"].find("value")->is_null());
  EXPECT_EQ(listed["DB_HOST"].text_or("value", ""), "HOST");
  EXPECT_EQ(listed["DB_HOST"].text_or("variable_type", ""), "ALIAS");
  const Value* named = listed["DB_HOST"].find("aliased_variable");
  ASSERT_NE(named, nullptr);
  EXPECT_EQ(named->text_or("id", ""), host);
  EXPECT_EQ(named->text_or("value", ""), "db");
  EXPECT_EQ(listed["PLATFORM_ENVIRONMENT_NAME"].text_or("value", ""), "production");
  EXPECT_EQ(listed["PLATFORM_PROJECT_ID"].text_or("value", ""), "||Q_PRJ_ID||");
  EXPECT_EQ(listed["PLATFORM_CLOUD_PROVIDER_REGION"].text_or("value", ""), "eu-west-3");
  EXPECT_EQ(this->listed("PROJECT", project_).size(), 2U);
  EXPECT_FALSE(this->listed("ENVIRONMENT", environment_).contains("OWN"));
}

// The whole list and its pages are produced by different code.
TEST_P(Variables, are_listed_alike_as_a_whole_and_as_pages) {
  const std::string wide = set("WIDE", "1", "PROJECT", project_);
  const std::string secret = set("HIDDEN", canary, "ENVIRONMENT", environment_, true);
  const std::string own = set("OWN", "\"{[,", "CONTAINER", api_);
  for (const auto& [target, key] : {std::pair{wide, "A"}, {secret, "B"}, {own, "C"}})
    alias(target, key, "CONTAINER", api_);
  ask("POST", "/container/" + api_ + "/environmentVariable/" + wide + "/override", R"({"value":"2"})", 201);
  alias(std::string(listed("CONTAINER", api_)["PLATFORM_ENVIRONMENT_NAME"].text_or("id", "")), "D", "CONTAINER", api_);
  const std::string path = "/variable?scope=CONTAINER&parent_id=" + api_;
  const Value whole = ask("GET", path, "", 200);
  const Value paged = ask("GET", path + "&page=1&page_size=1000", "", 200);
  EXPECT_EQ(to_json(*whole.find("results")), to_json(*paged.find("results")));
  EXPECT_EQ(whole.find("results")->items().size(),
            static_cast<std::size_t>(paged.find("pagination")->integer_or("total_count", 0)));
  ask("GET", path + "&page=", "", 400);
  EXPECT_EQ(said_.find(canary), std::string::npos);
}

TEST_P(Variables, have_older_forms_that_are_split_by_secrecy) {
  const std::string path = "/container/" + api_;
  const Value plain =
      ask("POST", path + "/environmentVariable", R"({"key":"A","value":"1","description":"text"})", 201);
  EXPECT_EQ(plain.find("is_secret"), nullptr);
  EXPECT_EQ(plain.text_or("description", ""), "text");
  const std::string id(plain.text_or("id", ""));
  const Value secret = ask("POST", path + "/secret", R"({"key":"S","value":"canary-8c1f4e"})", 201);
  EXPECT_EQ(secret.find("value"), nullptr);
  const std::string secret_id(secret.text_or("id", ""));
  const Value alias = ask("POST", path + "/secret/" + secret_id + "/alias", R"({"key":"T"})", 201);
  ASSERT_NE(alias.find("aliased_secret"), nullptr);
  ask("POST", path + "/environmentVariable/" + secret_id + "/alias", R"({"key":"U"})", 404);
  ask("DELETE", path + "/secret/" + id, "", 404);
  const auto keys = [&](const std::string& form) {
    const Value list = ask("GET", path + form, "", 200);
    std::string joined;
    for (const Value& item : list.find("results")->items()) {
      if (item.text_or("scope", "") != "BUILT_IN") joined.append(item.text_or("key", "")).append(" ");
    }
    return joined;
  };
  EXPECT_EQ(keys("/environmentVariable"), "A ");
  EXPECT_EQ(keys("/secret"), "S T ");
  const std::string wide = set("W", "1", "PROJECT", project_);
  const Value over = ask("POST", path + "/environmentVariable/" + wide + "/override", R"({"value":"2"})", 201);
  EXPECT_EQ(over.text_or("variable_type", ""), "OVERRIDE");
  EXPECT_EQ(over.find_path({"overridden_variable", "value"})->as_text(), "1");
  ask("PUT", path + "/environmentVariable/" + id, R"({"key":"B","value":"2"})", 200);
  ask("DELETE", path + "/environmentVariable/" + id, "", 204);
  ask("DELETE", path + "/environmentVariable/" + wide, "", 404);
  EXPECT_EQ(said_.find(canary), std::string::npos);
}

TEST_P(Variables, are_refused_in_one_sentence) {
  const auto refusal = [&](std::string_view method, const std::string& path, const std::string& body,
                           std::uint16_t status) {
    return std::string(ask(method, path, body, status).text_or("message", ""));
  };
  set("WIDE", "1", "PROJECT", project_);
  EXPECT_EQ(refusal("POST", "/variable", body_of("WIDE", "2", "PROJECT", project_), 409),
            "key \"WIDE\" is taken by another variable of this project");
  set("wide", "2", "PROJECT", project_);
  set("WIDE", "2", "ENVIRONMENT", environment_);
  EXPECT_NE(refusal("POST", "/variable", body_of("A B", "2", "PROJECT", project_), 400).find("key must be"),
            std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of("", "2", "PROJECT", project_), 400).find("key must be"),
            std::string::npos);
  EXPECT_NE(
      refusal("POST", "/variable", body_of("A", std::string(70'000, 'x'), "PROJECT", project_), 400).find("65536"),
      std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of(std::string(70'000, 'K'), "x", "PROJECT", project_), 400).find("key"),
            std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of("A", "2", "JOB", api_), 400).find("variable_scope must be CONTAINER"),
            std::string::npos);
  EXPECT_NE(
      refusal("POST", "/variable", body_of("A", "2", "PROJECT", registry_), 400).find("variable_parent_id must be"),
      std::string::npos);
  refusal("POST", "/variable", body_of("A", "2", "PROJECT", "0198c0de-0000-7000-8000-000000000001"), 404);
  refusal("POST", "/variable", "null", 400);
}

TEST_P(Variables, that_refer_to_others_are_refused_in_one_sentence) {
  const auto refusal = [&](std::string_view method, const std::string& path, const std::string& body,
                           std::uint16_t status) {
    return std::string(ask(method, path, body, status).text_or("message", ""));
  };
  const std::string wide = set("WIDE", "1", "PROJECT", project_);
  const std::string near = set("NEAR", "1", "CONTAINER", api_);
  Writer above;
  above.begin_object()
      .field("key", "UP")
      .field("alias_scope", "PROJECT")
      .field("alias_parent_id", std::string_view(project_))
      .end_object();
  EXPECT_NE(
      refusal("POST", "/variable/" + near + "/alias", above.text(), 400).find("alias_scope must be a scope that sees"),
      std::string::npos);
  const std::string first = alias(wide, "FIRST", "CONTAINER", api_);
  EXPECT_NE(
      refusal("POST", "/container/" + api_ + "/environmentVariable/" + first + "/alias", R"({"key":"SECOND"})", 400)
          .find("not an alias"),
      std::string::npos);
  const std::string built_in(listed("CONTAINER", api_)["PLATFORM_ENVIRONMENT_NAME"].text_or("id", ""));
  EXPECT_NE(refusal("PUT", "/variable/" + built_in, R"({"key":"X","value":"1"})", 403).find("is built in"),
            std::string::npos);
  EXPECT_NE(refusal("DELETE", "/variable/" + built_in, "", 403).find("is built in"), std::string::npos);
  alias(built_in, "STAGE", "CONTAINER", api_);
  EXPECT_EQ(listed("CONTAINER", api_)["STAGE"].text_or("value", ""), "PLATFORM_ENVIRONMENT_NAME");
  const std::string manager = R"({"key":"WIDE","value":"1","secret_manager_access_id":")" + api_ + "\"}";
  EXPECT_NE(refusal("PUT", "/variable/" + wide, manager, 400).find("secret_manager_access_id must be absent"),
            std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of(std::string(70'000, 'K'), "1", "CONTAINER", api_), 400)
                .find("key must be at most 255 bytes long, not 70000"),
            std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of("LONG", std::string(70'000, 'v'), "CONTAINER", api_), 400)
                .find("value must be at most 65536 bytes"),
            std::string::npos);
  const std::string path = "/container/" + api_ + "/environmentVariable";
  EXPECT_NE(refusal("PUT", path + "/" + near, R"({"key":"NEAR","mount_path":"/etc/a"})", 400)
                .find("mount_path must be absent"),
            std::string::npos);
}

TEST_P(Variables, that_are_files_keep_their_path) {
  const std::string path = "/container/" + api_ + "/environmentVariable";
  const std::string file = make(path, R"({"key":"F","value":"1","mount_path":"/etc/a"})");
  for (const std::string given : {"null", "\"\"", "\"/etc/a\""}) {
    const Value kept = ask("PUT", path + "/" + file, R"({"key":"F","value":"2","mount_path":)" + given + "}", 200);
    EXPECT_EQ(kept.text_or("mount_path", ""), "/etc/a") << given;
  }
  EXPECT_EQ(ask("PUT", path + "/" + file, R"({"key":"F","mount_path":"/etc/b"})", 200).text_or("mount_path", ""),
            "/etc/b");
}

TEST_P(Variables, that_would_refer_to_each_other_in_a_cycle_are_refused) {
  const std::string first = set("A", "{{B}}", "CONTAINER", api_);
  const Value refused = ask("POST", "/variable", body_of("B", "{{A}}", "CONTAINER", api_), 400);
  EXPECT_NE(refused.text_or("message", "").find("B -> A -> B"), std::string::npos);
  set("B", "1", "CONTAINER", api_);
  ask("PUT", "/variable/" + first, R"({"key":"A","value":"{{A}}"})", 400);
  EXPECT_EQ(listed("CONTAINER", api_)["A"].text_or("value", ""), "{{B}}");
}

TEST_P(Variables, follow_the_variable_that_they_name) {
  const std::string wide = set("A", "1", "PROJECT", project_);
  alias(wide, "B", "CONTAINER", api_);
  ask("POST", "/container/" + api_ + "/environmentVariable/" + wide + "/override", R"({"value":"2"})", 201);
  ask("PUT", "/variable/" + wide, R"({"key":"RENAMED","value":"1"})", 200);
  auto seen = listed("CONTAINER", api_);
  EXPECT_EQ(seen["B"].text_or("value", ""), "RENAMED");
  EXPECT_EQ(seen["RENAMED"].text_or("variable_type", ""), "OVERRIDE");
  EXPECT_FALSE(seen.contains("A"));
  ask("PUT", "/variable/" + std::string(seen["RENAMED"].text_or("id", "")), R"({"key":"OTHER","value":"2"})", 400);
  ask("PUT", "/variable/" + std::string(seen["B"].text_or("id", "")), R"({"key":"B","value":"RENAMED"})", 200);
  ask("PUT", "/variable/" + std::string(seen["B"].text_or("id", "")), R"({"key":"B","value":null})", 200);
  const Value refused =
      ask("PUT", "/variable/" + std::string(seen["B"].text_or("id", "")), R"({"key":"B","value":"3"})", 400);
  EXPECT_NE(refused.text_or("message", "").find("value must be absent for an alias"), std::string::npos);
  ask("DELETE", "/variable/" + wide, "", 204);
  seen = listed("CONTAINER", api_);
  EXPECT_FALSE(seen.contains("B"));
  EXPECT_FALSE(seen.contains("RENAMED"));
}

TEST_P(Variables, are_imported_all_or_none_for_their_syntax) {
  const std::string path = "/variable/import?service_type=CONTAINER&service_id=" + api_;
  set("HAVE", "old", "CONTAINER", api_);
  const Value some = ask("POST", path, R"({"overwrite":false,"vars":[
      {"name":"HAVE","value":"new","scope":"CONTAINER","is_secret":false},
      {"name":"WIDE","value":"{{HAVE}}","scope":"PROJECT","is_secret":false},
      {"name":"HIDDEN","value":"canary-8c1f4e","scope":"ENVIRONMENT","is_secret":true}]})",
                         201);
  EXPECT_EQ(some.integer_or("total_variables_to_import", 0), 3);
  EXPECT_EQ(some.find("successful_imported_variables")->items().size(), 2U);
  auto seen = listed("CONTAINER", api_);
  EXPECT_EQ(seen["HAVE"].text_or("value", ""), "old");
  EXPECT_EQ(seen["WIDE"].text_or("scope", ""), "PROJECT");
  ask("POST", path, R"({"overwrite":true,"vars":[{"name":"HAVE","value":"new","scope":"CONTAINER","is_secret":false},
      {"name":"A B","value":"","scope":"CONTAINER","is_secret":false}]})",
      400);
  EXPECT_EQ(listed("CONTAINER", api_)["HAVE"].text_or("value", ""), "old");
  ask("POST", path,
      R"({"overwrite":true,"vars":[{"name":"HAVE","value":"{{HAVE}}","scope":"CONTAINER","is_secret":false}]})", 400);
  ask("POST", path,
      R"({"overwrite":true,"vars":[{"name":"HAVE","value":"new","scope":"CONTAINER","is_secret":false}]})", 201);
  EXPECT_EQ(listed("CONTAINER", api_)["HAVE"].text_or("value", ""), "new");
  std::string many = R"({"overwrite":true,"vars":[)";
  for (int at = 0; at < 10'000; ++at) {
    many += (at == 0 ? "" : ",") + (R"({"name":"V)" + std::to_string(at)) + R"(","value":"{{V)" +
            std::to_string(at / 2 + 10'000) + R"(}}","scope":"JOB","is_secret":false})";
  }
  for (std::size_t at = many.find("JOB"); at != std::string::npos; at = many.find("JOB", at))
    many.replace(at, 3, "CONTAINER");
  many += "]}";
  if (many.size() < 1'000'000) ask("POST", path, many, 201);
  EXPECT_EQ(said_.find(canary), std::string::npos);
}

TEST_P(Variables, survive_a_snapshot) {
  const std::string wide = set("A", "1", "PROJECT", project_);
  alias(wide, "B", "CONTAINER", api_);
  const std::string taken = *simulator_->engine().snapshot();
  EXPECT_NE(taken.find("\"variable\""), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Stores, Variables, testing::Bool());

}  // namespace
}  // namespace orlop
