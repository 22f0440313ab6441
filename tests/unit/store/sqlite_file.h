// A folder with the file of an SQLite store, which tests write and read without the store.
#pragma once

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "store/open.h"

namespace orlop {

class SqliteFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("orlop-schema-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);  // left by a killed process with the same id
    std::filesystem::create_directories(folder_);
    path = (folder_ / "store.db").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void run(const std::string& sql) { SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql); }
  std::string ask(const std::string& sql) { return SQLite::Database(path).execAndGet(sql).getString(); }
  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write_bytes(const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

  void expect_refused_and_untouched(ErrorCode code) {
    const std::string before = bytes();
    const Result<std::unique_ptr<Store>> opened = open_sqlite_store(path, Durability::full);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, code) << opened.error().message;
    EXPECT_EQ(bytes(), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  }

  std::string path;

 private:
  std::filesystem::path folder_;
};

// Returns the contents of a file of this folder.
inline std::string data(const std::string& name) {
  std::ifstream file(std::string(ORLOP_TEST_DATA) + "/unit/store/" + name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(text.empty()) << name;
  return text;
}

inline Id numbered(std::uint8_t last) {
  Id id = *parse_id("0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1000");
  id.bytes[15] = last;
  return id;
}

inline void put(Store& store, const Changes& changes) {
  Result<std::unique_ptr<Transaction>> transaction = store.begin(Access::write);
  ASSERT_TRUE(transaction);
  ASSERT_TRUE((*transaction)->apply(changes));
  ASSERT_TRUE((*transaction)->commit());
}

}  // namespace orlop
