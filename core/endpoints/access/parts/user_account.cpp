#include "endpoints/access/parts/user_account.h"

#include "access/user_id.h"

namespace orlop {

Result<Id> account_of(const Call& call) {
  switch (call.caller->kind) {
    case Caller::Kind::user: return call.caller->id;
    case Caller::Kind::host: return user_id_of(call.author);
    case Caller::Kind::token: break;
  }
  return make_error(ErrorCode::forbidden, "an API token has no account; only people and the host have one");
}

}  // namespace orlop
