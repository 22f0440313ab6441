// Plays every file of transcripts/deploy: a scenario, "---", and its expected feed. Then plays each scenario once for
// each commit, with a recovery after that commit: the feed must be identical.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "unit/deploy/invariants.h"
#include "unit/deploy/script.h"

namespace orlop {
namespace {

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(ORLOP_TEST_DATA "/transcripts/deploy"))
    found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Transcript : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Transcript, SaysWhatHappens) {
  const std::string text = text_of(GetParam());
  const std::size_t line = text.find("---\n");
  ASSERT_NE(line, std::string::npos);
  EXPECT_EQ(transcript(parse_script(text.substr(0, line))), text.substr(line + 4));
}

TEST_P(Transcript, GoesOnAfterEveryRecovery) {
  const std::string text = text_of(GetParam());
  Script script = parse_script(text.substr(0, text.find("---\n")));
  Fixture uncut(script.options);
  std::vector<std::string> refusals;
  play(uncut, script, refusals);
  EXPECT_EQ(broken_rule(uncut, script), "");
  const std::string expected = everything(uncut);
  for (std::uint64_t commit = 1; commit <= uncut.commits(); ++commit) {
    script.options.crash_after = commit;
    Fixture cut(script.options);
    std::vector<std::string> refused;
    play(cut, script, refused);
    ASSERT_EQ(everything(cut), expected) << "after commit " << commit;
    ASSERT_EQ(refused, refusals) << "after commit " << commit;
  }
}

INSTANTIATE_TEST_SUITE_P(Deploy, Transcript, testing::ValuesIn(files()), [](const auto& info) {
  std::string name = info.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace orlop
