#include "ops/snapshot.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/text/base64.h"
#include "model/registry.h"
#include "ops/snapshot_members.h"
#include "store/sealing/sealed_text.h"
#include "store/walk.h"
#include "wire/json.h"
#include "wire/read_plain.h"
#include "wire/writer.h"

namespace orlop {
namespace {

class MemberWriter {
 public:
  explicit MemberWriter(Writer& out) : out_(out) {}

  void id(std::string_view name, const Id& id) {
    if (!id.is_nil()) out_.field(name, id);
  }
  // In the family's word; the engine's own families have numbers only.
  void family(std::string_view name, FamilyNumber number) {
    if (const Family* family = find_family(number)) out_.field(name, family->name);
    else if (number != 0) out_.field(name, std::uint64_t{number});
  }
  template <typename Number>
  void number(std::string_view name, Number number) {
    if (number != Number{}) out_.field(name, static_cast<std::int64_t>(number));
  }
  void flag(std::string_view name, bool flag) {
    if (flag) out_.field(name, flag);
  }
  // What text cannot hold stays a number of milliseconds.
  void instant(std::string_view name, Instant at) {
    if (at != Instant{}) write(name, at);
  }
  void instant(std::string_view name, std::optional<Instant> at) {
    if (at) write(name, *at);
  }
  void phases(std::string_view name, const std::vector<PhaseTiming>& phases) {
    if (phases.empty()) return;
    out_.key(name).begin_list();
    for (const PhaseTiming& timing : phases) {
      out_.begin_object().field("phase", std::int64_t{timing.phase}).field("status", std::int64_t{timing.status});
      out_.field("spent_ms", timing.spent.milliseconds).end_object();
    }
    out_.end_list();
  }
  void text(std::string_view name, std::string_view text) {
    if (!text.empty()) out_.field(name, text);
  }
  // As it is, unless a hand has broken it into lines.
  void json(std::string_view name, const std::string& json) {
    if (json.empty()) return;
    if (!is_stored_object(json)) is_broken_ = true;
    else if (json.find('\n') != std::string::npos || json.find('\r') != std::string::npos) out_.field(name, *parse_stored(json));
    else out_.field_raw(name, json);
  }
  bool is_broken() const { return is_broken_; }

 private:
  void write(std::string_view name, Instant at) {
    static const Instant first = *parse_instant("0000-01-01T00:00:00.000Z");
    static const Instant last = *parse_instant("9999-12-31T23:59:59.999Z");
    if (first <= at && at <= last) out_.field(name, at);
    else out_.field(name, at.milliseconds);
  }

  Writer& out_;
  bool is_broken_ = false;
};

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Error broken(std::string_view what, const std::string& which) {
  return make_error(ErrorCode::storage_corrupt, "the text of " + std::string(what) + " " + which + " is no JSON object");
}

class SnapshotTaker {
 public:
  explicit SnapshotTaker(Transaction& store) : store_(store) {}

  Result<void> take() {
    ORLOP_CHECK(for_each_record(store_, [&](const Record& record) { return take(record); }));
    return take_events();
  }

  std::string text(Instant taken_at) && {
    Writer header;
    header.begin_object().field("orlop_snapshot", snapshot_version).field("taken_at", taken_at).field("records", records_);
    header.field("machines", machines_).field("events", events_).field("secrets_left_out", left_out_).end_object();
    return std::move(header).take() + "\n" + std::move(lines_);
  }

 private:
  Result<void> take(const Record& record) {
    ORLOP_TRY(links, store_.links(record.id));
    Writer line(record.body.size() + 512);
    line.begin_object().key("record").begin_object();
    MemberWriter members(line);
    visit_members(record, members);
    members.text("name_key", to_base64(bytes_of(links.name_key)));
    if (!links.references.empty()) {
      line.key("references").begin_list();
      for (const Id& target : links.references) line.value(target);
      line.end_list();
    }
    if (is_sealed(record.secrets)) line.field("secrets", record.secrets);
    else if (!record.secrets.empty()) ++left_out_;
    members.json("body", record.body);
    if (members.is_broken()) return broken("record", to_text(record.id));
    line.end_object().end_object();
    lines_.append(line.text()).append(1, '\n');
    ++records_;
    return take_machine(record.id);
  }

  Result<void> take_machine(const Id& id) {
    ORLOP_TRY(machine, store_.machine(id));
    if (!machine) return {};
    ++machines_;
    return put("machine", std::as_const(*machine), to_text(id));
  }

  Result<void> take_events() {
    Result<void> taken;
    ORLOP_CHECK(store_.events({}, [&](const Event& event) {
      taken = put("event", event, std::to_string(event.sequence));
      ++events_;
      return taken.ok();
    }));
    return taken;
  }

  template <typename Given>
  Result<void> put(std::string_view what, const Given& given, const std::string& which) {
    Writer line(256);
    line.begin_object().key(what).begin_object();
    MemberWriter members(line);
    visit_members(given, members);
    if (members.is_broken()) return broken(what, which);
    line.end_object().end_object();
    lines_.append(line.text()).append(1, '\n');
    return {};
  }

  Transaction& store_;
  std::string lines_;
  std::int64_t records_ = 0;
  std::int64_t machines_ = 0;
  std::int64_t events_ = 0;
  std::int64_t left_out_ = 0;
};

}  // namespace

Result<std::string> take_snapshot(Transaction& store, Instant taken_at) {
  SnapshotTaker taker(store);
  ORLOP_CHECK(taker.take());
  return std::move(taker).text(taken_at);
}

}  // namespace orlop
