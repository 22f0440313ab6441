#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "endpoints/variables/parts/texts.h"
#include "endpoints/variables/parts/variable_answer.h"
#include "records/render_records.h"
#include "records/variables/variable_text.h"
#include "wire/object_member.h"

namespace orlop {
namespace {

Error broken_text() {
  return make_error(ErrorCode::storage_corrupt, "the store holds a variable whose text the library did not write");
}

Result<std::string> built_in_texts(Unit& unit, const std::vector<BuiltIn>& built_ins) {
  std::string texts;
  std::unordered_map<Id, std::string> services;
  for (const BuiltIn& built_in : built_ins) {
    const auto [service, is_new] = services.try_emplace(built_in.owner);
    if (is_new) {
      ORLOP_TRY(owner, unit.record(built_in.owner));
      if (owner) service->second = service_text(*owner);
    }
    Writer out(384);
    write_built_in(out, built_in, VariableForm::unified, service->second);
    texts.append(texts.empty() ? "" : ",").append(std::move(out).take());
  }
  return texts;
}

// Whole list in the unified form: most variables are answered as stored, so that each text is copied directly from the
// store into the answer. Aliases and overrides come after their targets, whose text is then already in the answer.
class StoredList {
 public:
  // Returns nullopt if an alias or override comes before its target, which happens only with ids chosen by a host.
  Result<std::optional<std::string>> text(Unit& unit, const VariableOwners& owners) {
    ORLOP_TRY(built_ins, visible_built_ins(unit, owners, false));
    built_ins_ = std::move(built_ins);
    ORLOP_TRY(first, built_in_texts(unit, built_ins_));
    // One large buffer: growing ones would be returned to the system after each answer, and paged in again for the
    // next.
    answer_.reserve(buffer_size);
    answer_.append(R"({"results":[)").append(first);
    for (const Record& owner : owners.records) {
      service_ = service_text(owner);
      RecordRange range;
      range.key = owner.id;
      range.family = variable_number;
      ORLOP_CHECK(unit.visit(range, [&](const Record& record) { return add(record); }));
      if (state_ == State::broken) return broken_text();
      if (state_ == State::out_of_order) return std::optional<std::string>();
    }
    answer_ += "]}";
    if (answer_.size() < answer_.capacity() / 2) answer_.shrink_to_fit();
    return std::optional(std::move(answer_));
  }

 private:
  static constexpr std::size_t buffer_size = 128 * 1024;
  enum class State : std::uint8_t { sound, broken, out_of_order };

  bool add(const Record& record) {
    const auto end = end_of_text(record.body);
    if (!end) {
      state_ = State::broken;
      return false;
    }
    if (answer_.back() != '[') answer_.push_back(',');
    const std::size_t begin = answer_.size();
    if (!is_link(end->type)) {
      answer_.append(record.body, 0, record.body.size() - 1);
    } else if (!add_link(record, end->type)) {
      state_ = State::out_of_order;
      return false;
    }
    answer_.append(service_).push_back('}');
    places_.push_back({record.id, begin, answer_.size() - begin});
    return true;
  }

  bool add_link(const Record& record, VariableType type) {
    const std::string_view raw = raw_member(record.body, "target_id");
    const auto id = raw.size() > 2 ? parse_id(raw.substr(1, raw.size() - 2)) : std::nullopt;
    const auto target = id ? named(*id) : std::nullopt;
    if (!target) return false;
    Writer out(record.body.size() + 384);
    write_stored(out, record.body, type, &*target, VariableForm::unified);
    answer_.append(std::move(out).take());
    return true;
  }

  std::optional<Named> named(const Id& id) {
    if (targets_.empty()) {
      for (std::size_t at = 0; at < built_ins_.size(); ++at)
        targets_.emplace(built_in_id(built_ins_[at].owner, built_ins_[at].kind), at);
    }
    for (; indexed_ < places_.size(); ++indexed_) targets_.emplace(places_[indexed_].id, built_ins_.size() + indexed_);
    const auto found = targets_.find(id);
    if (found == targets_.end()) return std::nullopt;
    if (found->second < built_ins_.size()) return named_of(built_ins_[found->second]);
    const Place& place = places_[found->second - built_ins_.size()];
    return named_of(place.id, std::string_view(answer_).substr(place.begin, place.size));
  }

