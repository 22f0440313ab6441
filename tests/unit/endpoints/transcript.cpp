#include "transcript.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <optional>

#include "base/brand.h"
#include "describe/openapi/openapi.h"
#include "rest/route.h"
#include "unit/describe/schema_check.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::tests {
namespace {

constexpr Instant start = {1'767'225'600'000};  // 2026-01-01T00:00:00Z

const Value& description() {
  static const Value parsed = *parse_stored(openapi(brand_default));
  return parsed;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

// Returns the first token, and shortens `text` to the rest.
std::string_view take_token(std::string_view& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view token = text.substr(0, end);
  text = trim(text.substr(end));
  return token;
}

std::optional<Value> parse_value(std::string_view json) {
  const auto parsed = parse_json(R"({"value": )" + std::string(json) + "}");
  if (!parsed) return std::nullopt;
  return *parsed->find("value");
}

std::string shown(const Value* value) { return value == nullptr ? "nothing" : to_json(*value); }

// Returns the member at a path such as "results[0].name"; nullptr if there is none.
const Value* follow(const Value& from, std::string_view path) {
  const Value* at = &from;
  while (at != nullptr && !path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    if (path.front() == '[') {
      std::size_t index = 0;
      const std::size_t end = path.find(']');
      std::from_chars(path.data() + 1, path.data() + end, index);
      path.remove_prefix(end + 1);
      at = at->is_list() && index < at->items().size() ? &at->items()[index] : nullptr;
    } else {
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      at = at->find(path.substr(0, end));
      path.remove_prefix(end);
    }
  }
  return at;
}

}  // namespace

Transcript::Transcript() : clock_(start), random_source_(7) {
  EngineOptions options;
  options.clock = &clock_;
  options.random_source = &random_source_;
  options.driver = &driver_;
  options.settings.billing = {"currency=EUR", "plan.FREE=1", "instance_hour=0.02", "cluster_hour=0.1",
                              "credit.WELCOME=0.5"};
  options.settings.authentication = Authentication::required;
  options.settings.external_systems = &people_;
  auto opened = Engine::open(std::move(options));
  if (opened) engine_ = std::move(*opened);
}

void Transcript::play(const std::filesystem::path& file) {
  ASSERT_NE(engine_, nullptr);
  std::ifstream in(file);
  ASSERT_TRUE(in) << file;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string wrong = play_line(line);
    if (!wrong.empty()) ADD_FAILURE() << file.filename().string() << ":" << number << ": " << line << "\n  " << wrong;
  }
}

std::string Transcript::play_line(std::string_view line) {
  if (trim(line).empty() || trim(line).front() == '#') return "";
  if (line.front() == ' ') return look(trim(line));
  std::string_view rest = line;
  const std::string_view token = take_token(rest);
  const bool is_request = token == "GET" || token == "POST" || token == "PUT" || token == "DELETE" || token == "PATCH";
  return is_request ? ask(line) : order(token, rest);
}

std::string Transcript::expand(std::string_view text) const {
  std::string out(text);
  for (const auto& [name, value] : kept_) {
    const std::string mark = "{" + name + "}";
    for (std::size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at + value.size())) {
      out.replace(at, mark.size(), value);
    }
  }
  return out;
}

std::string Transcript::ask(std::string_view line) {
  const std::size_t arrow = line.rfind(" -> ");
  if (arrow == std::string_view::npos) return "a request ends with -> and its status";
  const std::string expected(trim(line.substr(arrow + 4)));
  std::string_view rest = line.substr(0, arrow);
  const std::string method(take_token(rest));
  const std::string path = expand(take_token(rest));
  const std::string body = expand(rest);
  Request request;
  request.method = method;
  request.path = path;
  request.body = body;
  if (!authorization_.empty()) {
    request.trust = Trust::outside;
    request.headers.emplace_back("Authorization", authorization_);
  }
  const auto reply = engine_->dispatch(request);
  if (!reply) return "no reply: " + reply.error().message;
  const bool is_json = reply->headers.empty() || reply->headers.front().second == "application/json";
  if (const std::string wrong = is_json ? take_answer(reply->body) : take_text(reply->body); !wrong.empty())
    return wrong;
  if (std::to_string(reply->status) != expected) return "status " + std::to_string(reply->status) + ", body " + body_;
  const Match matched = match(parse_method(method).value_or(Method::get), path.substr(0, path.find('?')));
  if (matched.route == nullptr) return "";
  for (const std::string& misfit : misfits(description(), *matched.route, *reply))
    return "answered otherwise than described" + misfit;
  members_.note(description(), *matched.route, *reply);
  if (reply->status >= 300) return "";
  for (const std::string& misfit : misfits(description(), *matched.route, body))
    return "asked otherwise than described" + misfit;
  served_.insert(method + " " + matched.route->path);
  return "";
}

