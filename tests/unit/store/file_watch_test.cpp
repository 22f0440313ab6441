// What may have changed the place of a file is noticed, and nothing else is.
#include "store/sqlite/file_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace orlop {
namespace {

class WatchedFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder);
    for (const std::string& path : paths) std::ofstream(path) << "text";
    watch.begin(paths);
    (void)watch.may_have_moved();
    if (watch.may_have_moved()) GTEST_SKIP() << "the system does not report changes of files in " << folder;
  }
  void TearDown() override { std::filesystem::remove_all(base); }

  const std::filesystem::path base = std::filesystem::canonical(std::filesystem::temp_directory_path()) / ("orlop-watched-" + std::to_string(::getpid()));
  const std::filesystem::path folder = base / "above" / "here";
  const std::array<std::string, 3> paths = {folder / "store.db", folder / "store.db-wal", folder / "store.db-shm"};
  FileWatch watch;
};

TEST_F(WatchedFiles, stay_while_they_are_read_and_written) {
  for (const std::string& path : paths) {
    std::ofstream(path, std::ios::app) << "more";
    std::string text;
    std::ifstream(path) >> text;
    EXPECT_EQ(text, "textmore");
    std::filesystem::resize_file(path, 1);
  }
  std::ofstream(folder / "another") << "text";
  std::filesystem::rename(folder / "another", base / "another");
  std::filesystem::remove(base / "another");
  EXPECT_FALSE(watch.may_have_moved());
}

TEST_F(WatchedFiles, are_looked_at_now_and_then) {
  int looks = 0;
  for (int call = 0; call < 640; ++call) looks += watch.may_have_moved() ? 1 : 0;
  EXPECT_EQ(looks, 10);
}

TEST_F(WatchedFiles, are_reported_once) {
  for (const std::string& path : paths) {
    std::filesystem::rename(path, path + ".moved");
    EXPECT_TRUE(watch.may_have_moved()) << path;
    EXPECT_FALSE(watch.may_have_moved()) << path;
    std::filesystem::rename(path + ".moved", path);
    EXPECT_TRUE(watch.may_have_moved()) << path;
    std::filesystem::copy(path, path + ".copy");
    std::filesystem::rename(path + ".copy", path);
    EXPECT_TRUE(watch.may_have_moved()) << path;
  }
}

TEST_F(WatchedFiles, are_reported_although_they_are_open) {
  const std::ofstream open(paths[1], std::ios::app);
  std::filesystem::remove(paths[1]);
  EXPECT_TRUE(watch.may_have_moved());
}

TEST_F(WatchedFiles, move_with_a_folder_above) {
  std::filesystem::rename(base / "above", base / "elsewhere");
  EXPECT_TRUE(watch.may_have_moved());
  std::filesystem::rename(base / "elsewhere", base / "above");
  EXPECT_TRUE(watch.may_have_moved());
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(watch.may_have_moved());
}

TEST(UnwatchedFiles, may_always_have_moved) {
  FileWatch never_begun;
  FileWatch of_a_missing_file;
  of_a_missing_file.begin(std::array{std::string("/nowhere/store.db")});
  FileWatch of_another_system;
  of_another_system.begin(std::array{std::string("/proc/self/status")});
  for (int call = 0; call < 3; ++call) {
    EXPECT_TRUE(never_begun.may_have_moved());
    EXPECT_TRUE(of_a_missing_file.may_have_moved());
    EXPECT_TRUE(of_another_system.may_have_moved());
  }
}

}  // namespace
}  // namespace orlop
