#include "base/text/case_folding.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/text/utf8.h"

namespace orlop {
namespace {

TEST(CaseFolding, IsTheSimpleOneOfUnicode) {
  constexpr std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"Shop-1", "shop-1"},
      {"ÉTÉ", "été"},
      {"ΣΊΣΥΦΟΣ", "σίσυφοσ"},
      {"σίσυφος", "σίσυφοσ"},
      {"Straße", "straße"},
      {"STRAẞE", "straße"},
      {"İstanbul", "İstanbul"},
      {"ılık", "ılık"},
      {"\u212A", "k"},
      {"\u212B", "å"},
      {"Ǆ", "ǆ"},
      {"ǅ", "ǆ"},
      {"ſ", "s"},
      {"µ", "μ"},
      {"ᾈ", "ᾀ"},
      {"ꭰ", "Ꭰ"},
      {"Ꭰ", "Ꭰ"},
      {"𐐀", "𐐨"},
      {"Ⱥ", "ⱥ"},
      {"名前", "名前"},
      {"ĀāĂă", "āāăă"},
      {"ŸŹ", "ÿź"},
  };
  for (const auto& [text, folded] : cases) {
    EXPECT_EQ(fold_case(text), folded);
    EXPECT_EQ(fold_case(folded), folded) << "what is folded stays";
  }
}

TEST(CaseFolding, LeavesBytesThatAreNoText) {
  EXPECT_EQ(fold_case("A\xFF\xC3"), "a\xFF\xC3");
  std::string key = "KEY ";
  append_folded(key, "ÄB");
  EXPECT_EQ(key, "KEY äb");
}

TEST(Utf8, KnowsControlCharacters) {
  for (const std::string_view text :
       {std::string_view("\0", 1), std::string_view("a\tb"), std::string_view("\x1F"), std::string_view("\x7F"),
        std::string_view("\u0080"), std::string_view("a\u009F")}) {
    EXPECT_TRUE(has_control(text));
  }
  for (const char* text : {"", " ", "a b", "\u00A0", "é", "名", "\u00C2x"}) EXPECT_FALSE(has_control(text)) << text;
}

}  // namespace
}  // namespace orlop
