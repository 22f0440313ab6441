// Secrets are found in every form in which a driver's text may contain them.
#include "base/text/secret_mask.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/text/base64.h"

namespace orlop {
namespace {

std::string masked(const std::vector<std::string>& secrets, const std::string& text) {
  return SecretMask(secrets).masked(text).value_or(text);
}

std::string base64(const std::string& text) {
  return to_base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST(SecretMask, ReplacesValuesAndLeavesTheRest) {
  EXPECT_EQ(masked({"canary-4711"}, "helm upgrade --set key=canary-4711 --wait"), "helm upgrade --set key=*** --wait");
  EXPECT_EQ(masked({"canary-4711"}, "canary-4711canary-4711, canary-4711"), "***, ***");
  EXPECT_EQ(masked({"canary-4711"}, "canary-471"), "canary-471");
  EXPECT_EQ(masked({"abcdefgh", "efghijkl"}, "<abcdefghijkl>"), "<***>") << "where they overlap, both are masked";
  EXPECT_EQ(masked({"hunter", "hunter22"}, "hunter22 hunter2"), "*** ***2");
  EXPECT_FALSE(SecretMask({"canary-4711"}).masked("nothing here"));
  EXPECT_FALSE(SecretMask({"canary-4711"}).masked(""));
}

TEST(SecretMask, ShortValuesOccurEverywhere) {
  EXPECT_TRUE(SecretMask({}).empty());
  EXPECT_TRUE(SecretMask({"", "true", "12345"}).empty());
  EXPECT_EQ(masked({"12345"}, "12345"), "12345");
  EXPECT_EQ(masked({"123456"}, "123456"), "***");
}

TEST(SecretMask, FindsValuesThatArePercentEncoded) {
  const std::vector<std::string> secrets = {"p@ss w/rd+1"};
  EXPECT_EQ(masked(secrets, "https://u:p%40ss%20w%2Frd%2B1@h/"), "https://u:***@h/");
  EXPECT_EQ(masked(secrets, "https://u:p%40ss%20w/rd%2b1@h/"), "https://u:***@h/");
  EXPECT_EQ(masked(secrets, "password=p%40ss+w%2Frd%2B1&x=1"), "password=***&x=1");
  EXPECT_EQ(masked(secrets, "100% of p%2540ss%2520w%252Frd%252B1"), "100% of ***") << "encoded twice";
  EXPECT_EQ(masked({"100%25 sure"}, "100%25 sure"), "***");
}

TEST(SecretMask, FindsValuesThatAreEscaped) {
  const std::vector<std::string> secrets = {"a\"b\\c\nd/e\xC3\xA9\xF0\x9F\x94\x91"};
  EXPECT_EQ(masked(secrets, R"({"password":"a\"b\\c\nd\/e\u00e9\ud83d\udd11"})"), R"({"password":"***"})");
  EXPECT_EQ(masked(secrets, "{\"password\":\"a\\\"b\\\\c\\nd/e\xC3\xA9\xF0\x9F\x94\x91\"}"), R"({"password":"***"})");
  EXPECT_EQ(masked(secrets, R"("{\"password\":\"a\\\"b\\\\c\\nd/e\\u00E9\\uD83D\\uDD11\"}")"),
            R"("{\"password\":\"***\"}")")
      << "JSON in JSON";
  EXPECT_EQ(masked({"it's\tthis"}, R"(ValueError('it\'s\tthis'))"), "ValueError('***')") << "as Python shows it";
  EXPECT_EQ(masked({"caf\xC3\xA9 \xF0\x9F\x94\x91"}, R"({'a': 'caf\xe9 \U0001f511'})"), "{'a': '***'}")
      << "as ascii() of Python shows it";
  EXPECT_EQ(masked({"caf\xC3\xA9s"}, R"(b'caf\xc3\xa9s')"), "b'***'") << "as bytes of Python are shown";
  EXPECT_EQ(masked({"C:\\new\\table"}, "C:\\new\\table"), "***");
  EXPECT_EQ(masked({"p@ss w/rd"}, R"({"url":"https:\/\/u:p%40ss%20w%2Frd@h"})"), R"({"url":"https:\/\/u:***@h"})")
      << "a URL in JSON";
}

// At every offset of the value in a group of three bytes, and with every remainder at its end.
TEST(SecretMask, FindsValuesInBase64FromAnyByteOn) {
  for (std::size_t size = SecretMask::value_size_min; size < 40; ++size) {
    std::string secret;
    for (std::size_t at = 0; at < size; ++at) secret.push_back(static_cast<char>(33 + (at * 37 + size) % 90));
    for (const char* before : {"", "u", "u:", "us:", "user"}) {
      for (const char* after : {"", "\n", "@h", "@ho", "@host"}) {
        const std::string text = base64(before + secret + after);
        for (const std::string& given : {text, text.substr(0, text.find('=')), "Basic " + text + " and more"}) {
          const std::string result = masked({secret}, given);
          EXPECT_NE(result.find("***"), std::string::npos) << given;
          // No four consecutive letters of the value remain, except those that encode text around it.
          EXPECT_LE(result.size(), given.size() - (size * 4 / 3 - 1) + 3) << given << " became " << result;
        }
      }
    }
  }
}

TEST(SecretMask, FindsValuesInBase64InOtherForms) {
  const std::string secret = "s3cret>>>???value";
  std::string url = base64(secret);
  for (char& letter : url) letter = letter == '+' ? '-' : letter == '/' ? '_' : letter;
  EXPECT_NE(url, base64(secret));
  EXPECT_EQ(masked({secret}, url.substr(0, url.find('='))), "***");
  EXPECT_EQ(masked({secret}, "x=" + base64("u:" + secret)).find(base64(secret).substr(4, 8)), std::string::npos);
  const std::string docker = base64(R"({"auths":{"r.example.com":{"auth":")" + base64("robot:" + secret) + R"("}}})");
  EXPECT_NE(masked({secret}, docker), docker) << "a Docker configuration in a Kubernetes secret";
  const std::string quoted = "\"" + base64(secret + "xyz") + "\"";
  EXPECT_EQ(masked({secret + "xyz"}, R"({"data":)" + quoted + "}"), R"({"data":"***"})");
}

TEST(SecretMask, FindsTheLinesOfAValueOneByOne) {
  const std::string key =
      "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\r\n  EFAASCBKcwggSjAgEAAoIBAQC7\nx9==\n-----END PRIVATE "
      "KEY-----\n";
  EXPECT_EQ(masked({key}, key), "***");
  EXPECT_EQ(masked({key}, "x9=="), "x9==") << "a line that is too short to be one of a secret";
  EXPECT_EQ(masked({key}, "MIIEvQIBADANBgkqhkiG9w0BAQ"), "***");
  EXPECT_EQ(masked({key}, "| EFAASCBKcwggSjAgEAAoIBAQC7 |"), "| *** |");
  EXPECT_EQ(masked({"hunter22\n"}, "the password hunter22 is wrong"), "the password *** is wrong")
      << "of a file with one line";
  EXPECT_EQ(masked({R"({"private_key": "-----BEGIN\nMIIEvQIBADANBgkqhkiG\n-----END\n"})"}, "MIIEvQIBADANBgkqhkiG"),
            "***")
      << "of a key in JSON";
}

TEST(SecretMask, FindsTheLinesOfBase64OneByOne) {
  std::string secret;
  for (int at = 0; at < 200; ++at) secret.push_back(static_cast<char>(33 + at * 7 % 90));
  const std::string text = base64(secret);
  for (const std::size_t size : {std::size_t{64}, std::size_t{76}}) {
    for (std::size_t at = 0; at + size <= text.size(); at += size)
      EXPECT_EQ(masked({secret}, text.substr(at, size)), "***");
  }
}

// Only constructed texts take long: the search gives up, and masks everything.
TEST(SecretMask, ATextThatWouldTakeLongIsMaskedAsAWhole) {
  const std::string secret(60'000, 'a');
  EXPECT_EQ(masked({secret}, std::string(120'000, 'a')), "***");
  EXPECT_EQ(masked({secret + "b"}, std::string(120'000, 'a') + "c"), "***");
  // Texts that repeat the beginning of a secret do not take long.
  const std::string words = "-----BEGIN PRIVATE KEY----- is the first line; ";
  std::string text;
  for (int times = 0; times < 1000; ++times) text += words;
  EXPECT_EQ(masked({"-----BEGIN CERTIFICATE-----" + std::string(3000, 'x')}, text), text);
}

}  // namespace
}  // namespace orlop
