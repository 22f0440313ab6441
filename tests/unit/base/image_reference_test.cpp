#include "base/text/image_reference.h"

#include <gtest/gtest.h>

#include <string>

namespace orlop {
namespace {

const std::string digest = "sha256:" + std::string(64, 'a');

TEST(ImageReference, NamesAreThoseOfRepositories) {
  for (const std::string name : {"nginx", "library/nginx", "a/b/c/d", "a.b/c_d/e__f/g---h", "1/2", "ghcr.io/acme/web",
                                 "localhost:5000/web", "Registry.example.com:443/web"})
    EXPECT_TRUE(is_image_name(name)) << name;
  EXPECT_TRUE(is_image_name(std::string(255, 'a')));
  for (const std::string name : {"",
                                 " ",
                                 "Acme/web",
                                 "acme/Web",
                                 " acme/web",
                                 "acme/web ",
                                 "acme/web:1",
                                 "acme//web",
                                 "/acme",
                                 "acme/",
                                 "a..b",
                                 "a___b",
                                 "-a",
                                 "a-",
                                 "a._b",
                                 ":5000/web",
                                 "host:/web",
                                 "host:port/web",
                                 "localhost:5000",
                                 "a@b",
                                 "gr\xC3\xB6\xC3\x9F"
                                 "e",
                                 "a\nb"})
    EXPECT_FALSE(is_image_name(name)) << name;
  EXPECT_FALSE(is_image_name(std::string(256, 'a')));
}

TEST(ImageReference, TagsAreTagsOrDigests) {
  for (const std::string& tag :
       {std::string("1"), std::string("1.27-alpine_3"), std::string("_x"), std::string("Latest"), std::string(128, 'x'),
        digest, "1.27@" + digest, "sha512:" + std::string(128, 'f')})
    EXPECT_TRUE(is_image_tag(tag)) << tag;
  for (const std::string& tag :
       {std::string(), std::string("a b"), std::string(129, 'x'), std::string(".1"), std::string("-1"),
        std::string("a:b"), std::string("a/b"), std::string("1@"), "@" + digest, digest + "g",
        std::string("sha256:abc"), "1@1@" + digest, std::string("\xC3\xBC")})
    EXPECT_FALSE(is_image_tag(tag)) << tag;
}

}  // namespace
}  // namespace orlop
