// With what a database is entered: a login of its engine's custom, and a password that is drawn when it is created.
#pragma once

#include "base/result.h"
#include "model/field.h"
#include "ops/call.h"
#include "ops/unit.h"

namespace orlop {

// They lie below the database, as a record of database_credentials_number whose password is among its secrets.
Result<void> add_master_credentials(Unit& unit, const Record& database);

Result<Answer> read_master_credentials(Unit& unit, const Call& call);

inline constexpr Field master_credentials_fields[] = {
    text("host", "The host it is reached at."),
    integer("port", "The port it is reached at."),
    text("login", "Who enters."),
    text("password", "What opens."),
};
inline constexpr Shape master_credentials_shape = {.name = "Credentials", .fields = master_credentials_fields};

}  // namespace orlop
