// An engine whose store is named by a URL.
#include <unistd.h>

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "orlop/orlop.hpp"
#include "postgresql/server.h"

namespace orlop::contract {
namespace {

std::string url_of(const std::string& schema) {
  return connection_to("tls") + "&schema=" + schema + std::to_string(::getpid());
}

std::string message_of(const std::string& storage) {
  auto opened = Engine::try_open({.storage = storage});
  return opened ? "" : std::string(opened.error().name()) + ": " + opened.error().what();
}

class PostgreSQLEngine : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_storage(ORLOP_TEST_LIBRARY); }
};

TEST_F(PostgreSQLEngine, what_it_stores_is_there_when_it_is_opened_again) {
  const std::string url = url_of("again");
  std::string path;
  {
    Engine engine({.storage = url});
    const Reply made =
        engine.dispatch({.method = "POST", .path = "/organization", .body = R"({"name":"acme","plan":"FREE"})"});
    ASSERT_EQ(made.status(), 201) << made.body();
    const std::string body(made.body());
    path = "/organization/" + body.substr(body.find("\"id\":\"") + 6, 36);
  }
  Engine engine({.storage = url});
  const Reply found = engine.dispatch({.method = "GET", .path = path});
  EXPECT_EQ(found.status(), 200) << found.body();
}

TEST_F(PostgreSQLEngine, two_engines_see_the_same) {
  const std::string url = url_of("two");
  Engine first({.storage = url});
  Engine second({.storage = url});
  ASSERT_EQ(
      first.dispatch({.method = "POST", .path = "/organization", .body = R"({"name":"acme","plan":"FREE"})"}).status(),
      201);
  EXPECT_EQ(
      second.dispatch({.method = "POST", .path = "/organization", .body = R"({"name":"acme","plan":"FREE"})"}).status(),
      409);
  EXPECT_EQ(
      second.dispatch({.method = "POST", .path = "/organization", .body = R"({"name":"beta","plan":"FREE"})"}).status(),
      201);
  const std::string list(first.dispatch({.method = "GET", .path = "/organization"}).body());
  EXPECT_NE(list.find("beta"), std::string::npos);
}

TEST_F(PostgreSQLEngine, refusals_name_the_server_and_no_password) {
  const std::string refused = message_of("postgresql://u:s3cret@127.0.0.1:1/platform");
  EXPECT_EQ(refused.find("storage_failed: the connection to PostgreSQL (host 127.0.0.1, database platform) is lost"),
            0U)
      << refused;
  for (const char* url : {"postgresql://u:s3cret@[x", "postgres://u:s3cret@127.0.0.1:1/x", "postgresql:u:s3cret",
                          "mysql://u:s3cret@h/x"}) {
    EXPECT_EQ(message_of(url).find("s3cret"), std::string::npos) << message_of(url);
    EXPECT_NE(message_of(url), "");
  }
}

TEST(StorageLibraries, what_is_no_storage_library_is_refused) {
  EXPECT_FALSE(try_load_storage(""));
  EXPECT_FALSE(try_load_storage(std::string_view("a\0b", 3)));
  EXPECT_FALSE(try_load_storage(std::string(70'000, 'x')));
  const auto missing = try_load_storage("/nowhere/liborlop-x.so");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().name(), "storage_failed");
  const auto other = try_load_storage("libc.so.6");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().name(), "misuse");
  EXPECT_TRUE(try_load_storage(ORLOP_TEST_LIBRARY));
  EXPECT_TRUE(try_load_storage(ORLOP_TEST_LIBRARY)) << "twice is once";
}

}  // namespace
}  // namespace orlop::contract
