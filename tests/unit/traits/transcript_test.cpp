// Every transcript of tests/transcripts/rest holds against an engine in memory.
#include "transcript.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "rest/route.h"

namespace orlop::tests {
namespace {

std::vector<std::filesystem::path> transcripts() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ORLOP_TEST_DATA) + "/transcripts/rest")) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class RestTranscript : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(RestTranscript, Holds) { Transcript().play(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Files, RestTranscript, testing::ValuesIn(transcripts()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(RestTranscripts, AskForEveryOperation) {
  std::set<std::string> asked;
  for (const std::filesystem::path& file : transcripts()) {
    Transcript transcript;
    transcript.play(file);
    asked.insert(transcript.served().begin(), transcript.served().end());
  }
  for (const Route& route : all_routes()) {
    const std::string operation = std::string(word_of(route.operation.method)) + " " + route.path;
    if (route.family != nullptr && route.family->name == "argocd_app") continue;  // nobody can create one here
    EXPECT_TRUE(asked.contains(operation)) << "no transcript shows the success of " << operation;
  }
}

TEST(Transcript, SeesWhatDoesNotHold) {
  Transcript transcript;
  EXPECT_EQ(transcript.play_line(R"(POST /organization {"name": "acme", "plan": "FREE"} -> 201)"), "");
  EXPECT_EQ(transcript.play_line("  name = \"acme\""), "");
  EXPECT_EQ(transcript.play_line("  id => organization"), "");
  EXPECT_NE(transcript.play_line("  name = \"other\""), "");
  EXPECT_NE(transcript.play_line("  name absent"), "");
  EXPECT_NE(transcript.play_line("  no_such_member = 1"), "");
  EXPECT_NE(transcript.play_line("GET /organization/{organization} -> 404"), "");
  EXPECT_NE(transcript.play_line("steps deploy nothing"), "");
  EXPECT_NE(transcript.play_line("release nothing"), "");
  EXPECT_NE(transcript.play_line("sing"), "");
}

}  // namespace
}  // namespace orlop::tests
