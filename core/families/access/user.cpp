// The account of a person or of the host, outside of all organizations.
#include "base/user_number.h"
#include "model/family.h"

namespace orlop::families::user {
namespace {

constexpr Field fields[] = {
    text("communication_email", "Email address for messages of the platform, 3 to 255 bytes.")
        .required()
        .at_least(3)
        .at_most(255),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = user_number,
    .name = "user",
    .schema = "UserAccount",
    .segment = "account",
    .id_name = "userId",
    .about =
        "The account of a person holds what the platform keeps for the person itself. It belongs to no organization, "
        "and its ID is that of the person. It is made by its "
        "first edit.",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .sample = R"({"communication_email": "ada@example.com"})",
};

}  // namespace orlop::families::user
