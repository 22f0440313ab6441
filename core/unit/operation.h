// Input and result of a handler. rest/ has checked everything that a route declares: ids are UUIDs, the body matches
// its shape, query parameters match their fields.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "model/family.h"
#include "model/value.h"
#include "unit/caller.h"
#include "unit/unit.h"

namespace orlop {

enum class Question : std::uint16_t;  // external_systems/question.h

// Query parameters of a request, decoded, in their order.
class Query {
 public:
  void add(std::string name, std::string value) { entries_.emplace_back(std::move(name), std::move(value)); }
  // Returns the first value with this name; nullopt if absent.
  std::optional<std::string_view> find(std::string_view name) const;
  std::span<const std::pair<std::string, std::string>> entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

enum class ContentType : std::uint8_t { json, yaml, text, binary, events };

// "application/json" …
std::string_view media_type(ContentType type);

struct Call {
  const Family* family = nullptr;           // family of the route; null if the route has no family
  const Family* parent = nullptr;           // family of the parent that the path names; null if it names none
  std::span<const Id> ids;                  // path parameters that are ids, in the order of the path
  std::span<const std::string> texts = {};  // path parameters that are texts, as described by Operation::path_texts
  const Query* query = nullptr;
  const Value* body = nullptr;  // null if the request had no body, or one that is not JSON
  // Names of the records to create; null: one record, named by the body.
  const std::vector<std::string_view>* names = nullptr;
  std::string_view text = {};      // body of a request that is not JSON
  std::string_view accept = {};    // header Accept, for an operation with two content types
  std::string_view author;         // author for the history: "host" for a call in process that names no author
  const Caller* caller = nullptr;  // caller whose permissions apply; never null in a handler
  bool is_trusted = false;         // the call comes from the host, in process
};

struct Answer {
  std::uint16_t status = 200;
  std::string body;  // in the format of `type`; "" without a body
  // Asks a port of the host and makes the answer instead of the two members above. Called after the handler's
  // transaction has ended, so that no transaction is open during the host's call; must not refer to the unit.
  std::function<Result<Answer>()> ask = nullptr;
  // Set in the answer of `ask`: makes the operation's answer in a transaction that begins after the question. For
  // writes only; reads everything again, since it may have changed.
  std::function<Result<Answer>(Unit&)> apply = nullptr;
  // Makes the body in a read-only unit, after the commit and the job that the handler's unit waits for
  // (Unit::wait_for). Null: `body` is the body.
  std::function<Result<std::string>(Unit&)> render = nullptr;
  ContentType type = ContentType::json;
  // Revision of the stored record in the body, for the ETag; 0 for a single with its defaults; nullopt if the answer is
  // not one record.
  std::optional<std::uint64_t> revision = std::nullopt;
  std::string warning = {};  // header Warning; "": no header
  bool is_kept = false;      // the answer repeats that of an earlier request with the same Idempotency-Key
};

// An Error becomes the problem reply of its code.
using Handler = Result<Answer> (*)(Unit& unit, const Call& call);

enum class Method : std::uint8_t { get, post, put, remove, patch };

// Form of a route's answer, for documents. A page is a list with `page` and `page_size`; an array has no enclosing
// object with `results`.
enum class AnswerForm : std::uint8_t {
  none,
  record,
  record_list,
  shape,
  shape_list,
  shape_page,
  shape_array,
  record_page
};

// An operation. Operation sets provide these as data; rest/ builds the table of paths from them.
struct Operation {
  Method method = Method::get;
  // Path relative to the family that the set serves. "{item}" is its item path, "{collection}" its collection path,
  // "{flat}" is /segment/{idName} for every path form. Anything else is literal; parameters are {names}.
  std::string_view path = {};
  // Operation id, lower case with underscores, "{family}" for the family's name: "deploy_{family}".
  std::string_view name = {};
  std::uint16_t status = 200;  // status of success
  Access access = Access::read;
  Handler handle = nullptr;
  // Shape of the request body. Null: no body, or, if a body is required, a request of the family, which the handler
  // checks.
  const Shape* body = nullptr;
  bool is_body_required = false;
  std::span<const Field> query = {};
  AnswerForm form = AnswerForm::none;
  const Shape* answer = nullptr;  // for shape, shape_list, shape_page and shape_array
  // One line in the imperative, without a full stop: "Deploy {one}". In both texts {one} stands for a record of the
  // route's family with its article ("an application"), {many} for the family's plural, {parent} for a parent with its
  // article.
  std::string_view summary = {};
  // Description: side effects, outcome, states that allow it; "": the summary is enough.
  std::string_view about = {};
  // Level that the caller needs on the last resource of the path; none: `view` to read, `manage` to write.
  Level need = Level::none;
  bool is_of_billing = false;     // the caller needs the level in the organization's billing
  bool bypasses_tenancy = false;  // the handler filters by itself: it sees all organizations
  // Status, without a body, when there was nothing to do; 0: there is always something to do.
  std::uint16_t status_of_nothing = 0;
  bool is_public = false;  // needs no token; the same answer for every caller
  // A write that concerns no resource and is open to every authenticated caller. Other writes of a caller are refused
  // if neither path, query nor body names an existing resource.
  bool has_no_subject = false;
  ContentType takes = ContentType::json;  // content type of the request's body
  ContentType gives = ContentType::json;  // content type of the answer's body
  // Second content type of the answer, for a caller whose header Accept names it first.
  std::optional<ContentType> also_gives = {};
  // Question to external systems. Documents name it, and the status 501 if nothing answers it and there is no fallback.
  std::optional<Question> asks = {};
  std::span<const Field> path_texts = {};  // path parameters that are texts rather than ids, by name: "region"
};

// Errors that every verb words the same.
Error not_found(std::string_view what, const Id& id);

}  // namespace orlop
