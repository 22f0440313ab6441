#include "ports/external_systems.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text/utf8.h"
#include "external_systems/question.h"
#include "guard.h"
#include "instance.h"

namespace orlop::c {
namespace {

constexpr std::size_t reason_kept = 4096;

Error closed_meanwhile() {
  return make_error(ErrorCode::external_failed, "the engine was closed before the external systems answered");
}

// Converts the code of a question without an answer.
Error read_failure(orlop_code code, std::string_view reason) {
  std::string text(reason.substr(0, reason_kept));
  if (code == ORLOP_ERROR_UNANSWERED)
    return make_error(ErrorCode::unanswered, text.empty() ? "the external systems do not answer this question" : text);
  if (text.empty()) text = "the external systems failed without a reason";
  return make_error(code == ORLOP_ERROR_EXTERNAL_TIMEOUT ? ErrorCode::external_timeout : ErrorCode::external_failed,
                    std::move(text));
}

}  // namespace

Result<std::vector<std::string>> questions_of(const orlop_external_systems& given) {
  ORLOP_CHECK(check_text(given.questions, "the external systems' questions"));
  std::vector<std::string> names;
  std::string_view rest = view_of(given.questions);
  if (rest.empty())
    return misuse("the external systems' questions must name at least one question, such as \"list_branches\"");
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view name = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (const auto known = check_question(name, "an entry of the external systems' questions"); !known)
      return misuse(known.error().message);
    names.emplace_back(name);
  }
  return names;
}

HostExternalSystems::HostExternalSystems(const orlop_external_systems& given, Instance* host, orlop_engine* engine)
    : HostPort(given, host, engine) {
  if (auto names = questions_of(given)) questions_ = std::move(*names);
}

bool HostExternalSystems::answers(std::string_view question) const {
  return std::ranges::find(questions_, question) != questions_.end();
}

void HostExternalSystems::take_answer(std::uint64_t ask, Result<std::string> answer) {
  const std::lock_guard lock(mutex_);
  const auto found = waiting_.find(ask);
  if (found == waiting_.end() || found->second.answer) return;
  found->second.answer = std::move(answer);
  found->second.changed.notify_all();
}

Result<void> HostExternalSystems::note_time(std::uint64_t ask, Duration time) {
  if (!pass_) return misuse("an answer takes virtual time in a simulation, and this engine is none");
  if (time.milliseconds < 0) return invalid("virtual_ms must be 0 or more, not " + std::to_string(time.milliseconds));
  const std::lock_guard lock(mutex_);
  if (const auto found = waiting_.find(ask); found != waiting_.end()) found->second.takes = time;
  return {};
}

void HostExternalSystems::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  for (auto& [id, waiting] : waiting_) waiting.changed.notify_all();
}

// Calls the host. An error that it returns, or an exception that it throws into C, becomes the answer.
void HostExternalSystems::hand_over(std::uint64_t id, std::string_view question, std::string_view input) {
  orlop_ask given{};
  given.size = sizeof given;
  given.engine = engine_;
  given.id = id;
  given.question = text_of(question);
  given.input = text_of(input);
  given.timeout_ms = timeout_.milliseconds;
  const auto accepted = accept(Callback::port, "external_systems", given_.ask, &given);
  if (!accepted)
    take_answer(id, read_failure(static_cast<orlop_code>(accepted.error().code), accepted.error().message));
}

Result<std::string> HostExternalSystems::ask(std::string_view question, std::string_view input) {
  if (!answers(question))
    return read_failure(ORLOP_ERROR_UNANSWERED,
                        "the external systems do not answer the question " + std::string(question));
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    id = ++last_;
    waiting_.try_emplace(id);
  }
  hand_over(id, question, input);
  std::unique_lock lock(mutex_);
  Waiting& waiting = waiting_.at(id);
  const auto is_over = [&] { return is_closed_ || waiting.answer.has_value(); };
  const bool is_in_time = waiting.changed.wait_for(lock, std::chrono::milliseconds(timeout_.milliseconds), is_over);
  auto answer = std::move(waiting.answer);
  const Duration takes = waiting.takes;
  waiting_.erase(id);
  lock.unlock();
  if (!answer && is_in_time) return closed_meanwhile();
  if (takes.milliseconds > 0) ORLOP_CHECK(pass_(std::min(takes, timeout_)));
  if (!answer || takes > timeout_) {
    answer = make_error(ErrorCode::external_timeout, "the external systems did not answer the question " +
                                                         std::string(question) + " within " +
                                                         std::to_string(timeout_.milliseconds) + " ms");
  }
  if (!*answer && answer->error().code != ErrorCode::unanswered) {
    host_->log(LogLevel::warning,
               "the question " + std::string(question) + " was not answered: " + answer->error().message);
  }
  return std::move(*answer);
}

}  // namespace orlop::c

using namespace orlop;
using namespace orlop::c;

extern "C" {

orlop_error* orlop_answer(orlop_engine* engine, uint64_t ask, orlop_text answer) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_CHECK(check_text(answer, "answer"));
    ORLOP_TRY(systems, host->external_systems());
    systems->take_answer(ask, std::string(view_of(answer).substr(0, answer_size_max + 1)));
    return {};
  });
}

orlop_error* orlop_answer_error(orlop_engine* engine, uint64_t ask, orlop_code code, orlop_text reason) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_CHECK(check_text(reason, "reason"));
    ORLOP_TRY(systems, host->external_systems());
    systems->take_answer(ask, read_failure(code, to_utf8(view_of(reason))));
    return {};
  });
}

orlop_error* orlop_answer_takes(orlop_engine* engine, uint64_t ask, int64_t virtual_ms) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_TRY(systems, host->external_systems());
    return systems->note_time(ask, {virtual_ms});
  });
}

}  // extern "C"