std::string Transcript::take_answer(std::string body) {
  body_ = std::move(body);
  answer_ = Value();
  if (body_.empty()) return "";
  auto parsed = parse_json(body_);
  if (!parsed) return "the body is not JSON: " + body_;
  answer_ = std::move(*parsed);
  return "";
}

// A text can be checked as the member "text".
std::string Transcript::take_text(std::string body) {
  body_ = std::move(body);
  answer_ = Value(Value::Object{{"text", Value(body_)}});
  return "";
}

std::string Transcript::look(std::string_view line) {
  if (line == "body empty") return body_.empty() ? "" : "the body is " + body_;
  std::string_view rest = line;
  const std::string_view path = take_token(rest);
  const std::string_view sign = take_token(rest);
  return compare(expand(path), sign, rest);
}

std::string Transcript::compare(std::string_view path, std::string_view sign, std::string_view expected) {
  const std::string text = expand(expected);
  if (path.ends_with(".size")) {
    const Value* list = follow(answer_, path.substr(0, path.size() - 5));
    const std::string size = list != nullptr && list->is_list() ? std::to_string(list->items().size()) : "no list";
    return size == text ? "" : "its size is " + size + " in " + body_;
  }
  const Value* value = follow(answer_, path);
  if (sign == "absent") return value == nullptr ? "" : "it is " + shown(value);
  if (sign == "=>") {
    if (value == nullptr || !value->is_text()) return "there is no such text in " + body_;
    kept_[text] = value->as_text();
    return "";
  }
  const auto wanted = parse_value(text);
  if (!wanted) return "what is expected is not JSON";
  if (sign == "=") return value != nullptr && *value == *wanted ? "" : "it is " + shown(value) + " in " + body_;
  if (sign != "~") return "a look is by =, ~, =>, absent";
  const bool holds =
      value != nullptr && value->is_text() && value->as_text().find(wanted->as_text()) != std::string::npos;
  return holds ? "" : "it is " + shown(value);
}

std::string Transcript::order(std::string_view token, std::string_view rest) {
  if (token == "settle") return settle();
  if (token == "with") {
    play(std::filesystem::path(ORLOP_TEST_DATA) / "transcripts/rest/setup" / (std::string(rest) + ".txt"));
    return "";
  }
  if (token == "advance") {
    std::int64_t count = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), count);
    clock_.move_to(clock_.now() + seconds(count));
    return settle();
  }
  if (token == "as") {
    authorization_ = rest == "host" ? "" : expand(rest);
    return "";
  }
  if (token == "steps") {
    std::string log;
    for (const std::string& entry : driver_.take_log()) log += (log.empty() ? "" : ", ") + entry;
    return log == rest ? "" : "the steps are: " + log;
  }
  if (token == "answer") {
    const std::string_view question = take_token(rest);
    if (find_question(question) == nullptr) return "there is no such question";
    return people_.say(std::string(question), std::string(rest)), "";
  }
  if (token == "configuration") return take_answer(driver_.configuration_of(rest));
  if (token == "hold") return driver_.hold(rest), "";
  if (token == "heal") return driver_.stop_failing(rest), "";
  if (token == "release") return driver_.release(rest) ? "" : "no step of it is held";
  if (token == "say") {
    const std::string_view name = take_token(rest);
    return driver_.say(name, rest) ? "" : "no step of it is held";
  }
  if (token == "see") {
    const std::string service = expand(take_token(rest));
    const std::string_view state = take_token(rest);
    return see(service, state, std::string(rest));
  }
  if (token == "fail") {
    const std::string_view name = take_token(rest);
    return driver_.fail(name, rest), "";
  }
  return "there is no such command";
}

// Reports what a driver sees of a service's workload.
std::string Transcript::see(const std::string& service, std::string_view state, std::string observation) {
  for (int number = 1; number <= static_cast<int>(RunningState::unknown); ++number) {
    const auto running = static_cast<RunningState>(number);
    if (to_string(running) != state) continue;
    const auto taken =
        engine_->report({parse_id(service).value_or(Id{}), ReportKind::running_state, running, std::move(observation)});
    return taken ? settle() : "the report was refused: " + taken.error().message;
  }
  return "there is no such running state";
}

std::string Transcript::settle() {
  constexpr int rounds_max = 10'000;
  for (int round = 0; round < rounds_max; ++round) {
    const auto due = engine_->tick();
    if (!due) return "the tick failed: " + due.error().message;
    const auto reports = driver_.take_reports();
    for (const Report& report : reports) {
      if (const auto taken = engine_->report(report); !taken) return "the report was refused: " + taken.error().message;
    }
    const bool is_due = *due && **due <= clock_.now();
    if (reports.empty() && !engine_->is_ready() && !is_due) return "";
  }
  return "it never comes to rest";
}

}  // namespace orlop::tests
