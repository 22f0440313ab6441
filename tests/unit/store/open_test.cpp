#include "store/open.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <barrier>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "unit/scratch.h"

namespace orlop {
namespace {

ErrorCode code_of(std::string_view url) {
  const Result<std::unique_ptr<Store>> opened = open_store(url);
  EXPECT_FALSE(opened) << url;
  return opened ? ErrorCode::internal : opened.error().code;
}

TEST(OpenStore, memory_has_one_spelling) {
  EXPECT_TRUE(open_store("memory:"));
  EXPECT_EQ(code_of(""), ErrorCode::invalid);
}

TEST(OpenStore, a_path_may_have_the_scheme_sqlite) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("orlop-open-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(open_store("sqlite:" + (folder / "a.db").string()));
  EXPECT_TRUE(open_store((folder / "b.db").string(), Durability::normal));
  EXPECT_TRUE(open_store((folder / "with:colon.db").string()));
  EXPECT_TRUE(std::filesystem::exists(folder / "a.db"));
  EXPECT_TRUE(std::filesystem::exists(folder / "b.db"));
  std::filesystem::remove_all(folder);
}

TEST(OpenStore, anything_else_is_refused_by_name) {
  for (const char* url :
       {"postgresql://host/db", "memory:x", "sqlite:", "sqlite::memory:", ":memory:", "file:a.db", "MEMORY:"}) {
    EXPECT_EQ(code_of(url), ErrorCode::invalid) << url;
  }
  EXPECT_EQ(code_of(std::string_view("a\0b", 3)), ErrorCode::invalid);
  EXPECT_EQ(open_store("mysql://user:password@host/db").error().message,
            "storage must be \"memory:\", \"sqlite:PATH\", \"postgresql://…\" or a path, not \"mysql://…\"");
}

TEST(OpenStore, a_path_that_cannot_be_made_fails_with_sqlites_words) {
  const Result<std::unique_ptr<Store>> opened = open_store("/nowhere/at/all.db");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::storage_failed);
  EXPECT_EQ(opened.error().message,
            "\"/nowhere/at/all.db\" cannot be opened: the store failed: unable to open database file: No such file or "
            "directory (errno 2)");
}

TEST(OpenStore, what_is_no_regular_file_is_refused_at_once) {
  for (const char* ending : {"", "-journal", "-wal", "-shm"}) {
    const std::string path = tests::scratch_file("pipe.db");
    ASSERT_EQ(::mkfifo((path + ending).c_str(), 0600), 0);
    const Result<std::unique_ptr<Store>> opened = open_store(path);
    std::filesystem::remove(path + ending);
    ASSERT_FALSE(opened) << ending;
    EXPECT_EQ(opened.error().code, ErrorCode::storage_failed);
    EXPECT_EQ(opened.error().message,
              "\"" + path + ending + "\" is not a regular file, and a store is kept in regular files only");
  }
  for (const char* path : {"/dev/null", "/tmp"}) EXPECT_EQ(code_of(path), ErrorCode::storage_failed) << path;
}

// Other threads open the file while one creates it: at the beginning, in the middle and at the end.
TEST(OpenStore, a_new_file_that_many_open_at_once_is_opened_by_all) {
  for (int round = 0; round < 15; ++round) {
    const std::string file = tests::scratch_file("opened_at_once.db");
    std::barrier begin(3);
    std::array<std::string, 3> refusals;
    std::vector<std::thread> threads;
    for (std::size_t number = 0; number < refusals.size(); ++number) {
      threads.emplace_back([&, number] {
        begin.arrive_and_wait();
        for (std::size_t time = 0; time < 1 + 8 * number && refusals[number].empty(); ++time) {
          const auto opened = open_sqlite_store(file, Durability::normal);
          if (!opened) refusals[number] = opened.error().message;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& refusal : refusals) ASSERT_EQ(refusal, "") << "in round " << round;
  }
}

}  // namespace
}  // namespace orlop
