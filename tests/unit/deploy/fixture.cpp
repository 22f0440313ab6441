#include "unit/deploy/fixture.h"

#include <cstdio>
#include <cstdlib>

#include "deploy/request/queuing.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

FamilyNumber number_of(std::string_view family) {
  const Family* found = find_family(family);
  if (found == nullptr) std::abort();
  return found->number;
}

Record new_record(Unit& unit, std::string_view family, const Id& parent, const Id& organization, std::string body) {
  Record record;
  record.id = unit.make_id();
  record.family = number_of(family);
  record.parent = parent;
  record.organization = organization;
  record.body = std::move(body);
  return record;
}

std::string named(std::string_view name) { return Writer().begin_object().field("name", name).end_object().text(); }

std::string text_in(std::string_view detail, std::string_view member) {
  if (detail.empty()) return {};
  const auto value = parse_json(detail);
  return value ? std::string(value->text_or(member, "")) : std::string();
}

std::string time_text(Instant at) {
  char text[32];
  const long long milliseconds = static_cast<long long>((at - clock_start).milliseconds);
  std::snprintf(text, sizeof text, "%lld.%03lld", milliseconds / 1000, milliseconds % 1000);
  return text;
}

}  // namespace

// The scripted driver, with a list of the steps that it was asked to start.
class Fixture::Recorder : public Driver {
 public:
  Recorder(std::vector<StepRule> rules, std::vector<Step>& started) : scripted_(std::move(rules)), started_(started) {}

  Result<void> start(const Step& step) override {
    started_.push_back(step);
    if (step.name == "refused") return make_error(ErrorCode::driver_failed, "the driver will not have it");
    return scripted_.start(step);
  }
  void cancel(const Id& step, CancelMode mode) override { scripted_.cancel(step, mode); }
  void poll(Instant now, std::vector<Report>& reports) override { scripted_.poll(now, reports); }
  OptionalInstant due() override { return scripted_.due(); }

 private:
  ScriptedSteps scripted_;
  std::vector<Step>& started_;
};

Fixture::Fixture(FixtureOptions options)
    : options_(std::move(options)), random_source_(options_.seed), store_(open_memory_store()) {
  if (options_.around_store) store_ = options_.around_store(std::move(store_));
  open();
  const std::string refused = change([&](Unit& unit) -> Result<void> {
    const Record organization = new_record(unit, "organization", Id{}, Id{}, named("acme"));
    organization_ = organization.id;
    Record project = new_record(unit, "project", organization_, organization_, named("shop"));
    Record environment = new_record(unit, "environment", project.id, organization_, named("prod"));
    environment_ = environment.id;
    unit.put(new_environment_machine(unit, environment));
    Record cluster =
        new_record(unit, "cluster", organization_, organization_,
                   Writer().begin_object().field("name", "main").field("version", "1.30").end_object().text());
    cluster_ = cluster.id;
    names_[cluster_] = "main";
    ids_["main"] = cluster_;
    unit.put(new_cluster_machine(unit, cluster, PlanFlag::stoppable | PlanFlag::upgradable));
    unit.put(std::move(cluster));
    std::vector<Id> references;
    if (options_.settings.require_cluster) {
      environment.body =
          Writer().begin_object().field("name", "prod").field("cluster_id", cluster_).end_object().text();
      references.push_back(cluster_);
    }
    unit.put(Record(organization));
    unit.put(std::move(project));
    unit.put(std::move(environment), std::nullopt, std::move(references));
    unit.emit(Event{});
    return {};
  });
  if (!refused.empty()) std::abort();
}

Fixture::~Fixture() = default;

void Fixture::open() {
  driver_ = std::make_unique<Recorder>(options_.rules, started_);
  orchestrator_ = std::make_unique<Orchestrator>(*driver_, options_.settings);
  const auto transaction = std::move(store_->begin(Access::read)).value();
  if (!orchestrator_->recover(*transaction, PartitionSet::all())) std::abort();
}

void Fixture::add_service(const std::string& name, std::string_view family, std::uint32_t plan_flags, int stage) {
  now_ = now_ + Duration{1};
  const std::string refused = change([&](Unit& unit) -> Result<void> {
    if (!stages_.contains(stage)) {
      Record record =
          new_record(unit, "deployment_stage", environment_, organization_,
                     Writer().begin_object().field("deployment_order", std::int64_t{stage}).end_object().text());
      stages_[stage] = record.id;
      unit.put(std::move(record));
    }
    Record record = new_record(unit, family, environment_, organization_, named(name));
    ids_[name] = record.id;
    names_[record.id] = name;
    unit.put(new_service_machine(unit, record, plan_flags, stages_.at(stage)));
    unit.put(std::move(record));
    unit.emit(Event{});
    return {};
  });
  if (!refused.empty()) std::abort();
}

std::string Fixture::name_of(const Id& id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? std::string() : found->second;
}

