#include "records/ask_later.h"

#include <utility>

#include "external_systems/ask.h"
#include "wire/writer.h"

namespace orlop {
namespace {

Answer plain_answer(std::uint16_t status, const Value& answer) {
  return answer.is_list() ? make_list_answer(answer, status) : Answer{status, to_json(answer)};
}

Result<Value> ask_or_look_up(ExternalSystems* systems, const Asked& asked, std::string_view brand) {
  auto answer = ask(systems, asked.question, asked.input, brand);
  const bool is_unanswered = !answer && answer.error().code == ErrorCode::unanswered;
  return is_unanswered && asked.otherwise ? asked.otherwise() : std::move(answer);
}

}  // namespace

Answer make_list_answer(const Value& list, std::uint16_t status) {
  Writer out;
  out.begin_object().field("results", list).end_object();
  return {status, std::move(out).take()};
}

Answer ask_later(Unit& unit, Asked asked) {
  Answer prepared;
  prepared.ask = [systems = unit.settings().external_systems, brand = unit.settings().brand,
                  asked = std::move(asked)]() -> Result<Answer> {
    ORLOP_TRY(answer, ask_or_look_up(systems, asked, brand));
    return asked.reply ? asked.reply(std::move(answer)) : Result<Answer>(plain_answer(asked.status, answer));
  };
  return prepared;
}

}  // namespace orlop
