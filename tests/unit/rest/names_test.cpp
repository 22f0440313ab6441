// Lists of one resource: by its name, and by pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "model/role.h"
#include "unit/rest/guarded.h"
#include "unit/unique_name.h"
#include "wire/json.h"

namespace orlop::tests {
namespace {

// Reports whether the route lists a family with names, without a query parameter of its own with that name.
bool is_read_by_name(const Route& route) {
  const bool is_list =
      route.verb == Verb::list && route.operation.form == AnswerForm::record_list && is_found_by_name(*route.family);
  return is_list && std::ranges::find(route.operation.query, "name", &Field::name) == route.operation.query.end();
}

std::string encoded(std::string_view name) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    text += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

std::string upper_case(std::string text) {
  for (char& letter : text) letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  return text;
}

class Names : public testing::Test {
 protected:
  Value results(std::string_view token, const std::string& path) {
    const Reply reply = token.empty() ? guarded_.ask("GET", path) : guarded_.ask_as(token, "GET", path);
    EXPECT_EQ(reply.status, 200) << path << reply.body;
    const Value answer = parsed(reply);
    const Value* const found = answer.find("results");
    return found == nullptr ? Value::list() : *found;
  }

  Guarded guarded_;
};

TEST_F(Names, lead_to_one_resource_of_each_list) {
  std::set<std::string_view> families;
  const std::string owner = guarded_.token_of(guarded_.organization(), owner_role.id);
  for (const Route& route : all_routes()) {
    if (!is_read_by_name(route)) continue;
    const std::string path = guarded_.filled(route);
    (void)guarded_.with_ids("{" + std::string(route.family->name) + "}");  // creates a record
    for (const std::string_view token : {std::string_view(), std::string_view(owner)}) {
      const Value all = results(token, path);
      for (const Value& one : all.items()) {
        const std::string name(one.text_or("name", ""));
        const bool has_case = name_field(*route.family)->name_case == Case::sensitive;
        for (const std::string& asked : {name, has_case ? name : upper_case(name)}) {
          const Value found = results(token, path + "?name=" + encoded(asked));
          ASSERT_EQ(found.items().size(), 1U) << path << " " << asked;
          EXPECT_EQ(to_json(found.items()[0]), to_json(one));
        }
        EXPECT_TRUE(results(token, path + "?name=" + encoded(name + "x")).items().empty()) << path;
        families.insert(route.family->name);
      }
    }
  }
  EXPECT_GE(families.size(), 20U);
}

TEST_F(Names, of_another_family_or_of_what_is_hidden_lead_nowhere) {
  const std::string here = "/organization/" + guarded_.organization();
  const std::string credentials = guarded_.with_ids("{aws_credentials}");
  std::string name;
  const Value all = results({}, here + "/aws/credentials");
  for (const Value& one : all.items()) name = one.text_or("id", "") == credentials ? one.text_or("name", "") : name;
  ASSERT_FALSE(name.empty());
  EXPECT_EQ(results({}, here + "/aws/credentials?name=" + encoded(name)).items().size(), 1U);
  EXPECT_TRUE(
      results({}, here + "/gcp/credentials?name=" + encoded(name)).items().empty());  // the families share their names
  const std::string role = guarded_.make(here + "/customRole", R"({"name": "sees nothing"})");
  const std::string token = guarded_.token_of(guarded_.organization(), role);
  guarded_.make(here + "/project", R"({"name": "hidden"})");
  EXPECT_EQ(results({}, here + "/project?name=hidden").items().size(), 1U);
  EXPECT_TRUE(results(token, here + "/project?name=hidden").items().empty());
}

// A page of a long list equals that part of the whole list, for each caller.
TEST_F(Names, pages_are_parts_of_the_list) {
  const std::string path = "/organization/" + guarded_.organization() + "/project";
  for (int number = 0; number < 25; ++number)
    guarded_.make(path, R"({"name": "project )" + std::to_string(number) + "\"}");
  for (const std::string& token : {std::string(), guarded_.token_of(guarded_.organization(), owner_role.id),
                                   guarded_.token_of(guarded_.organization(), viewer_role.id)}) {
    const Value all = results(token, path);
    ASSERT_GE(all.items().size(), 25U);
    std::size_t seen = 0;
    for (int page = 1; page < 10; ++page) {
      const Value part = results(token, path + "?page_size=7&page=" + std::to_string(page));
      for (const Value& one : part.items()) EXPECT_EQ(to_json(one), to_json(all.items()[seen++]));
    }
    EXPECT_EQ(seen, all.items().size());
  }
}

}  // namespace
}  // namespace orlop::tests