Result<void> Fixture::commit(const Change& change) {
  auto transaction = std::move(store_->begin(Access::write)).value();
  const FeedEnd end = transaction->feed_end().value();
  Unit unit(*transaction, random_source_, end, now_, options_.settings);
  if (auto done = change(unit); !done) return done;
  if (unit.changes().empty()) return {};
  if (!unit.note_ids() || !transaction->apply(unit.changes()) || !transaction->commit()) std::abort();
  transaction.reset();
  std::vector<Id> woken;
  for (const WakeUp& wake_up : unit.woken()) woken.push_back(wake_up.owner);
  orchestrator_->wake(woken);
  ++commits_;
  if (commits_ == options_.crash_after) {
    open();
    has_crashed_ = true;
    return {};
  }
  for (const Job& job : unit.jobs()) ORLOP_CHECK(finish(job.id));
  return {};
}

// Queues the parts of the request as the engine's jobs do.
Result<void> Fixture::finish(const Id& request) {
  bool is_done = false;
  QueuedBefore before;
  while (!is_done && !has_crashed_) {
    ORLOP_CHECK(commit([&](Unit& unit) -> Result<void> {
      ORLOP_TRY(machine, unit.machine(request));
      ORLOP_TRY(done, queue_part(unit, *machine, before));
      is_done = done;
      return {};
    }));
  }
  return {};
}

std::string Fixture::change(const Change& change) {
  const auto done = commit(change);
  return done ? std::string() : done.error().message;
}

void Fixture::report(Report report) { tick({std::move(report)}); }

void Fixture::reopen(const Settings& settings) {
  options_.settings = settings;
  open();
}

void Fixture::tick(const std::vector<Report>& reports) {
  has_crashed_ = false;
  if (orchestrator_->wants_reading(now_)) {
    const auto reading = std::move(store_->begin(Access::read)).value();
    if (!orchestrator_->read_ahead(*reading, now_)) std::abort();
  }
  const auto ticked = commit([&](Unit& unit) { return orchestrator_->tick(unit, reports); });
  if (!ticked) {
    std::fprintf(stderr, "tick: %s\n", ticked.error().message.c_str());
    std::abort();
  }
  if (!has_crashed_) orchestrator_->act(now_);
}

void Fixture::run_until(Instant at) {
  for (auto due = orchestrator_->due(now_); due && *due <= at; due = orchestrator_->due(now_)) {
    if (*due > now_) now_ = *due;
    tick();
  }
  if (at > now_) now_ = at;
}

void Fixture::run_until_idle() {
  for (auto due = orchestrator_->due(now_); due; due = orchestrator_->due(now_)) {
    if (*due > now_) now_ = *due;
    tick();
  }
}

std::unique_ptr<Transaction> Fixture::reading() const { return std::move(store_->begin(Access::read)).value(); }

Machine Fixture::machine(const std::string& name) const {
  const auto found = reading()->machine(id_of(name)).value();
  return found ? *found : Machine{};
}

bool Fixture::exists(const std::string& name) const { return reading()->record(id_of(name))->has_value(); }

std::vector<Event> Fixture::events() const {
  std::vector<Event> found;
  const auto visited = reading()->events({}, [&](const Event& event) {
    found.push_back(event);
    return true;
  });
  if (!visited) std::abort();
  return found;
}

std::string Fixture::line_of(const Event& event) const {
  const std::string subject = event.family == deployment_request_number ? "request" : name_of(event.subject);
  const bool is_cluster = event.subject == cluster_;
  const auto state = [&](std::uint8_t number) {
    return std::string(is_cluster ? to_string(static_cast<ClusterState>(number))
                                  : to_string(static_cast<ServiceState>(number)));
  };
  const std::string kind(to_string(static_cast<StepKind>(event.to)));
  std::string text;
  switch (event.kind) {
    case EventKind::created: return {};
    case EventKind::edited: text = "edited"; break;
    case EventKind::deleted: text = "is gone"; break;
    case EventKind::state_changed: text = state(event.from) + " -> " + state(event.to); break;
    case EventKind::request_queued:
      text = "queued " + text_in(event.detail.text(), "action") + " by " + text_in(event.detail.text(), "triggered_by");
      break;
    case EventKind::request_started: text = "started"; break;
    case EventKind::request_ended: text = "ended " + state(event.to); break;
    case EventKind::step_started: text = "step " + kind; break;
    case EventKind::step_ended: text = "step " + kind + " ended " + text_in(event.detail.text(), "status"); break;
    case EventKind::progress:
    case EventKind::log_line: text = "says " + text_in(event.detail.text(), "text"); break;
    case EventKind::running_changed:
      text = "runs " + std::string(to_string(static_cast<RunningState>(event.to)));
      break;
    case EventKind::freshness_changed: text = "is " + std::string(to_string(static_cast<Freshness>(event.to))); break;
  }
  const std::string reason = text_in(event.detail.text(), "reason");
  const bool shows_reason = event.kind == EventKind::state_changed || event.kind == EventKind::request_ended;
  if (!reason.empty() && shows_reason) text += ": " + reason;
  const Family* family = find_family(event.family);
  return time_text(event.at) + " " + (subject.empty() && family != nullptr ? std::string(family->name) : subject) +
         " " + text;
}

}  // namespace orlop
