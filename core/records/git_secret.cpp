#include "records/git_secret.h"

#include "records/missing_secrets.h"
#include "records/record_value.h"
#include "unit/unit.h"

namespace orlop {

Result<std::string> git_secret_of(Unit& unit, const Id& git_token) {
  if (git_token.is_nil()) return std::string();
  ORLOP_TRY(record, unit.record(git_token));
  if (!record) return std::string();
  ORLOP_CHECK(require_secrets(*record));
  ORLOP_TRY(token, full_value(*record));
  return std::string(token.text_or("token", ""));
}

}  // namespace orlop
