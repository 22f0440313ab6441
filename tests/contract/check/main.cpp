// orlop-store-check: the contract suite on the store of a storage library.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>

#include "contract/fixture.h"
#include "guard.h"
#include "storage/host_store.h"
#include "storage/libraries.h"

namespace orlop::contract {
namespace {

constexpr const char* usage =
    "usage: orlop-store-check LIBRARY URL [--lost-at-close] [options of GoogleTest]\n"
    "Runs the contract suite of storage.h on a store and prints each promise that it breaks; the exit code is 0 if "
    "there is none.\n"
    "  LIBRARY           shared library that exports orlop_storage_entry\n"
    "  URL               URL of a store; {} in it becomes another number for each test, which needs an empty store\n"
    "  --lost-at-close   the store loses its contents when it is closed\n"
    "  --gtest_filter=…  only some of the tests; --help shows all options\n";

struct Given {
  std::string url;
  bool survives_close = true;
};

Given given;

// Returns the URL for the folder of a test; the folder's name contains the number.
std::string url_for(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  std::string number = name.substr(name.find_first_of("0123456789"));
  for (char& letter : number) letter = letter == '-' ? '_' : letter;
  std::string url = given.url;
  for (std::size_t at = url.find("{}"); at != std::string::npos; at = url.find("{}", at + number.size()))
    url.replace(at, 2, number);
  return url;
}

Result<std::unique_ptr<Store>> open(const std::filesystem::path& folder) {
  ORLOP_TRY(opened, c::open_by_library(url_for(folder)));
  if (opened == nullptr) return make_error(ErrorCode::invalid, "the library has no store for the scheme of this URL");
  auto store = std::make_unique<c::HostStore>(opened->functions(), nullptr);
  store->own();
  opened->keep();
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace

std::vector<Kind> all_kinds() { return {{"store", open, given.survives_close, false, false, true, 200}}; }

namespace {

int run(int count, char** arguments) {
  std::string library;
  for (int at = 1; at < count; ++at) {
    const std::string argument = arguments[at];
    if (argument == "--lost-at-close") given.survives_close = false;
    else if (argument.starts_with("--")) continue;
    else (library.empty() ? library : given.url) = argument;
  }
  if (library.empty() || given.url.find("{}") == std::string::npos) {
    std::fputs(usage, stderr);
    return 2;
  }
  if (const auto loaded = c::load_storage_library(library); !loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
    return 2;
  }
  testing::GTEST_FLAG(brief) = true;
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace orlop::contract

int main(int count, char** arguments) { return orlop::contract::run(count, arguments); }
