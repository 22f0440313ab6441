// A store of a host behind storage.h, as small as the contract allows: each writer works on a copy of everything, and its commit is the exchange of a pointer.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <set>
#include <string>
#include <vector>

#include "orlop/storage.h"

struct Less {
  bool operator()(const orlop_id& a, const orlop_id& b) const { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) < 0; }
};
static bool same(const orlop_id& a, const orlop_id& b) { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0; }
static bool is_nil(const orlop_id& id) { return same(id, orlop_id{}); }
static std::string copy(orlop_text text) { return text.size == 0 ? std::string() : std::string(text.data, text.size); }
static orlop_text view(const std::string& text) { return {text.data(), text.size()}; }

// Rows with the texts that they point to. What is given to a visitor is a copy that points into the row.
struct Record { orlop_record row; std::string body, secrets, name; std::set<orlop_id, Less> references; };
struct Machine { orlop_machine row; std::string execution_id, triggered_by, reason, outputs, commit; std::vector<orlop_phase> phases; };
struct Event { orlop_event row; std::string author, detail; };
struct State { std::map<orlop_id, Record, Less> records; std::map<orlop_id, Machine, Less> machines; std::vector<Event> events; };

static orlop_record shown(const Record& in) { orlop_record out = in.row; out.body = view(in.body); out.secrets = view(in.secrets); return out; }
static orlop_event shown(const Event& in) { orlop_event out = in.row; out.author = view(in.author); out.detail = view(in.detail); return out; }
static orlop_machine shown(const Machine& in) {
  orlop_machine out = in.row;
  out.execution_id = view(in.execution_id), out.triggered_by = view(in.triggered_by), out.reason = view(in.reason), out.outputs = view(in.outputs);
  out.commit = view(in.commit), out.phases = in.phases.data(), out.phase_count = in.phases.size();
  return out;
}

struct Store {
  explicit Store(orlop_error_maker maker) : make_error(maker) {}
  orlop_error_maker make_error;
  std::binary_semaphore writer{1};
  std::mutex mutex;  // guards `current`
  std::shared_ptr<const State> current = std::make_shared<State>();
};
struct Transaction { Store& store; std::shared_ptr<const State> seen; std::shared_ptr<State> changed; };
static Transaction& of(void* transaction) { return *static_cast<Transaction*>(transaction); }

static orlop_error* begin(void* context, orlop_access access, void** out) {
  Store& store = *static_cast<Store*>(context);
  if (access == ORLOP_ACCESS_WRITE) store.writer.acquire();
  const std::lock_guard lock(store.mutex);
  auto changed = access == ORLOP_ACCESS_WRITE ? std::make_shared<State>(*store.current) : nullptr;
  *out = new Transaction{store, changed ? changed : store.current, changed};
  return nullptr;
}
static orlop_error* commit(void* transaction) {
  const std::lock_guard lock(of(transaction).store.mutex);
  if (of(transaction).changed) of(transaction).store.current = of(transaction).changed;
  return nullptr;
}
static void end(void* transaction) {
  if (of(transaction).changed) of(transaction).store.writer.release();
  delete &of(transaction);
}

static orlop_error* record(void* transaction, const orlop_id* id, orlop_record_visitor visit, void* visitor) {
  const auto found = of(transaction).seen->records.find(*id);
  if (found == of(transaction).seen->records.end()) return nullptr;
  const orlop_record row = shown(found->second);
  visit(visitor, &row);
  return nullptr;
}
static orlop_error* machine(void* transaction, const orlop_id* id, orlop_machine_visitor visit, void* visitor) {
  const auto found = of(transaction).seen->machines.find(*id);
  if (found == of(transaction).seen->machines.end()) return nullptr;
  const orlop_machine row = shown(found->second);
  visit(visitor, &row);
  return nullptr;
}
static orlop_error* find(void* transaction, orlop_text name_key, orlop_id* id) {
  *id = {};
  for (const auto& [key, record] : of(transaction).seen->records) {
    if (!record.name.empty() && record.name == copy(name_key)) *id = key;
  }
  return nullptr;
}
static orlop_error* links(void* transaction, const orlop_id* id, orlop_links_visitor visit, void* visitor) {
  const auto found = of(transaction).seen->records.find(*id);
  if (found == of(transaction).seen->records.end()) return nullptr;
  const std::vector<orlop_id> references(found->second.references.begin(), found->second.references.end());
  visit(visitor, view(found->second.name), references.data(), references.size());
  return nullptr;
}
static orlop_error* records(void* transaction, const orlop_range* range, orlop_record_visitor visit, void* visitor) {
  uint64_t left = range->limit;
  for (const auto& [id, record] : of(transaction).seen->records) {
    const bool is_linked = range->by == ORLOP_BY_PARENT ? same(record.row.parent, range->key) : record.references.contains(range->key);
    if (!is_linked || !Less()(range->after, id) || (range->family != 0 && range->family != record.row.family)) continue;
    const orlop_record row = shown(record);
    if (left-- == 0 || visit(visitor, &row) == 0) break;
  }
  return nullptr;
}
static orlop_error* machines(void* transaction, const orlop_range* range, orlop_machine_visitor visit, void* visitor) {
  for (const auto& [id, machine] : of(transaction).seen->machines) {
    const bool is_active = machine.row.active != 0 && (range->has_partition == 0 || machine.row.partition == range->partition);
    const bool is_wanted = range->by == ORLOP_BY_OWNER ? same(machine.row.owner, range->key) : is_active;
    const orlop_machine row = shown(machine);
    if (is_wanted && (range->family == 0 || range->family == row.family) && visit(visitor, &row) == 0) break;
  }
  return nullptr;
}
static orlop_error* events(void* transaction, const orlop_event_range* range, orlop_event_visitor visit, void* visitor) {
  const std::vector<Event>& all = of(transaction).seen->events;
  uint64_t left = range->limit;
  for (size_t at = 0; at < all.size() && left > 0; ++at) {
    const orlop_event row = shown(range->newest_first != 0 ? all[all.size() - 1 - at] : all[at]);
    const bool is_of = (is_nil(range->organization) || (same(row.organization, range->organization) && row.author.size != 0)) &&
                       (is_nil(range->request) || same(row.request, range->request)) && (is_nil(range->subject) || same(row.subject, range->subject));
    if (!is_of || row.sequence <= range->after || row.sequence >= range->before) continue;
    if (visit(visitor, &row) == 0) break;
    --left;
  }
  return nullptr;
}

