#include "ops/representation.h"

#include <utility>

#include "ops/verbs.h"
#include "wire/json.h"

namespace orlop {

const Value& body_of(const Call& call, Value& made) {
  const bool is_made = call.representation != nullptr && call.representation->request != nullptr && call.body->is_object();
  if (!is_made) return *call.body;
  made = *call.body;
  call.representation->request(made);
  return made;
}

Result<bool> is_shown(const Call& call, const Record& record) {
  if (call.representation == nullptr || call.representation->filter == nullptr) return true;
  ORLOP_TRY(value, parse_stored(record.body));
  return call.representation->filter(value);
}

Result<void> keep_shown(const Call& call, std::vector<Record>& records) {
  if (call.representation == nullptr || call.representation->filter == nullptr) return {};
  std::vector<Record> shown;
  for (Record& record : records) {
    ORLOP_TRY(is_there, is_shown(call, record));
    if (is_there) shown.push_back(std::move(record));
  }
  records = std::move(shown);
  return {};
}

Result<std::string> represented(const Call& call, std::string answer) {
  if (call.representation == nullptr || call.representation->render == nullptr) return answer;
  ORLOP_TRY(value, parse_stored(answer));
  call.representation->render(value);
  return to_json(value);
}

Result<std::string> render_for(Unit& unit, const Call& call, const Record& record) {
  ORLOP_TRY(answer, render(unit, *call.family, record));
  return represented(call, std::move(answer));
}

}  // namespace orlop
