#include "rest/dispatch.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "access/permission.h"
#include "access/tenant_filter.h"
#include "base/family_number.h"
#include "base/text/utf8.h"
#include "external_systems/question.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/create_many.h"
#include "records/verbs.h"
#include "records/write_record.h"
#include "rest/admission.h"
#include "rest/authenticate.h"
#include "rest/body.h"
#include "rest/feed/event_routes.h"
#include "rest/idempotency.h"
#include "rest/precondition.h"
#include "rest/problem.h"
#include "rest/request.h"
#include "rest/request_subject.h"
#include "rest/tenancy.h"
#include "unit/operation.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Path of the description, which is not a route because it is made from the routes.
constexpr std::string_view description_path = "/openapi.json";

Error no_such_path(std::string_view path) {
  return make_error(ErrorCode::not_found, "no operation answers at " + std::string(path));
}

Result<void> check_parameters(const Route& route, const Match& matched, const Query& query, std::string_view brand) {
  const Operation& operation = route.operation;
  Violations violations;
  std::size_t text = 0;
  for (const Field* field : route.texts) {
    if (field != nullptr) (void)parse_parameter(*field, matched.texts[text++], violations);
  }
  for (const Field& field : operation.query) {
    const auto text = query.find(field.name);
    if (text) {
      (void)parse_parameter(field, *text, violations, brand);
    } else if (field.is_required) {
      violations.push_back({std::string(field.name), "is a required query parameter"});
    }
  }
  if (!violations.empty()) return refusal(std::move(violations));
  return {};
}

bool is_public(const Match& matched) { return matched.route != nullptr && matched.route->operation.is_public; }

constexpr std::size_t headers_usual = 8;
constexpr int tries_max = 16;  // of a write that unfinished jobs block

// Makes an empty reply, with reserved memory for headers and media type.
Reply blank_reply() {
  Reply reply;
  reply.headers.reserve(headers_usual);
  std::string& type = reply.headers.emplace_back("content-type", std::string()).second;
  type.reserve(media_type(ContentType::binary).size());
  type = media_type(ContentType::json);
  return reply;
}

Reply fill(Reply blank, Answer answer) noexcept {
  blank.status = answer.status;
  // Does not allocate: within the reserved headers, and a short text.
  if (answer.revision && !answer.body.empty()) blank.headers.emplace_back("etag", etag_of(*answer.revision));
  // Does not allocate: blank_reply() has reserved the memory.
  if (answer.type != ContentType::json) blank.headers.front().second.assign(media_type(answer.type));
  if (answer.body.empty()) blank.headers.clear();
  blank.body = std::move(answer.body);
  return blank;
}

Result<Reply> reply_of(const Error& error) {
  const bool is_refusal = static_cast<std::uint16_t>(error.code) < 100 || error.code == ErrorCode::lost_update;
  if (!is_refusal) return error;
  Reply reply = fill(blank_reply(), Answer{status_of(error.code), problem_body(error)});
  if (error.code == ErrorCode::unauthenticated) reply.headers.emplace_back("www-authenticate", "Bearer");
  return reply;
}

std::string allowed_for(const Request& request) {
  std::string allowed;
  if (const auto target = parse_target(request.path)) allowed = allowed_at(target->path);
  return allowed.empty() ? std::string(to_string(Method::get)) : allowed;  // path of the description
}

// If memory runs out, the reply is sent without these headers.
void write_allowance(const RateLimiter::Allowance& allowance, Instant now, Reply& reply) noexcept try {
  reply.headers.emplace_back("x-ratelimit-limit", std::to_string(allowance.limit));
  reply.headers.emplace_back("x-ratelimit-remaining", std::to_string(allowance.remaining));
  reply.headers.emplace_back("x-ratelimit-reset", std::to_string(allowance.reset_at));
  if (!allowance.is_allowed)
    reply.headers.emplace_back("retry-after", std::to_string(allowance.reset_at - now.milliseconds / 1000));
} catch (const std::bad_alloc&) { return; }

// If memory runs out, the reply is sent without the warning. 299 is a warning of the application, with its text as a
// quoted string (RFC 9110, 5.6.4).
void write_warning(std::string_view warning, Reply& reply) noexcept try {
  reply.headers.emplace_back("warning", "299 - \"" + std::string(warning) + "\"");
} catch (const std::bad_alloc&) { return; }

void write_kept(Reply& reply) noexcept try {
  reply.headers.emplace_back("idempotency-replayed", "true");
} catch (const std::bad_alloc&) { return; }

