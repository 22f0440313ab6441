// Files of one process of tests, removed when it ends.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace orlop::tests {

// Returns the path of a file of this name in the process's folder; an existing file is removed.
inline std::string scratch_file(const std::string& name) {
  struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("orlop-tests-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  const std::string file = (folder.path / name).string();
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file + ending);
  return file;
}

}  // namespace orlop::tests