// The code of the refusal; ORLOP_ERROR_NONE.
static orlop_code put(State& state, const orlop_record_write& write) {
  const auto held = state.records.find(write.record->id);
  if ((held == state.records.end() ? 0 : held->second.row.revision) != write.expected_revision) return ORLOP_ERROR_LOST_UPDATE;
  for (const auto& [id, other] : state.records) {
    const bool is_taken = write.has_name_key != 0 && write.name_key.size != 0 && other.name == copy(write.name_key) && !same(id, write.record->id);
    if (is_taken) return ORLOP_ERROR_CONFLICT;
  }
  Record& record = state.records[write.record->id];
  record.row = *write.record, record.body = copy(write.record->body), record.secrets = copy(write.record->secrets);
  if (write.has_name_key != 0) record.name = copy(write.name_key);
  if (write.has_references != 0) record.references = {write.references, write.references + write.reference_count};
  return ORLOP_ERROR_NONE;
}
static orlop_code put(State& state, const orlop_machine& in, bool is_restore) {
  const auto held = state.machines.find(in.id);
  const uint64_t revision = held == state.machines.end() ? 0 : held->second.row.revision;
  if (is_restore ? revision != 0 : revision + 1 != in.revision) return ORLOP_ERROR_LOST_UPDATE;
  state.machines[in.id] = {in, copy(in.execution_id), copy(in.triggered_by), copy(in.reason), copy(in.outputs), copy(in.commit), {in.phases, in.phases + in.phase_count}};
  return ORLOP_ERROR_NONE;
}
static orlop_error* apply(void* transaction, const orlop_changes* changes) {
  State& state = *of(transaction).changed;
  orlop_code refused = ORLOP_ERROR_NONE;
  for (size_t at = 0; at < changes->erasure_count; ++at) state.records.erase(changes->erasures[at]), state.machines.erase(changes->erasures[at]);
  for (size_t at = 0; at < changes->record_count && refused == ORLOP_ERROR_NONE; ++at) refused = put(state, *changes->records[at]);
  for (size_t at = 0; at < changes->machine_count && refused == ORLOP_ERROR_NONE; ++at) refused = put(state, *changes->machines[at], changes->is_restore != 0);
  for (size_t at = 0; at < changes->event_count; ++at) {
    const orlop_event& event = *changes->events[at];
    const bool is_numbered = changes->is_restore != 0 && event.sequence != 0;
    const uint64_t sequence = state.events.empty() ? (is_numbered ? event.sequence : 1) : state.events.back().row.sequence + 1;
    state.events.push_back({event, copy(event.author), copy(event.detail)});
    state.events.back().row.sequence = sequence;
#ifdef PLANTED_GAPS
    state.events.back().row.sequence *= 2;
#endif
  }
  for (uint64_t left = changes->forgotten_events; left > 0 && state.events.size() > 1; --left) state.events.erase(state.events.begin());
  return refused == ORLOP_ERROR_NONE ? nullptr : of(transaction).store.make_error(refused, ORLOP_TEXT("another transaction was first"));
}
static void release(void* context) { delete static_cast<Store*>(context); }

static orlop_error* open(orlop_store* out, orlop_text, orlop_error_maker make_error) {
  // The optional functions stay NULL: it keeps no counts, and is used by one engine alone.
  *out = {};
  out->size = sizeof *out, out->context = new Store(make_error);
  out->begin = begin, out->record = record, out->machine = machine, out->find = find, out->links = links, out->records = records, out->machines = machines;
  out->events = events, out->apply = apply, out->commit = commit, out->end = end, out->release = release;
  return nullptr;
}
extern "C" ORLOP_API const orlop_storage_library* orlop_storage_entry(void) {
  static const char* const schemes[] = {"small", nullptr};
  static const orlop_storage_library library = {sizeof library, schemes, open};
  return &library;
}