// Runs the handler if the caller has the permission and the precondition is met. `fault`: error of parameters or body,
// returned only to callers with the permission.
Result<Answer> handle(Unit& unit, const Route& route, const Call& call, const Error* fault,
                      const Precondition* precondition = nullptr) {
  const auto run = [&]() -> Result<Answer> {
    if (precondition != nullptr) ORLOP_CHECK(require_precondition(unit, route, call, *precondition));
    return call.names != nullptr && route.operation.handle == create ? create_many(unit, call)
                                                                     : route.operation.handle(unit, call);
  };
  const bool is_host = call.caller->kind == Caller::Kind::host;
  Permissions permissions(unit, *call.caller);
  if (!is_host && !route.operation.bypasses_tenancy) {
    ORLOP_TRY(subject, subject_of(unit, route, call));
    if (subject)
      ORLOP_CHECK(route.is_of_billing ? permissions.require_in_billing(*subject, route.need)
                                      : permissions.require(*subject, route.need));
    if (fault != nullptr) return *fault;
    if (!subject && needs_subject(route)) return no_subject(route, call);
    ORLOP_TRY(answer, run());
    ORLOP_CHECK(permissions.require_changes(subject ? subject->organization : Id{}));
    return std::move(answer);
  }
  if (fault != nullptr) return *fault;
  return run();
}

// Asks the port that the handler wants to ask, outside of the transaction.
Result<Answer> ask_port(Result<Answer> prepared) {
  return prepared && prepared->ask ? prepared->ask() : std::move(prepared);
}

}  // namespace

Result<Reply> Dispatcher::dispatch(const Request& request) {
  RequestContext visitor;
  Reply blank = blank_reply();  // allocated first: a committed request must not return an error because memory ran out
  ORLOP_TRY(reply, reply_to(request, route(request, visitor, nullptr), std::move(blank)));
  if (visitor.allowance) write_allowance(*visitor.allowance, clock_.now(), reply);
  return std::move(reply);
}

Result<Reply> Dispatcher::reply_to(const Request& request, Result<Answer> answered, Reply blank) {
  const bool is_kept = answered && answered->is_kept;
  const std::string warning = answered ? std::exchange(answered->warning, {}) : std::string();
  ORLOP_TRY(reply, answered ? Result<Reply>(fill(std::move(blank), std::move(*answered))) : reply_of(answered.error()));
  if (!answered && answered.error().code == ErrorCode::method_not_allowed)
    reply.headers.emplace_back("allow", allowed_for(request));
  if (!warning.empty()) write_warning(warning, reply);
  if (is_kept) write_kept(reply);
  return std::move(reply);
}

Result<Reply> Dispatcher::dispatch_in(RequestBatch& batch, const Request& request) {
  RequestContext visitor;
  Reply blank = blank_reply();
  ORLOP_CHECK(committer_.begin_unit(batch.writing_));
  auto answered = route(request, visitor, &*batch.writing_.unit);
  if (answered) ORLOP_CHECK(committer_.apply(batch.writing_));
  return reply_to(request, std::move(answered), std::move(blank));
}

Result<std::optional<Reply>> Dispatcher::authenticate(const Request& request) {
  if (settings_.authentication == Authentication::off) return std::optional<Reply>();
  const auto authorization = authorization_of(request);
  if (authorization && !*authorization && request.trust == Trust::host) return std::optional<Reply>();
  const auto proof = authorization ? orlop::authenticate(store_, authorization->value_or(""), settings_, clock_.now(),
                                                         committer_.agreed_time())
                                   : Result<Proof>(authorization.error());
  if (proof) return std::optional<Reply>();
  ORLOP_TRY(refusal, reply_of(proof.error()));
  return std::optional<Reply>(std::move(refusal));
}

Result<void> Dispatcher::identify(const Request& request, RequestContext& visitor) {
  const bool is_outside = request.trust == Trust::outside;
  ORLOP_TRY(authorization, authorization_of(request));
  if (settings_.authentication == Authentication::off || (!is_outside && !authorization)) {
    visitor.author = is_outside ? std::string("anonymous") : author_of(request);
  } else {
    ORLOP_TRY(proof, orlop::authenticate(store_, authorization.value_or(""), settings_, clock_.now(),
                                         committer_.agreed_time()));
    visitor.caller = proof.caller;
    visitor.author = visitor.caller.name;
    if (proof.digest) ORLOP_CHECK(note_use(*proof.digest));
    if (proof.sign_in) ORLOP_CHECK(sign_in(proof.caller, *proof.sign_in));
    ORLOP_CHECK(require_allowed(proof, request, settings_.external_systems));
  }
  if (!is_outside || !limiter_.is_on()) return {};
  ORLOP_TRY(allowance, limiter_.take(visitor.caller.id, {clock_.now(), clock_.monotonic()}));
  visitor.allowance = allowance;
  if (visitor.allowance->is_allowed) return {};
  return make_error(ErrorCode::rate_limited, "the caller has made the " + std::to_string(visitor.allowance->limit) +
                                                 " requests that it has in an hour");
}