  // Position of a variable's text in the answer.
  struct Place {
    Id id;
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  std::string answer_;
  std::string service_;  // members that each variable of the current owner gets
  std::vector<BuiltIn> built_ins_;
  std::vector<Place> places_;
  std::unordered_map<Id, std::size_t> targets_;  // index into built-ins, then places; filled at the first link
  std::size_t indexed_ = 0;
  State state_ = State::sound;
};

// List as separate texts, in order: for pages, and for forms that differ from the stored text.
class Lister {
 public:
  Lister(VariableForm form, std::optional<bool> is_secret) : form_(form), is_secret_(is_secret) {}

  Result<void> read(Unit& unit, const VariableOwners& owners) {
    ORLOP_TRY(built_ins, visible_built_ins(unit, owners, false));
    built_ins_ = std::move(built_ins);
    for (const Record& owner : owners.records) {
      ORLOP_TRY(own, own_variables(unit, owner.id));
      groups_.push_back({service_text(owner), std::move(own)});
    }
    return {};
  }

  Result<std::vector<std::string>> texts(Unit& unit) {
    std::vector<std::string> texts;
    std::unordered_map<Id, std::string> services;
    for (const BuiltIn& built_in : built_ins_) {
      if (is_secret_ && *is_secret_ != built_in.is_secret) continue;
      const auto [service, is_new] = services.try_emplace(built_in.owner);
      if (is_new) {
        ORLOP_TRY(owner, unit.record(built_in.owner));
        if (owner) service->second = service_text(*owner);
      }
      Writer out(384);
      write_built_in(out, built_in, form_, service->second);
      texts.push_back(std::move(out).take());
    }
    for (const Group& group : groups_) {
      for (const Record& record : group.records) ORLOP_CHECK(add(record, group.service, texts));
    }
    return texts;
  }

 private:
  struct Group {
    std::string service;
    std::vector<Record> records;
  };

  Result<void> add(const Record& record, const std::string& service, std::vector<std::string>& texts) {
    const auto end = end_of_text(record.body);
    if (!end) return broken_text();
    if (is_secret_ && *is_secret_ != end->is_secret) return {};
    const bool is_as_stored = form_ == VariableForm::unified && !is_link(end->type);
    std::string text;
    if (is_as_stored) {
      text.reserve(record.body.size() + service.size());
      text.append(record.body, 0, record.body.size() - 1);
    } else {
      Writer out(record.body.size() + 384);
      const Named* target = is_link(end->type) ? target_of(record) : nullptr;
      write_stored(out, record.body, end->type, target, form_);
      text = std::move(out).take();
    }
    text.append(service).push_back('}');
    texts.push_back(std::move(text));
    return {};
  }

  const Named* target_of(const Record& record) {
    if (targets_.empty()) index_targets();
    const std::string_view raw = raw_member(record.body, "target_id");
    const auto id = raw.size() > 2 ? parse_id(raw.substr(1, raw.size() - 2)) : std::nullopt;
    const auto found = id ? targets_.find(*id) : targets_.end();
    return found == targets_.end() ? nullptr : &found->second;
  }

  void index_targets() {
    for (const BuiltIn& built_in : built_ins_) {
      Named named = named_of(built_in);
      targets_.emplace(named.id, std::move(named));
    }
    for (const Group& group : groups_) {
      for (const Record& record : group.records) targets_.emplace(record.id, named_of(record.id, record.body));
    }
  }

  VariableForm form_;
  std::optional<bool> is_secret_;
  std::vector<BuiltIn> built_ins_;
  std::vector<Group> groups_;  // by owner
  std::unordered_map<Id, Named> targets_;
};

}  // namespace

Result<Answer> list_variables(Unit& unit, const Call& call, const VariableOwners& owners, VariableForm form,
                              std::optional<bool> is_secret) {
  const bool is_whole = !is_secret && !call.query->find("page") && !call.query->find("page_size");
  if (is_whole && form == VariableForm::unified) {
    ORLOP_TRY(text, StoredList().text(unit, owners));
    if (text) return Answer{200, std::move(*text)};
  }
  Lister lister(form, is_secret);
  ORLOP_CHECK(lister.read(unit, owners));
  ORLOP_TRY(texts, lister.texts(unit));
  return page_of_texts(call, texts);
}

}  // namespace orlop
