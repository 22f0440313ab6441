// External systems that know the people "person:<subject>:<email>", and nothing else.
#pragma once

#include <string>
#include <string_view>

#include "base/port.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::tests {

class People final : public ExternalSystems {
 public:
  bool answers(std::string_view question) const override { return question == "authenticate"; }
  Result<std::string> ask(std::string_view question, std::string_view input) override {
    if (!answers(question)) return make_error(ErrorCode::unanswered, "people know only people");
    constexpr std::string_view prefix = "person:";
    const Value given = parse_json(input).value();
    const std::string_view token = given.text_or("token", "");
    const std::size_t colon = token.find(':', prefix.size());
    if (!token.starts_with(prefix) || colon == std::string_view::npos) return std::string("null");
    Writer out;
    out.begin_object().field("subject", token.substr(prefix.size(), colon - prefix.size())).field("email", token.substr(colon + 1)).end_object();
    return std::move(out).take();
  }
};

}  // namespace orlop::tests
