// orlop_generate DIR writes every document of the project below DIR; orlop_generate --check DIR names those that are stale.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "describe/document.h"

namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool write(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

int check_all(const std::filesystem::path& project) {
  int stale = 0;
  for (const orlop::Document& document : orlop::all_documents()) {
    if (read(project / document.path) == document.text) continue;
    std::fprintf(stderr, "stale: %s\n", document.path.c_str());
    ++stale;
  }
  if (stale != 0) std::fputs("scripts/generate writes them anew\n", stderr);
  return stale == 0 ? 0 : 1;
}

int write_all(const std::filesystem::path& project) {
  for (const orlop::Document& document : orlop::all_documents()) {
    const std::filesystem::path path = project / document.path;
    if (read(path) == document.text) continue;
    if (!write(path, document.text)) {
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
      return 1;
    }
    std::printf("%s\n", document.path.c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const bool is_check = count == 3 && std::string_view(arguments[1]) == "--check";
  if (!is_check && count != 2) {
    std::fputs("usage: orlop_generate [--check] DIR\n", stderr);
    return 2;
  }
  const std::filesystem::path project = arguments[count - 1];
  return is_check ? check_all(project) : write_all(project);
}