// Stores the last use, unless another request has stored it meanwhile or the token was revoked.
Result<void> Dispatcher::note_use(Record digest) {
  const auto noted = committer_.run_repeatable(Caller(), [&](Unit& unit) -> Result<void> {
    ORLOP_TRY(current, unit.record(digest.id));
    if (!current || current->revision != digest.revision) return {};
    Value body = Value::object();
    body.set("last_used_at", Value(to_text(unit.now())));
    ORLOP_TRY(stored, edit_record(unit, *find_family(token_digest_number), *current, body));
    (void)stored;
    return {};
  });
  return noted ? Result<void>() : Result<void>(noted.error());
}

Result<Answer> Dispatcher::route(const Request& request, RequestContext& visitor, Unit* batch) {
  ORLOP_TRY(target, parse_target(request.path));
  const std::optional<Method> method = parse_method(request.method);
  const Match matched = match(method.value_or(Method::get), target.path);
  const bool is_description = !matched.is_path_known && served_path(target.path) == description_path;
  if (is_description && method == Method::get) {
    ORLOP_CHECK(refuse_names(request, target.path));
    return Answer{200, describe_()};
  }
  if (!method || !is_public(matched)) ORLOP_CHECK(identify(request, visitor));
  if (is_feed_path(target.path) && batch == nullptr) {
    ORLOP_CHECK(refuse_names(request, target.path));
    return answer_feed({store_, committer_, random_source_, settings_, clock_.now()}, request, target, visitor.caller);
  }
  if (!matched.is_path_known && !is_description) return no_such_path(target.path);
  if (!method || matched.route == nullptr) {
    return make_error(ErrorCode::method_not_allowed,
                      std::string(beginning(request.method, 64)) + " is not allowed at " + target.path);
  }
  if (!matched.bad_id_name.empty()) {
    return refusal({{std::string(matched.bad_id_name), "must be a uuid, not \"" + matched.bad_id + "\""}});
  }
  const Operation& operation = matched.route->operation;
  const Family* family = matched.route->family;
  const bool has_names = !request.names.empty();
  if (has_names && (family == nullptr || !creates_by_name(operation, *family))) {
    ORLOP_CHECK(refuse_names(request, target.path));
  }
  const auto query = check_parameters(*matched.route, matched, target.query, settings_.brand);
  const auto body =
      query ? read_body(operation, request.body, settings_.brand) : Result<std::optional<Value>>(query.error());
  const Error* fault = body ? nullptr : &body.error();
  if (fault != nullptr && visitor.caller.kind == Caller::Kind::host) return *fault;

  Call call;
  call.family = family;
  call.parent = matched.route->parent;
  call.ids = matched.ids;
  call.texts = matched.texts;
  call.query = &target.query;
  call.body = body && *body ? &**body : nullptr;
  call.author = visitor.author;
  call.caller = &visitor.caller;
  call.is_trusted = request.trust == Trust::host && visitor.caller.kind == Caller::Kind::host;
  if (has_names) call.names = &request.names;
  if (operation.takes != ContentType::json) call.text = request.body;
  if (operation.also_gives) call.accept = header_of(request, "accept");
  if (batch != nullptr)
    return run_in_batch(*batch, request,
                        {*matched.route, call, fault, served_path(target.path), std::nullopt, std::nullopt});
  if (operation.access == Access::read) return ask_port(run_read(*matched.route, call, fault));
  return run_change(request, {*matched.route, call, fault, served_path(target.path), std::nullopt, std::nullopt});
}

Result<Answer> Dispatcher::run_read(const Route& route, const Call& call, const Error* fault) {
  Answer answer;
  ORLOP_CHECK(store_.read([&](std::unique_ptr<Transaction> opened) -> Result<void> {
    ORLOP_TRY(transaction, for_caller(tenant_filter_of(route, call), std::move(opened)));
    ORLOP_TRY(now, committer_.time_of(*transaction));
    Unit unit(*transaction, random_source_, {}, now, settings_);
    unit.use_agreed_time(committer_.agreed_time());
    ORLOP_TRY(made, handle(unit, route, call, fault));
    answer = std::move(made);
    return {};
  }));
  return answer;
}

