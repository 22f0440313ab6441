// Targets of messages: the tables of addresses and of targets.
#include "base/text/target.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/text/net_address.h"

namespace orlop {
namespace {

std::vector<std::string> lines_of(const std::string& name) {
  std::vector<std::string> lines;
  std::ifstream table(std::string(ORLOP_TEST_DATA) + "/tables/" + name);
  for (std::string line; std::getline(table, line);) {
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> tokens_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> tokens;
  for (std::string token; in >> token;) tokens.push_back(token);
  return tokens;
}

TEST(Target, IsRefusedAsTheTableSays) {
  std::vector<std::string> allowed;
  std::size_t count = 0;
  for (const std::string& line : lines_of("targets.txt")) {
    const std::vector<std::string> tokens = tokens_of(line);
    if (tokens[0] == "allow") {
      allowed.assign(tokens.begin() + 1, tokens.end());
      for (const std::string& entry : allowed) EXPECT_TRUE(is_allow_entry(entry)) << entry;
      continue;
    }
    const std::string refusal = target_refusal(tokens.at(1), allowed);
    EXPECT_EQ(refusal.empty() ? "ok" : "refused", tokens[0]) << line << ": " << refusal;
    ++count;
  }
  EXPECT_GT(count, 100U);
}

TEST(Target, NeedsPrintableLetters) {
  for (const char* url : {"https://hooks.example.com/a b", "https://hooks.example.com/\r\nx: y",
                          "https://hooks.example.com/\t", " https://a.example"}) {
    EXPECT_NE(target_refusal(url, {}), "") << url;
  }
  EXPECT_NE(target_refusal(std::string_view("https://a.example\0.b", 20), {}), "");
  EXPECT_NE(target_refusal("https://a.example/" + std::string(2048, 'x'), {}), "");
  EXPECT_NE(target_refusal("https://" + std::string(64, 'x') + ".example/", {}), "");
}

TEST(AllowList, HoldsHostsAndRanges) {
  for (const char* entry : {"localhost", "a.example", "10.0.0.0/8", "127.0.0.1", "::1", "fd00::/8"})
    EXPECT_TRUE(is_allow_entry(entry)) << entry;
  for (const char* entry : {"", "*", "*.example.com", "10.0.0.0/33", "10.0.0.0/", "fd00::/129", "https://a.example",
                            "a.example:80", "1.2.3.4.5", "a b"}) {
    EXPECT_FALSE(is_allow_entry(entry)) << entry;
  }
}

TEST(NetAddress, IsPublicAsTheTableSays) {
  for (const std::string& line : lines_of("addresses.txt")) {
    const std::vector<std::string> tokens = tokens_of(line);
    const auto range = parse_range(tokens.at(1));
    ASSERT_TRUE(range) << line;
    EXPECT_EQ(is_public(range->address) ? "public" : "inner", tokens[0]) << line;
  }
}

TEST(NetAddress, IsOneInEverySpelling) {
  const auto loopback = parse_ipv4("127.0.0.1");
  ASSERT_TRUE(loopback);
  for (const char* spelling :
       {"127.1", "127.0.1", "0x7f.1", "0X7F.0.0.01", "0177.0.0.1", "2130706433", "0x7f000001", "017700000001"}) {
    EXPECT_EQ(parse_ipv4(spelling), loopback) << spelling;
  }
  EXPECT_EQ(parse_ipv6("2001:db8:0:0:1::1"), parse_ipv6("2001:DB8::1:0:0:1"));
  EXPECT_EQ(parse_ipv6("::ffff:1.2.3.4"), parse_ipv6("::ffff:102:304"));
  for (const char* wrong : {"", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
                            "12345::", "g::", "::1.2.3", "::1.2.3.256", "1.2.3.4::"}) {
    EXPECT_FALSE(parse_ipv6(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace orlop
