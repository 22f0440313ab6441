// A platform with records of every family, and requests about them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "unit/rest/guarded.h"

namespace orlop::tests {

inline constexpr std::string_view nowhere = "0198c0de-ffff-7000-8000-00000000ffff";

class OnPlatform : public testing::Test {
 protected:
  // Returns an id for a path parameter such as "projectId".
  std::string id(std::string_view parameter) { return guarded_.id_for(all_routes().front(), std::string(parameter)); }

  void expect(const Reply& reply, std::uint16_t status, std::string_view part) {
    EXPECT_EQ(reply.status, status) << reply.body;
    EXPECT_NE(reply.body.find(part), std::string::npos) << part << "\n" << reply.body;
  }

  // Returns {"key": …, "entry_parent_id": …, "entry_scope": …} with more members.
  std::string entry(std::string_view key, std::string_view parameter, std::string_view more = "") {
    const std::string scope = parameter == "projectId"       ? "PROJECT"
                              : parameter == "environmentId" ? "ENVIRONMENT"
                              : parameter == "applicationId" ? "APPLICATION"
                                                             : "CONTAINER";
    return R"({"key": ")" + std::string(key) + R"(", "entry_parent_id": ")" + id(parameter) + R"(", "entry_scope": ")" +
           scope + "\"" + std::string(more) + "}";
  }
  std::string make_entry(std::string_view key, std::string_view parameter, std::string_view more = "") {
    return guarded_.make("/testEntry", entry(key, parameter, more));
  }

  Guarded guarded_;
};

}  // namespace orlop::tests
