// orlop_generate DIR writes every document of the project below DIR; orlop_generate --check DIR lists the stale ones.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "describe/generated_files.h"

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

// Pages in the same folder that other programs write: docs/site/python_api.py, docs/site/coverage_page.py and
// docs/site/step_pages.py.
constexpr std::string_view of_others[] = {"docs/reference/python.md", "docs/reference/coverage.md",
                                          "docs/reference/steps.md", "docs/reference/steps"};

// Returns the pages that are no longer generated.
std::vector<std::filesystem::path> left_over(const std::filesystem::path& project,
                                             const std::vector<orlop::Document>& documents) {
  std::vector<std::filesystem::path> pages;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(project / "docs/reference", error)) {
    const auto path = entry.path().lexically_relative(project);
    const bool is_ours = std::ranges::find(of_others, path.generic_string()) == std::end(of_others);
    if (is_ours && std::ranges::find(documents, path.generic_string(), &orlop::Document::path) == documents.end())
      pages.push_back(path);
  }
  std::ranges::sort(pages);
  return pages;
}

int check_all(const std::filesystem::path& project) {
  const auto documents = orlop::project_documents();
  int stale = 0;
  for (const orlop::Document& document : documents) {
    if (read(project / document.path) == document.text) continue;
    std::fprintf(stderr, "stale: %s\n", document.path.c_str());
    ++stale;
  }
  for (const std::filesystem::path& page : left_over(project, documents)) {
    std::fprintf(stderr, "left over: %s\n", page.c_str());
    ++stale;
  }
  if (stale != 0) std::fputs("scripts/generate writes them anew\n", stderr);
  return stale == 0 ? 0 : 1;
}

int write_all(const std::filesystem::path& project) {
  const auto documents = orlop::project_documents();
  for (const orlop::Document& document : documents) {
    const std::filesystem::path path = project / document.path;
    if (read(path) == document.text) continue;
    if (!write(path, document.text)) {
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
      return 1;
    }
    std::printf("%s\n", document.path.c_str());
  }
  for (const std::filesystem::path& page : left_over(project, documents)) {
    std::error_code error;
    std::filesystem::remove(project / page, error);
    std::printf("removed %s\n", page.c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const bool is_check = count == 3 && std::string_view(arguments[1]) == "--check";
  const bool is_write = count == 2 && arguments[1][0] != '-';
  if (!is_check && !is_write) {
    std::fputs("usage: orlop_generate [--check] DIR\n", stderr);
    return 2;
  }
  const std::filesystem::path project = arguments[count - 1];
  return is_check ? check_all(project) : write_all(project);
}
