#include "records/missing_secrets.h"

#include "model/missing_secret.h"
#include "records/tree/removal.h"
#include "wire/json.h"

namespace orlop {

std::string missing_reason(std::string_view secret) {
  return "the secret " + std::string(secret) +
         " has no value: a snapshot that is taken without a key holds no secrets. Set it again, or take the snapshot "
         "with a key";
}

Result<std::string> missing_reason_of(const Record& record) {
  std::string first;
  if (record.secrets.find(missing_secret_text) == std::string::npos) return first;
  ORLOP_TRY(secrets, parse_stored(record.secrets));
  visit_missing(secrets, [&first](const std::string& path) {
    if (first.empty()) first = path;
  });
  return first.empty() ? first : missing_reason(first + " of " + label_of(record));
}

Result<void> require_secrets(const Record& record) {
  ORLOP_TRY(reason, missing_reason_of(record));
  if (reason.empty()) return {};
  return make_error(ErrorCode::conflict, std::move(reason));
}

}  // namespace orlop
