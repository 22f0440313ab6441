// Feeds a fuzz program without libFuzzer: PROGRAM COUNT [FOLDER]. Inputs are the files of the folder, changed copies of
// them, and random bytes; each depends only on the seed and its number.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include <unistd.h>

#include "fuzz/input.h"

namespace {

char line[128];  // text that a failure prints

void print_line(int signal) {
  (void)!write(STDERR_FILENO, line, std::strlen(line));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::uint64_t number_of(const char* name, std::uint64_t otherwise) {
  const char* given = std::getenv(name);
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 10);
}

std::vector<std::string> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> contents;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return contents;
}

std::string random_bytes(std::mt19937_64& random, std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) bytes.push_back(static_cast<char>(random() & 0xFF));
  return bytes;
}

// Bytes that parsers look for come more often than others.
void change(std::string& text, const std::vector<std::string>& files, std::mt19937_64& random) {
  constexpr std::string_view frequent = "{}[]\",:\\/%?&=+-.0123456789eEtfnu \n\x00\x7F\x80\xC3\xFF";
  const std::size_t at = text.empty() ? 0 : random() % text.size();
  const std::size_t size = 1 + random() % 8;
  const std::string& other = files[random() % files.size()];
  switch (random() % 7) {
    case 0: text.erase(at, size); break;
    case 1: text.insert(at, text, at, size); break;
    case 2: text.insert(at, 1, frequent[random() % frequent.size()]); break;
    case 3: text.insert(at, random_bytes(random, size)); break;
    case 4: text.insert(at, other.empty() ? other : other.substr(random() % other.size(), 1 + random() % 64)); break;
    case 5: text.insert(at, 1 + random() % 70, frequent[random() % frequent.size()]); break;
    default:
      if (!text.empty()) text[at] = frequent[random() % frequent.size()];
  }
}

std::string input_of(std::uint64_t seed, std::uint64_t number, const std::vector<std::string>& files) {
  if (number < files.size()) return files[number];
  std::mt19937_64 random(seed ^ (number * 0x9E3779B97F4A7C15ULL));
  if (files.empty() || random() % 4 == 0) return random_bytes(random, random() % 400);
  std::string text = files[random() % files.size()];
  for (std::uint64_t changes = 1 + random() % 6; changes > 0; --changes) change(text, files, random);
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t seed = number_of("ORLOP_SEED", 20260101);
  const std::uint64_t inputs =
      number_of("ORLOP_FUZZ_INPUTS", count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000);
  const std::uint64_t only = number_of("ORLOP_FUZZ_INPUT", UINT64_MAX);
  const std::vector<std::string> files = files_of(count > 2 ? arguments[2] : "");
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) std::signal(signal, print_line);
  for (std::uint64_t number = 0; number < inputs; ++number) {
    if (only != UINT64_MAX && number != only) continue;
    std::snprintf(line, sizeof line, "ORLOP_SEED=%llu ORLOP_FUZZ_INPUT=%llu\n", static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(number));
    const std::string text = input_of(seed, number, files);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  std::printf("%llu inputs, ORLOP_SEED=%llu\n", static_cast<unsigned long long>(inputs),
              static_cast<unsigned long long>(seed));
  return 0;
}
