// External systems that authenticate "person:<subject>:<email>", and give the answers that a test sets.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/port.h"
#include "external_systems/question.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::tests {

class People final : public ExternalSystems {
 public:
  // Sets the answer to a question, as JSON.
  void say(const std::string& question, std::string answer) { script_.insert_or_assign(question, std::move(answer)); }

  bool answers(std::string_view question) const override {
    return question == "authenticate" || script_.contains(std::string(question));
  }
  Result<std::string> ask(std::string_view question, std::string_view input) override {
    if (!answers(question))
      return make_error(ErrorCode::unanswered, "the question " + std::string(question) + " is not answered");
    constexpr std::string_view prefix = "person:";
    const Value given = parse_json(input).value();
    if (const auto matching = check_input(*find_question(question), given); !matching)
      return make_error(ErrorCode::internal, matching.error().message);
    if (const auto found = script_.find(std::string(question)); found != script_.end()) return found->second;
    const std::string_view token = given.text_or("token", "");
    const std::size_t colon = token.find(':', prefix.size());
    if (!token.starts_with(prefix) || colon == std::string_view::npos) return std::string("null");
    Writer out;
    out.begin_object()
        .field("subject", token.substr(prefix.size(), colon - prefix.size()))
        .field("email", token.substr(colon + 1))
        .end_object();
    return std::move(out).take();
  }

 private:
  std::map<std::string, std::string> script_;
};

}  // namespace orlop::tests
