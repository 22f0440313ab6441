#include "deploy/run/detail.h"

#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::int64_t milliseconds_per_second = 1000;

bool is_queueing(std::string_view name) { return name.ends_with("_QUEUEING"); }

std::optional<Instant> instant_of(const Value& value, std::string_view name) {
  return parse_instant(value.text_or(name, ""));
}

void write_instant(Writer& out, std::string_view name, std::optional<Instant> at) {
  if (at) out.field(name, *at);
}

PhaseTiming parse_phase(const Value& value) {
  return {std::string(value.text_or("step_name", "")), std::string(value.text_or("status", "")),
          Duration{value.integer_or("duration_ms", 0)}};
}

void write_steps(Writer& out, const std::vector<PhaseTiming>& phases) {
  Duration total;
  Duration computing;
  for (const PhaseTiming& phase : phases) {
    total.milliseconds += phase.spent.milliseconds;
    if (!is_queueing(phase.name)) computing.milliseconds += phase.spent.milliseconds;
  }
  out.begin_object();
  out.field("total_duration_sec", total.milliseconds / milliseconds_per_second);
  out.field("total_computing_duration_sec", computing.milliseconds / milliseconds_per_second);
  out.key("details").begin_list();
  for (const PhaseTiming& phase : phases) {
    out.begin_object().field("step_name", phase.name).field("status", phase.status);
    out.field("duration_sec", phase.spent.milliseconds / milliseconds_per_second).end_object();
  }
  out.end_list().end_object();
}

// What the seconds of `steps` are too coarse for.
void write_exact(Writer& out, const std::vector<PhaseTiming>& phases) {
  if (phases.empty()) return;
  out.key("phases").begin_list();
  for (const PhaseTiming& phase : phases) {
    out.begin_object().field("step_name", phase.name).field("status", phase.status);
    out.field("duration_ms", phase.spent.milliseconds).end_object();
  }
  out.end_list();
}

}  // namespace

std::string_view to_string(PhaseStatus status) {
  switch (status) {
    case PhaseStatus::success: return "SUCCESS";
    case PhaseStatus::error: return "ERROR";
    case PhaseStatus::cancel: return "CANCEL";
  }
  return "SUCCESS";
}

void Detail::spend(std::string_view name, PhaseStatus status, Duration spent) {
  if (phases.empty() || phases.back().name != name) phases.push_back({std::string(name), {}, {}});
  phases.back().status = to_string(status);
  phases.back().spent.milliseconds += spent.milliseconds;
}

Result<Detail> parse_detail(std::string_view text) {
  Detail detail;
  if (text.empty()) return detail;
  ORLOP_TRY(value, parse_stored(text));
  detail.execution_id = value.text_or("execution_id", "");
  detail.triggered_by = value.text_or("triggered_by", "");
  detail.reason = value.text_or("reason", "");
  if (const Value* phases = value.find("phases"); phases != nullptr && phases->is_list()) {
    for (const Value& phase : phases->items()) detail.phases.push_back(parse_phase(phase));
  }
  if (const Value* outputs = value.find("outputs")) detail.outputs = to_json(*outputs);
  if (const Value* commit = value.find("commit")) detail.commit = to_json(*commit);
  detail.started_at = instant_of(value, "started_at");
  detail.ended_at = instant_of(value, "ended_at");
  detail.canceled_at = instant_of(value, "canceled_at");
  detail.reported_at = instant_of(value, "reported_at");
  return detail;
}

std::string to_json(const Detail& detail) {
  Writer out;
  out.begin_object();
  out.field("execution_id", detail.execution_id);
  if (!detail.triggered_by.empty()) out.field("triggered_by", detail.triggered_by);
  if (!detail.reason.empty()) out.field("reason", detail.reason);
  out.key("steps");
  write_steps(out, detail.phases);
  write_exact(out, detail.phases);
  if (!detail.outputs.empty()) out.field_raw("outputs", detail.outputs);
  if (!detail.commit.empty()) out.field_raw("commit", detail.commit);
  write_instant(out, "started_at", detail.started_at);
  write_instant(out, "ended_at", detail.ended_at);
  write_instant(out, "canceled_at", detail.canceled_at);
  write_instant(out, "reported_at", detail.reported_at);
  out.end_object();
  return std::move(out).take();
}

std::string steps_json(const Detail& detail) {
  Writer out;
  write_steps(out, detail.phases);
  return std::move(out).take();
}

}  // namespace orlop
