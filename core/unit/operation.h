// The input and the result of a handler. rest/ has checked everything that a route declares: ids are UUIDs, the body
// matches its shape, query parameters match their fields.
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

// The query parameters of a request, decoded, in their order.
class Query {
 public:
  void add(std::string name, std::string value) { entries_.emplace_back(std::move(name), std::move(value)); }
  // The first value of that name; nothing if it is absent.
  std::optional<std::string_view> find(std::string_view name) const;
  std::span<const std::pair<std::string, std::string>> entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

enum class ContentType : std::uint8_t { json, yaml, text, binary, events };

// "application/json" …
std::string_view media_type(ContentType type);

struct Call {
  const Family* family = nullptr;           // that the route was made for; nullptr for a route of no family
  const Family* parent = nullptr;           // the family of the parent that the path names; nullptr where it names none
  std::span<const Id> ids;                  // path parameters that are ids, in the order of the path
  std::span<const std::string> texts = {};  // those that are texts, as Operation::path_texts describes them
  const Query* query = nullptr;
  const Value* body = nullptr;  // nullptr if the request had none, or one that is no JSON
  // Of a create: one for each of these; nullptr: one, as the body says.
  const std::vector<std::string_view>* names = nullptr;
  std::string_view text = {};      // the body of a request that is no JSON
  std::string_view accept = {};    // header Accept, of an operation that gives two types
  std::string_view author;         // who asks, for the history: "host" in process unless it says whom it acts for
  const Caller* caller = nullptr;  // who asks, for permissions; never nullptr in a handler
  bool is_trusted = false;         // the host itself asks, in process
};

struct Answer {
  std::uint16_t status = 200;
  std::string body;  // JSON text, or what `type` says; "" for none
  // Asks a port of the host's and makes the answer, in the place of the two above. Called after the handler's
  // transaction has ended, so that no transaction is open while the host takes its time; must not refer to the unit.
  std::function<Result<Answer>()> ask = nullptr;
  // Of an answer of `ask`: makes the operation's answer in a transaction that begins after the question. For writes
  // only; what was read before the question is read again, since it may have changed.
  std::function<Result<Answer>(Unit&)> apply = nullptr;
  // Makes the body in a unit that only reads, after the commit and the job that the handler's unit waits for
  // (Unit::wait_for). Null: the body above.
  std::function<Result<std::string>(Unit&)> render = nullptr;
  ContentType type = ContentType::json;
  // Of the stored record that the body shows, for the ETag; 0 of a single that has its defaults; nothing: the answer is
  // not one record.
  std::optional<std::uint64_t> revision = std::nullopt;
  std::string warning = {};  // the header Warning; "": none
  bool is_kept = false;      // that of an earlier request with the same Idempotency-Key
};

// An Error becomes the problem reply of its code.
using Handler = Result<Answer> (*)(Unit& unit, const Call& call);

enum class Method : std::uint8_t { get, post, put, remove, patch };

// What a route answers, for documents. A page is a list with its own `page` and `page_size`; an array stands alone,
// without `results` around it.
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

// One operation. Operation sets give these as data; the edge makes the table of paths from them.
struct Operation {
  Method method = Method::get;
  // Relative to the family that the set serves: "{item}" is its item path, "{collection}" its collection path, "{flat}"
  // is /segment/{idName} whatever its form. Anything else is literal; parameters are {names}.
  std::string_view path = {};
  // Operation id, lower case with underscores, "{family}" for the family's name: "deploy_{family}".
  std::string_view name = {};
  std::uint16_t status = 200;  // of success
  Access access = Access::read;
  Handler handle = nullptr;
  // Of the request; nullptr: it takes none, or, where a body is required, a request of the family, which the handler
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
  // Description: side effects, outcome, states that allow it; "": the summary says it all.
  std::string_view about = {};
  // What the caller must be allowed to where the last resource of the path lies; none: `view` to read, `manage` to
  // write.
  Level need = Level::none;
  bool is_of_billing = false;     // the caller needs the level in the organization's billing
  bool bypasses_tenancy = false;  // its handler decides who may know of what: nothing is hidden from it
  // Of success, without a body, when there was nothing to do; 0: there is always something.
  std::uint16_t status_of_nothing = 0;
  bool is_public = false;  // it asks for no token, and answers everyone the same
  // A write about no resource, which every authenticated caller may call. Any other write of a caller is refused if
  // neither its path, query nor body names a resource that is there.
  bool has_no_subject = false;
  ContentType takes = ContentType::json;  // of the request's body
  ContentType gives = ContentType::json;  // of the answer's body
  // The second type of the answer's body, for a caller whose header Accept names it first.
  std::optional<ContentType> also_gives = {};
  // The question that it asks of external systems; documents say so, and that it fails with 501 where nothing answers
  // and there is nothing else to answer with.
  std::optional<Question> asks = {};
  std::span<const Field> path_texts = {};  // parameters of the path that are texts rather than ids, by name: "region"
};

// Errors that every verb gives in the same words.
Error not_found(std::string_view what, const Id& id);

}  // namespace orlop
