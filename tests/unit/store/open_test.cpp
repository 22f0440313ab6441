#include "store/open.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace orlop {
namespace {

ErrorCode code_of(std::string_view url) {
  const Result<std::unique_ptr<Store>> opened = open_store(url);
  EXPECT_FALSE(opened) << url;
  return opened ? ErrorCode::internal : opened.error().code;
}

TEST(OpenStore, memory_has_two_spellings) {
  EXPECT_TRUE(open_store(""));
  EXPECT_TRUE(open_store("memory:"));
}

TEST(OpenStore, a_path_may_have_the_scheme_sqlite) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("orlop-open-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(open_store("sqlite:" + (folder / "a.db").string()));
  EXPECT_TRUE(open_store((folder / "b.db").string(), Durability::normal));
  EXPECT_TRUE(open_store((folder / "with:colon.db").string()));
  EXPECT_TRUE(std::filesystem::exists(folder / "a.db"));
  EXPECT_TRUE(std::filesystem::exists(folder / "b.db"));
  std::filesystem::remove_all(folder);
}

TEST(OpenStore, anything_else_is_refused_by_name) {
  for (const char* url : {"postgresql://host/db", "memory:x", "sqlite:", "sqlite::memory:", ":memory:", "file:a.db", "MEMORY:"}) {
    EXPECT_EQ(code_of(url), ErrorCode::invalid) << url;
  }
  EXPECT_EQ(code_of(std::string_view("a\0b", 3)), ErrorCode::invalid);
  EXPECT_EQ(open_store("postgresql://host/db").error().message,
            "storage must be \"memory:\", \"sqlite:PATH\" or a path, not \"postgresql://host/db\"");
}

TEST(OpenStore, a_path_that_cannot_be_made_fails_with_sqlites_words) {
  const Result<std::unique_ptr<Store>> opened = open_store("/nowhere/at/all.db");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::storage_failed);
  EXPECT_NE(opened.error().message.find("unable to open database file"), std::string::npos);
}

}  // namespace
}  // namespace orlop
