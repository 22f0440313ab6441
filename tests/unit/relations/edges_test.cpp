// The edges of the interface: PATCH, bodies and answers that are not JSON, metadata, ids that the host chooses.
#include "base/text/utf8.h"
#include "unit/relations/scope.h"

namespace orlop::tests {
namespace {

class Edges : public OnPlatform {
 protected:
  std::string document() { return "/organization/" + guarded_.organization() + "/testDocument"; }
  std::string projects() { return "/organization/" + guarded_.organization() + "/project"; }
};

TEST_F(Edges, PatchTakesYamlAndAnswersText) {
  const Reply reply = guarded_.ask("PATCH", document(), "a: [1, 2\n");
  expect(reply, 200, "a: [1, 2\n");
  EXPECT_EQ(header_of(reply, "content-type"), "text/plain");
  expect(guarded_.ask("PATCH", document(), ""), 400, "a body is required");
  expect(guarded_.ask("PATCH", document(), "\xFF"), 400, "must be UTF-8");
  EXPECT_EQ(guarded_.ask("PATCH", document(), std::string(1U << 20U, 'x')).status, 200);
  expect(guarded_.ask("PATCH", document(), std::string((1U << 20U) + 1, 'x')), 400, "at most");
  const Reply wrong = guarded_.ask("PUT", document(), "{}");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(header_of(wrong, "allow"), "GET, PATCH");
  const std::string viewer = guarded_.token_of(guarded_.organization(), viewer_role.id);
  EXPECT_EQ(guarded_.ask_as(viewer, "PATCH", document(), "x").status, 403);
}

TEST_F(Edges, AnswersCanBeBytes) {
  const Reply reply = guarded_.ask("GET", document());
  EXPECT_EQ(reply.body, std::string("\0\xFF", 2));
  EXPECT_EQ(header_of(reply, "content-type"), "application/octet-stream");
}

TEST_F(Edges, MetadataIsKeptFilteredAndRemoved) {
  const std::string first =
      guarded_.make(projects(), R"({"name": "one", "metadata": {"team": "shop", "cost centre": "7"}})");
  const std::string second = guarded_.make(projects(), R"({"name": "two", "metadata": {"team": "web"}})");
  expect(guarded_.ask("GET", "/project/" + first), 200, R"("metadata":{"team":"shop","cost centre":"7"})");
  const Reply list = guarded_.ask("GET", projects() + "?metadata.team=shop&metadata.cost%20centre=7");
  expect(list, 200, first);
  EXPECT_EQ(list.body.find(second), std::string::npos);
  EXPECT_EQ(guarded_.ask("GET", projects() + "?metadata.team=shop&metadata.cost%20centre=8").body, R"({"results":[]})");
  EXPECT_EQ(guarded_.ask("GET", projects() + "?metadata.nothing=1").body, R"({"results":[]})");
  expect(guarded_.ask("GET", projects() + "?metadata.team=web&page=1"), 200, R"("total_count":1)");
  expect(guarded_.ask("PUT", "/project/" + first, R"({"name": "renamed"})"), 200, R"("team":"shop")");
  expect(guarded_.ask("PUT", "/project/" + first, R"({"name": "renamed", "metadata": {"team": "x"}})"), 200,
         R"("metadata":{"team":"x"},)");
  for (const char* none : {"null", "{}"}) {
    expect(guarded_.ask("PUT", "/project/" + second, R"({"name": "two", "metadata": )" + std::string(none) + "}"), 200,
           "two");
    EXPECT_EQ(guarded_.ask("GET", "/project/" + second).body.find("metadata"), std::string::npos);
  }
}

TEST_F(Edges, ListsAreReadByName) {
  const std::string first = guarded_.make(projects(), R"({"name": "One & only"})");
  const std::string second = guarded_.make(projects(), R"({"name": "two"})");
  const auto ids = [&](const std::string& query, const std::string& path) {
    const Reply reply = guarded_.ask("GET", path + query);
    EXPECT_EQ(reply.status, 200) << reply.body;
    std::string found;
    if (reply.body.find(first) != std::string::npos) found += "1";
    if (reply.body.find(second) != std::string::npos) found += "2";
    return found;
  };
  EXPECT_EQ(ids("", projects()), "12");
  EXPECT_EQ(ids("?name=two", projects()), "2");
  EXPECT_EQ(ids("?name=ONE%20%26%20ONLY", projects()), "1");  // as names are unique without regard to case
  for (const char* none : {"?name=", "?name=tw", "?name=two%20", "?name=three"})
    EXPECT_EQ(guarded_.ask("GET", projects() + none).body, R"({"results":[]})") << none;
  EXPECT_EQ(guarded_.ask("GET", projects() + "?name=" + std::string(3000, 'x')).body, R"({"results":[]})");
  expect(guarded_.ask("GET", projects() + "?name=two&page=1"), 200, R"("total_count":1)");
  expect(guarded_.ask("GET", projects() + "?name=two&page=2&page_size=1"), 200, R"("results":[],)");
  EXPECT_EQ(guarded_.ask("GET", projects() + "?name=two&metadata.team=shop").body, R"({"results":[]})");
  expect(guarded_.ask("GET", "/organization/00000000-0000-8000-8000-000000000001/project?name=two"), 404,
         "organization");
  // The name does not exist in another organization or below another parent.
  const std::string other = guarded_.make("/organization", R"({"name": "other", "plan": "FREE"})");
  EXPECT_EQ(guarded_.ask("GET", "/organization/" + other + "/project?name=two").body, R"({"results":[]})");
  expect(guarded_.ask("GET", "/organization?name=OTHER"), 200, other);
  EXPECT_EQ(guarded_.ask("GET", "/organization?name=OTHER").body.find(guarded_.organization()), std::string::npos);
}

TEST_F(Edges, LongNamesOfMembersAreCutAtALetter) {
  std::string letters;
  for (int count = 0; count < 70; ++count) letters += "\xC3\xBC";
  const std::string member = "\"." + letters + "\": 1";
  for (const std::string& members : {member, member + ", " + member}) {
    const Reply reply = guarded_.ask("POST", projects(), R"({"name": "one", )" + members + "}");
    EXPECT_EQ(reply.status, 400);
    EXPECT_TRUE(is_utf8(reply.body)) << reply.body;
    EXPECT_LT(reply.body.size(), 600U);
  }
}

TEST_F(Edges, MetadataIsBounded) {
  const auto body = [](const std::string& metadata) { return R"({"name": "one", "metadata": )" + metadata + "}"; };
  const auto entries = [](int count) {
    std::string text = "{";
    for (int at = 0; at < count; ++at) text += (at == 0 ? "\"k" : ", \"k") + std::to_string(at) + "\": \"v\"";
    return text + "}";
  };
  expect(guarded_.ask("POST", projects(), body("7")), 400, "metadata must be an object, not an integer");
  expect(guarded_.ask("POST", projects(), body("[]")), 400, "metadata must be an object, not a list");
  expect(guarded_.ask("POST", projects(), body(R"({"a": 1})")), 400, "metadata.a must be a string, not an integer");
  expect(guarded_.ask("POST", projects(), body(R"({"": "x"})")), 400, "keys of 1 to 128 bytes, not of 0");
  expect(guarded_.ask("POST", projects(), body("{\"" + std::string(129, 'k') + "\": \"x\"}")), 400, "not of 129");
  expect(guarded_.ask("POST", projects(), body("{\"a\": \"" + std::string(2049, 'v') + "\"}")), 400,
         "at most 2048 bytes, not 2049");
  expect(guarded_.ask("POST", projects(), body(entries(65))), 400, "at most 64 entries, not 65");
  expect(guarded_.ask("POST", projects(), body(entries(10'000))), 400, "not 10000");
  expect(guarded_.ask("POST", projects(), body(entries(64))), 200, "k63");
}

TEST_F(Edges, TheHostChoosesIds) {
  const std::string chosen = "0198c0de-1234-7abc-8def-0123456789ab";
  const std::string body = R"({"name": "one", "id": ")" + chosen + "\"}";
  expect(guarded_.ask("POST", projects(), body), 200, chosen);
  expect(guarded_.ask("GET", "/project/" + chosen), 200, "one");
  expect(guarded_.ask("POST", projects(), R"({"name": "two", "id": ")" + chosen + "\"}"), 409,
         "is that of another resource");
  expect(guarded_.ask("POST", projects(), R"({"name": "two", "id": ")" + guarded_.other_organization() + "\"}"), 409,
         "is that of another resource");
  expect(guarded_.ask("POST", projects(), R"({"name": "two", "id": "7"})"), 400, "id must be a uuid");
  expect(guarded_.ask("POST", projects(), R"({"name": "two", "id": "00000000-0000-0000-0000-000000000000"})"), 400,
         "id must be a uuid");
  expect(guarded_.ask("POST", projects(), R"({"name": "two", "id": null})"), 200, "two");
  const std::string owner = guarded_.token_of(guarded_.organization(), owner_role.id);
  const Reply theirs =
      guarded_.ask_as(owner, "POST", projects(), R"({"name": "three", "id": "0198c0de-1234-7abc-8def-0123456789ac"})");
  EXPECT_EQ(theirs.status, 200);
  EXPECT_EQ(theirs.body.find("0123456789ac"), std::string::npos) << "only the host chooses";
}

}  // namespace
}  // namespace orlop::tests
