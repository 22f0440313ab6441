#include "storage/rows.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "guard.h"
#include "ports/callbacks.h"
#include "versioned.h"

namespace orlop::c {
namespace {

constexpr std::size_t text_size_limit = std::size_t{1} << 28;  // more than any record of the engine has
constexpr std::size_t reference_count_max = 1'000'000;
constexpr std::size_t phase_count_max = 100'000;

Result<std::string> copy_of(orlop_text text, const char* what) {
  if (text.size > text_size_limit || (text.data == nullptr && text.size != 0)) return broken_promise(what);
  return std::string(view_of(text));
}

// Copies a text directly into its row, without a temporary string.
Result<void> take_text(std::string& to, orlop_text text, const char* what) {
  if (text.size > text_size_limit || (text.data == nullptr && text.size != 0)) return broken_promise(what);
  to.assign(view_of(text));
  return {};
}

// Copies a struct of any version; members that it does not have are zero.
template <typename Struct>
Result<Struct> copy_of(const Struct* given, std::size_t size_min, const char* what) {
  auto read = read_versioned(given, Struct{}, size_min, what);
  if (!read) return broken_promise(read.error().message.c_str());
  return read;
}

// Returns `given` itself if it is of this version, else a copy in `room`.
template <typename Struct>
Result<const Struct*> whole(const Struct* given, Struct& room, const char* what) {
  if (given != nullptr && given->size == sizeof(Struct)) return given;
  ORLOP_TRY(copy, copy_of(given, sizeof(Struct), what));
  room = copy;
  return &room;
}

std::uint64_t limit_of(std::size_t limit) { return limit == SIZE_MAX ? UINT64_MAX : limit; }

}  // namespace

Error broken_promise(const char* what) {
  return make_error(ErrorCode::storage_failed, std::string("the host's store broke its promise: ") + what);
}

orlop_record given(const Record& record) {
  orlop_record out{};
  out.size = sizeof out;
  out.id = id_of(record.id);
  out.parent = id_of(record.parent);
  out.organization = id_of(record.organization);
  out.revision = record.revision;
  out.body = text_of(record.body);
  out.secrets = text_of(record.secrets);
  out.family = record.family;
  return out;
}

namespace {

std::int64_t time_of(const std::optional<Instant>& at) { return at ? at->milliseconds : ORLOP_NO_TIME; }
std::optional<Instant> time_of(std::int64_t at) {
  return at == ORLOP_NO_TIME ? std::nullopt : std::optional(Instant{at});
}

void put_detail(orlop_machine& out, const ActionDetail& detail) {
  out.execution_id = text_of(detail.execution_id);
  out.triggered_by = text_of(detail.triggered_by);
  out.reason = text_of(detail.reason);
  out.outputs = text_of(detail.outputs);
  out.commit = text_of(detail.commit);
}

void put_timing(orlop_machine& out, const ActionTiming& timing, std::vector<orlop_phase>& phases) {
  out.phases = phases.data() + phases.size();
  out.phase_count = timing.phases.size();
  for (const PhaseTiming& phase : timing.phases)
    phases.push_back({phase.phase(), phase.status(), phase.spent().milliseconds});
  out.started_at_ms = time_of(timing.started_at);
  out.ended_at_ms = time_of(timing.ended_at);
  out.canceled_at_ms = time_of(timing.canceled_at);
  out.reported_at_ms = time_of(timing.reported_at);
}

constexpr const char* unreadable_action = "what is known of a machine's action cannot be read";

Result<void> take_detail(ActionDetail& out, const orlop_machine& in) {
  for (const auto& [to, text] : {std::pair{&out.execution_id, &in.execution_id},
                                 {&out.triggered_by, &in.triggered_by},
                                 {&out.reason, &in.reason},
                                 {&out.outputs, &in.outputs},
                                 {&out.commit, &in.commit}}) {
    ORLOP_CHECK(take_text(*to, *text, unreadable_action));
  }
  return {};
}

Result<void> take_timing(ActionTiming& out, const orlop_machine& in) {
  if (in.phase_count > phase_count_max || (in.phases == nullptr && in.phase_count != 0))
    return broken_promise(unreadable_action);
  out.phases.reserve(in.phase_count);
  for (size_t at = 0; at < in.phase_count; ++at) {
    const auto phase = PhaseTiming::of(in.phases[at].phase, in.phases[at].status, in.phases[at].spent_ms);
    if (!phase) return broken_promise(unreadable_action);
    out.phases.push_back(*phase);
  }
  out.started_at = time_of(in.started_at_ms);
  out.ended_at = time_of(in.ended_at_ms);
  out.canceled_at = time_of(in.canceled_at_ms);
  out.reported_at = time_of(in.reported_at_ms);
  return {};
}

}  // namespace

namespace {

orlop_machine given(const Machine& machine, std::vector<orlop_phase>& phases) {
  orlop_machine out{};
  out.size = sizeof out;
  out.id = id_of(machine.id);
  out.owner = id_of(machine.owner);
  out.request = id_of(machine.request);
  out.stage = id_of(machine.stage);
  out.step = id_of(machine.step);
  out.revision = machine.revision;
  out.configured = machine.configured;
  out.deployed = machine.deployed;
  out.step_started_at_ms = time_of(machine.step_started_at);
  out.deadline_ms = time_of(machine.deadline);
  out.changed_at_ms = machine.changed_at.milliseconds;
  out.last_deployment_at_ms = time_of(machine.last_deployment_at);
  put_detail(out, *machine.detail);
  put_timing(out, machine.timing, phases);
  out.progress = machine.progress;
  out.plan_flags = machine.plan_flags;
  out.planned_flags = machine.planned_flags;
  out.number = machine.number;
  out.partition = machine.partition;
  out.configuration = static_cast<std::uint8_t>(machine.configuration);
  out.stage_order = machine.stage_order;
  out.family = machine.family;
  out.attempt = machine.attempt;
  out.state = machine.state;
  out.origin_state = machine.origin_state;
  out.action = machine.action;
  out.freshness = machine.freshness;
  out.running = machine.running;
  out.step_kind = machine.step_kind;
  out.active = machine.active ? 1 : 0;
  return out;
}

}  // namespace

std::vector<orlop_machine> given(std::span<const Machine> machines, std::vector<orlop_phase>& phases) {
  std::size_t count = 0;
  for (const Machine& machine : machines) count += machine.timing.phases.size();
  phases.clear();
  phases.reserve(count);
  std::vector<orlop_machine> rows;
  rows.reserve(machines.size());
  for (const Machine& machine : machines) rows.push_back(given(machine, phases));
  return rows;
}

orlop_event given(const Event& event) {
  orlop_event out{};
  out.size = sizeof out;
  out.sequence = event.sequence;
  out.at_ms = event.at.milliseconds;
  out.revision = event.revision;
  out.subject = id_of(event.subject);
  out.owner = id_of(event.owner);
  out.organization = id_of(event.organization);
  out.request = id_of(event.request);
  out.author = text_of(event.author);
  out.detail = text_of(event.detail.text());
  out.family = event.family;
  out.kind = static_cast<std::uint8_t>(event.kind);
  out.from = event.from;
  out.to = event.to;
  out.id_count = event.id_count;
  return out;
}

orlop_range given(const RecordRange& range) {
  orlop_range out{};
  out.size = sizeof out;
  out.key = id_of(range.key);
  out.after = id_of(range.after);
  out.limit = limit_of(range.limit);
  out.by = range.by == RecordRange::By::parent ? ORLOP_BY_PARENT : ORLOP_BY_REFERENCE;
  out.with_text = range.with_text() ? 1 : 0;
  out.family = range.family;
  return out;
}

orlop_range given(const MachineRange& range) {
  orlop_range out{};
  out.size = sizeof out;
  out.key = id_of(range.owner);
  out.limit = UINT64_MAX;
  out.by = range.by == MachineRange::By::owner ? ORLOP_BY_OWNER : ORLOP_BY_ACTIVE;
  out.has_partition = range.partition ? 1 : 0;
  out.partition = range.partition.value_or(0);
  out.with_text = 1;
  out.family = range.family;
  return out;
}

orlop_event_range given(const EventRange& range) {
  orlop_event_range out{};
  out.size = sizeof out;
  out.after = range.after;
  out.before = range.before;
  out.limit = limit_of(range.limit);
  out.organization = id_of(range.organization);
  out.newest_first = range.order == EventRange::Order::newest_first ? 1 : 0;
  out.request = id_of(range.request);
  out.subject = id_of(range.subject);
  return out;
}

orlop_peer given(const Peer& peer) { return {sizeof(orlop_peer), id_of(peer.engine), peer.counter, peer.rank}; }
orlop_lease given(const Lease& lease) {
  return {sizeof(orlop_lease), id_of(lease.holder), lease.epoch, lease.partition};
}
orlop_wake_up given(const WakeUp& wake_up) { return {sizeof(orlop_wake_up), id_of(wake_up.owner), wake_up.partition}; }
orlop_inbox_report given(const InboxReport& report) {
  return {sizeof(orlop_inbox_report), report.number,    id_of(report.step), report.at.milliseconds,
          text_of(report.text),       report.partition, report.kind,        report.running};
}

Result<Peer> taken(const orlop_peer* peer) {
  ORLOP_TRY(in, copy_of(peer, sizeof(orlop_peer), "a peer"));
  return Peer{id_of(in.engine), in.counter, in.rank};
}

Result<Lease> taken(const orlop_lease* lease) {
  ORLOP_TRY(in, copy_of(lease, sizeof(orlop_lease), "a lease"));
  if (in.partition >= partition_count) return broken_promise("a lease is of no partition");
  return Lease{in.partition, id_of(in.holder), in.epoch};
}

Result<WakeUp> taken(const orlop_wake_up* wake_up) {
  ORLOP_TRY(in, copy_of(wake_up, sizeof(orlop_wake_up), "a wake-up"));
  return WakeUp{in.partition, id_of(in.owner)};
}

Result<InboxReport> taken(const orlop_inbox_report* report) {
  ORLOP_TRY(in, copy_of(report, sizeof(orlop_inbox_report), "a report"));
  ORLOP_TRY(text, copy_of(in.text, "a report's text cannot be read"));
  return InboxReport{in.number, in.partition, id_of(in.step), Instant{in.at_ms}, in.kind, in.running, std::move(text)};
}

Result<Record> taken(const orlop_record* record) {
  orlop_record room;
  ORLOP_TRY(in, whole(record, room, "a record"));
  Result<Record> out =
      Record{id_of(in->id), in->family, id_of(in->parent), id_of(in->organization), in->revision, {}, {}};
  ORLOP_CHECK(take_text(out->body, in->body, "a record's body cannot be read"));
  ORLOP_CHECK(take_text(out->secrets, in->secrets, "a record's secrets cannot be read"));
  return out;
}

Result<Machine> taken(const orlop_machine* machine) {
  orlop_machine room;
  ORLOP_TRY(in, whole(machine, room, "a machine"));
  Result<Machine> result = Machine();
  Machine& out = *result;
  ActionDetail detail;
  ORLOP_CHECK(take_detail(detail, *in));
  if (detail != ActionDetail()) out.detail = std::move(detail);
  ORLOP_CHECK(take_timing(out.timing, *in));
  out.id = id_of(in->id);
  out.owner = id_of(in->owner);
  out.request = id_of(in->request);
  out.stage = id_of(in->stage);
  out.step = id_of(in->step);
  out.revision = in->revision;
  out.configured = in->configured;
  out.deployed = in->deployed;
  out.step_started_at = time_of(in->step_started_at_ms);
  out.deadline = time_of(in->deadline_ms);
  out.changed_at = {in->changed_at_ms};
  out.last_deployment_at = time_of(in->last_deployment_at_ms);
  out.progress = in->progress;
  out.plan_flags = in->plan_flags;
  out.planned_flags = in->planned_flags;
  out.number = in->number;
  out.partition = in->partition;
  out.configuration = static_cast<ConfigurationState>(in->configuration);
  out.stage_order = in->stage_order;
  out.family = in->family;
  out.attempt = in->attempt;
  out.state = in->state;
  out.origin_state = in->origin_state;
  out.action = in->action;
  out.freshness = in->freshness;
  out.running = in->running;
  out.step_kind = in->step_kind;
  out.active = in->active != 0;
  return result;
}

Result<Event> taken(const orlop_event* event) {
  orlop_event room;
  ORLOP_TRY(in, whole(event, room, "an event"));
  Result<Event> result = Event();
  Event& out = *result;
  ORLOP_CHECK(take_text(out.author, in->author, "an event's author cannot be read"));
  ORLOP_CHECK(take_text(out.detail.edit(), in->detail, "an event's detail cannot be read"));
  out.sequence = in->sequence;
  out.at = {in->at_ms};
  out.revision = in->revision;
  out.subject = id_of(in->subject);
  out.owner = id_of(in->owner);
  out.organization = id_of(in->organization);
  out.request = id_of(in->request);
  out.family = in->family;
  out.kind = static_cast<EventKind>(in->kind);
  out.from = in->from;
  out.to = in->to;
  out.id_count = in->id_count;
  return result;
}

Result<RecordCount> taken(const orlop_record_count* count) {
  ORLOP_TRY(in, copy_of(count, sizeof(orlop_record_count), "a count"));
  return RecordCount{id_of(in.key), in.family, in.count};
}

Result<RecordLinks> taken(orlop_text name_key, const orlop_id* references, size_t reference_count) {
  ORLOP_TRY(key, copy_of(name_key, "a name key cannot be read"));
  if (reference_count > reference_count_max || (references == nullptr && reference_count != 0)) {
    return broken_promise("a record's references cannot be read");
  }
  RecordLinks links{std::move(key), {}};
  for (size_t index = 0; index < reference_count; ++index) links.references.push_back(id_of(references[index]));
  return links;
}

}  // namespace orlop::c