Result<Answer> Dispatcher::run_change(const Request& request, Change change) {
  ORLOP_TRY(precondition, precondition_of(request));
  change.precondition = std::move(precondition);
  ORLOP_TRY(keyed, keyed_request(request, *change.call.caller));
  change.keyed = std::move(keyed);
  if (change.keyed) {
    ORLOP_TRY(kept, read_kept_answer(change));
    if (kept) return std::move(*kept);
  }
  ORLOP_CHECK(admit(change));
  ORLOP_TRY(answered, ask_port(write_until_done(change)));
  return answered.apply ? apply_after_question(change, answered) : Result<Answer>(std::move(answered));
}

Result<std::optional<Answer>> Dispatcher::read_kept_answer(const Change& change) {
  ORLOP_TRY(opened, store_.begin(Access::read));
  ORLOP_TRY(transaction, for_caller(tenant_filter_of(change.route, change.call), std::move(opened)));
  ORLOP_TRY(now, committer_.time_of(*transaction));
  Unit unit(*transaction, random_source_, {}, now, settings_);
  unit.use_agreed_time(committer_.agreed_time());
  return find_kept_answer(unit, *change.keyed);
}

// Tries the change in a transaction that is never committed, so that the external systems are asked only about a
// request that would be accepted. The change is then made in a second transaction, which checks everything again.
Result<void> Dispatcher::admit(const Change& change) {
  ExternalSystems* systems = settings_.external_systems;
  if (systems == nullptr || !systems->answers(facts_of(Question::admit).name)) return {};
  if (change.call.names != nullptr)
    return make_error(ErrorCode::conflict,
                      "several resources cannot be created at once: external systems admit each change");
  Value input;
  {
    ORLOP_TRY(opened, store_.begin(Access::read));
    ORLOP_TRY(transaction, for_caller(tenant_filter_of(change.route, change.call), std::move(opened)));
    ORLOP_TRY(end, committer_.end_of(*transaction));  // for ids that no stored record has
    Unit unit(*transaction, random_source_, end, std::max(clock_.now(), end.at), settings_, committer_.hooks());
    unit.use_agreed_time(committer_.agreed_time());
    unit.set_author(change.call.author);
    ORLOP_TRY(subject, subject_of(unit, change.route, change.call));
    if (auto tried = change.keyed ? handle_keyed(unit, change) : handle_change(unit, change); !tried)
      return std::move(tried).error();
    ORLOP_TRY(described, admission_input(unit, change.route, change.call, change.path, subject));
    input = std::move(described);
  }
  return require_admission(*systems, input);
}

Result<Answer> Dispatcher::handle_change(Unit& unit, const Change& change) {
  return handle(unit, change.route, change.call, change.fault, change.precondition ? &*change.precondition : nullptr);
}

// Returns the kept answer of another request with the same key, else applies the change and keeps its answer.
Result<Answer> Dispatcher::handle_keyed(Unit& unit, const Change& change) {
  ORLOP_TRY(kept, find_kept_answer(unit, *change.keyed));
  if (kept) return std::move(*kept);
  ORLOP_TRY(subject, subject_of(unit, change.route, change.call));
  ORLOP_TRY(answer, handle_change(unit, change));
  if (answer.ask) return answer;
  if (answer.render) {
    ORLOP_TRY(text, answer.render(unit));  // provisional; complete_kept_answer() stores the final text
    answer.body = std::move(text);
  }
  ORLOP_CHECK(keep_answer(unit, *change.keyed, subject ? &*subject : nullptr, answer));
  return answer;
}

Result<Answer> Dispatcher::write_once(const Change& change, Id& awaited_job) {
  Answer answer;
  const auto work = [&](Unit& unit) -> Result<void> {
    unit.set_author(change.call.author);
    auto made = change.keyed ? handle_keyed(unit, change) : handle_change(unit, change);
    awaited_job = unit.awaited_job();
    if (!made) return std::move(made).error();
    answer = std::move(*made);
    return {};
  };
  ORLOP_TRY(woken, committer_.run_repeatable(tenant_filter_of(change.route, change.call), std::ref(work)));
  if (!woken.empty()) wake_(woken);
  return answer;
}

Result<Answer> Dispatcher::write_until_done(const Change& change) {
  Id awaited;
  auto answer = write_once(change, awaited);
  // Finishes the job that blocks the write, and tries again. Other callers may begin new jobs meanwhile: tries are
  // limited.
  const auto is_in_the_way = [&] { return !answer && answer.error().code == ErrorCode::conflict && !awaited.is_nil(); };
  for (int tries = 1; is_in_the_way() && tries < tries_max; ++tries) {
    finish_(std::exchange(awaited, Id{}));
    answer = write_once(change, awaited);
  }
  if (answer && !awaited.is_nil()) finish_(awaited);
  if (answer && answer->render) return render_after(change, std::move(*answer));
  return answer;  // moved, without allocation: the change is committed
}

}  // namespace orlop
