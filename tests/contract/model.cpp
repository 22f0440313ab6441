#include "contract/model.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace orlop::contract {
namespace {

constexpr std::uint64_t ids = 40;
constexpr std::uint64_t parents = 5;
constexpr std::uint64_t families = 3;
constexpr std::uint64_t names = 12;
constexpr std::uint64_t targets = 6;
constexpr std::uint64_t organizations = 3;
constexpr std::uint64_t requests = 2;

std::vector<Id> expected_ids(const Model& model, const RecordRange& range) {
  std::vector<Id> out;
  for (const auto& [id, entry] : model.records) {
    const bool linked =
        range.by == RecordRange::By::parent ? entry.record.parent == range.key : entry.references.count(range.key) != 0;
    const bool wanted = linked && id > range.after && (range.family == 0 || entry.record.family == range.family);
    if (wanted && out.size() < range.limit) out.push_back(id);
  }
  return out;
}

std::vector<Id> expected_ids(const Model& model, const MachineRange& range) {
  std::vector<Id> out;
  for (const auto& [id, machine] : model.machines) {
    const bool linked = range.by == MachineRange::By::owner
                            ? machine.owner == range.owner
                            : machine.active && machine.partition == range.partition.value_or(machine.partition);
    if (linked && (range.family == 0 || machine.family == range.family)) out.push_back(id);
  }
  return out;
}

std::vector<RecordCount> expected_counts(const Model& model, const CountRange& range) {
  std::map<std::pair<Id, FamilyNumber>, std::uint64_t> counts;
  for (const auto& [id, entry] : model.records) {
    if (range.family != 0 && entry.record.family != range.family) continue;
    for (const Id& key : range.keys) {
      const bool counts_for =
          range.by == RecordRange::By::parent ? entry.record.parent == key : entry.references.contains(key);
      if (counts_for) ++counts[{key, entry.record.family}];
    }
  }
  std::vector<RecordCount> out;
  for (const auto& [place, count] : counts) out.push_back({place.first, place.second, count});
  return out;
}

std::vector<std::uint64_t> expected_numbers(const Model& model, const EventRange& range) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t number = model.first_event; number <= model.events.size(); ++number) {
    const Event& event = model.events[number - 1];
    const bool fits =
        (range.organization.is_nil() || (event.organization == range.organization && !event.author.empty())) &&
        (range.request.is_nil() || event.request == range.request) &&
        (range.subject.is_nil() || event.subject == range.subject);
    if (fits && number > range.after && number < range.before) out.push_back(number);
  }
  if (range.order == EventRange::Order::newest_first) std::reverse(out.begin(), out.end());
  if (out.size() > range.limit) out.resize(range.limit);
  return out;
}

std::string records_differ(Transaction& transaction, const Model& model) {
  for (std::uint64_t number = 1; number <= ids; ++number) {
    const Id id = id_of(number);
    const Result<Shared<Record>> found = transaction.record(id);
    if (!found) return "record(): " + found.error().message;
    const auto expected = model.records.find(id);
    if (found->has_value() != (expected != model.records.end())) return "presence of record " + std::to_string(number);
    if (found->has_value() && !same(**found, expected->second.record))
      return "fields of record " + std::to_string(number);
    const Result<RecordLinks> links = transaction.links(id);
    const Model::Entry entry = expected == model.records.end() ? Model::Entry() : expected->second;
    const bool agree =
        links && links->name_key == entry.name_key && std::ranges::equal(links->references, entry.references);
    if (!agree) return "links of record " + std::to_string(number);
  }
  for (std::uint64_t number = 0; number < names; ++number) {
    const std::string key = "name " + std::to_string(number);
    std::optional<Id> expected;
    for (const auto& [id, entry] : model.records) {
      if (entry.name_key == key) expected = id;
    }
    const Result<std::optional<Id>> found = transaction.find(key);
    if (!found || *found != expected) return "find(\"" + key + "\")";
  }
  return "";
}

std::string machines_differ(Transaction& transaction, const Model& model) {
  for (std::uint64_t number = 1; number <= ids; ++number) {
    const Id id = id_of(number);
    const Result<Shared<Machine>> found = transaction.machine(id);
    if (!found) return "machine(): " + found.error().message;
    const auto expected = model.machines.find(id);
    if (found->has_value() != (expected != model.machines.end()))
      return "presence of machine " + std::to_string(number);
    if (found->has_value() && !same(**found, expected->second)) return "fields of machine " + std::to_string(number);
  }
  return "";
}

std::string ranges_differ(Transaction& transaction, const Model& model) {
  for (FamilyNumber family = 0; family <= families; ++family) {
    for (std::uint64_t key = 0; key <= std::max(parents, targets); ++key) {
      for (const RecordRange& range : {children_of(key, family), children_of(key, family, 15, 3),
                                       referrers_of(key, family), referrers_of(key, family, 15, 3)}) {
        if (ids_of(transaction, range) != expected_ids(model, range))
          return "a range of records by " + std::to_string(key);
      }
      if (ids_of(transaction, machines_of(key, family)) != expected_ids(model, machines_of(key, family))) {
        return "machines of owner " + std::to_string(key);
      }
    }
    for (const std::optional<std::uint8_t> partition :
         {std::optional<std::uint8_t>(), std::optional<std::uint8_t>(0), std::optional<std::uint8_t>(31)}) {
      MachineRange active = active_machines(family);
      active.partition = partition;
      if (ids_of(transaction, active) != expected_ids(model, active)) return "active machines";
    }
  }
  return "";
}

std::string counts_differ(Transaction& transaction, const Model& model) {
  std::vector<Id> keys;
  for (std::uint64_t key = 0; key <= ids; ++key) keys.push_back(id_of(key));
  for (const auto by : {RecordRange::By::parent, RecordRange::By::reference}) {
    for (FamilyNumber family = 0; family <= families; ++family) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{4}, keys.size()}) {
        const CountRange range = {by, std::span(keys).first(count), family};
        Result<std::vector<RecordCount>> found = transaction.counts(range);
        if (!found) return "counts(): " + found.error().message;
        std::ranges::sort(*found, {}, [](const RecordCount& each) { return std::pair(each.key, each.family); });
        if (*found != expected_counts(model, range)) return "counts of family " + std::to_string(family);
      }
    }
  }
  return "";
}

std::string events_differ(Transaction& transaction, const Model& model) {
  const std::vector<Event> events = events_of(transaction);
  if (events.size() != model.events.size() + 1 - model.first_event) return "number of events";
  for (std::size_t index = 0; index < events.size(); ++index) {
    const std::uint64_t number = model.first_event + index;
    if (events[index].sequence != number) return "a gap at event " + std::to_string(number);
    if (!same(events[index], model.events[number - 1])) return "fields of event " + std::to_string(number);
  }
  const Result<FeedEnd> end = transaction.feed_end();
  if (!end || end->sequence != model.events.size()) return "feed_end()";
  return "";
}

std::string event_ranges_differ(Transaction& transaction, const Model& model) {
  const std::uint64_t count = model.events.size();
  std::vector<EventRange> keys = {{}};
  for (std::uint64_t number = 1; number <= organizations; ++number) keys.push_back({.organization = id_of(number)});
  for (std::uint64_t number = 1; number <= requests; ++number) keys.push_back({.request = id_of(number)});
  for (const std::uint64_t number : {std::uint64_t{1}, ids / 2, ids}) keys.push_back({.subject = id_of(number)});
  for (EventRange range : keys) {
    for (const auto order : {EventRange::Order::ascending, EventRange::Order::newest_first}) {
      for (const std::size_t limit : {std::size_t{3}, std::size_t{SIZE_MAX}}) {
        for (const auto& [after, before] :
             {std::pair<std::uint64_t, std::uint64_t>{0, UINT64_MAX}, {count / 3, count}, {count, UINT64_MAX}}) {
          range = {after, before, range.organization, range.request, range.subject, order, limit};
          if (numbers_of(transaction, range) == expected_numbers(model, range)) continue;
          return "events after " + std::to_string(after) + " before " + std::to_string(before) + " of organization " +
                 to_text(range.organization) + ", request " + to_text(range.request) + ", subject " +
                 to_text(range.subject) + ", limit " + std::to_string(limit);
        }
      }
    }
  }
  return "";
}

}  // namespace

std::optional<ErrorCode> Model::apply(const Changes& changes) {
  for (const Id& id : changes.erasures) {
    records.erase(id);
    machines.erase(id);
  }
  for (const RecordWrite& write : changes.records) {
    if (const auto error = put(write)) return error;
  }
  for (const Machine& machine : changes.machines) {
    if (const auto error = put(machine, changes.is_restore)) return error;
  }
  events.insert(events.end(), changes.events.begin(), changes.events.end());
  if (!events.empty()) first_event = std::min<std::uint64_t>(first_event + changes.forgotten_events, events.size());
  return std::nullopt;
}

std::optional<ErrorCode> Model::put(const RecordWrite& write) {
  const auto found = records.find(write.record.id);
  if ((found == records.end() ? 0 : found->second.record.revision) != write.expected_revision)
    return ErrorCode::lost_update;
  if (write.name_key && !write.name_key->empty()) {
    for (const auto& [id, entry] : records) {
      if (id != write.record.id && entry.name_key == *write.name_key) return ErrorCode::conflict;
    }
  }
  Entry& entry = records[write.record.id];
  entry.record = write.record;
  if (write.name_key) entry.name_key = *write.name_key;
  if (write.references) entry.references = {write.references->begin(), write.references->end()};
  return std::nullopt;
}

std::optional<ErrorCode> Model::put(const Machine& machine, bool is_restore) {
  const auto found = machines.find(machine.id);
  const std::uint64_t held = found == machines.end() ? 0 : found->second.revision;
  if (is_restore ? held != 0 : held + 1 != machine.revision) return ErrorCode::lost_update;
  machines[machine.id] = machine;
  return std::nullopt;
}

// Erases a record and restores it with another revision; in one of twenty without the erasure.
Changes RandomChanges::replacement(const Model& model) {
  Changes changes;
  changes.is_restore = true;
  RecordWrite back = record(model);
  if (below(20) != 0) changes.erasures = {back.record.id};
  back.expected_revision = 0;
  back.record.revision = 1 + below(1000);
  changes.records = {back};
  Machine machine = this->machine(model);
  machine.id = back.record.id;
  machine.revision = 1 + below(1000);
  changes.machines = {machine};
  return changes;
}

Changes RandomChanges::next(const Model& model) {
  if (below(12) == 0) return replacement(model);
  Changes changes;
  Model after = model;
  const auto keep = [&](const Changes& part) {
    Model tried = after;
    // One of twenty refused changes is kept.
    if (tried.apply(part) && below(20) != 0) return false;
    after = std::move(tried);
    return true;
  };
  for (std::uint64_t count = below(3); count > 0; --count) {
    Changes part;
    part.erasures = {id_of(1 + below(ids))};
    if (below(3) == 0 && keep(part)) changes.erasures.push_back(part.erasures[0]);
  }
  for (std::uint64_t count = below(4); count > 0; --count) {
    Changes part;
    part.records = {record(after)};
    if (keep(part)) changes.records.push_back(part.records[0]);
  }
  for (std::uint64_t count = below(4); count > 0; --count) {
    Changes part;
    part.machines = {machine(after)};
    if (keep(part)) changes.machines.push_back(part.machines[0]);
  }
  for (std::uint64_t count = below(4); count > 0; --count) {
    Event event = event_of(1 + below(ids), text(40));
    event.at = Instant{static_cast<std::int64_t>(below(1000))};
    event.kind = static_cast<EventKind>(1 + below(13));
    event.request = id_of(below(requests + 1));
    event.organization = id_of(below(organizations + 1));
    if (below(2) == 0) event.author = text(12);
    event.id_count = static_cast<std::uint32_t>(below(3) * 0x7FFFFFFFU);
    changes.events.push_back(event);
  }
  if (below(15) == 0)
    changes.forgotten_events = static_cast<std::uint32_t>(below(model.events.size() + 3 - model.first_event));
  return changes;
}

RecordWrite RandomChanges::record(const Model& model) {
  const Id id = id_of(1 + below(ids));
  const auto found = model.records.find(id);
  RecordWrite write;
  write.record = found == model.records.end() ? record_of(0) : found->second.record;
  write.record.id = id;
  write.expected_revision = found == model.records.end() ? 0 : found->second.record.revision;
  if (below(30) == 0) write.expected_revision += 1 + below(2);
  write.record.revision = write.expected_revision + 1;
  write.record.body = text(3000);
  write.record.secrets = below(2) == 0 ? "" : text(30);
  if (found == model.records.end() || below(5) == 0) {
    write.record.parent = id_of(below(parents + 1));
    write.record.family = static_cast<FamilyNumber>(1 + below(families));
    write.record.organization = id_of(100 + below(3));  // differs from the organization of every record of this model
  }
  if (below(2) == 0) write.name_key = below(4) == 0 ? "" : "name " + std::to_string(below(names));
  if (below(2) == 0) {
    write.references.emplace();
    for (std::uint64_t count = below(4); count > 0; --count) write.references->push_back(id_of(1 + below(targets)));
  }
  return write;
}

Machine RandomChanges::machine(const Model& model) {
  const Id id = id_of(1 + below(ids));
  const auto found = model.machines.find(id);
  Machine machine = found == model.machines.end() ? machine_of(0, below(parents), 1, 0) : found->second;
  machine.id = id;
  machine.revision += below(30) == 0 ? 2 : 1;
  machine.state = static_cast<std::uint8_t>(below(30));
  machine.active = below(3) == 0;
  machine.step = id_of(below(4));
  for (OptionalInstant* at : {&machine.deadline, &machine.step_started_at, &machine.last_deployment_at}) {
    *at = below(2) == 0 ? OptionalInstant() : Instant{static_cast<std::int64_t>(below(3)) - 1};
  }
  machine.partition = static_cast<std::uint8_t>(below(3) * 31);
  machine.detail.edit().reason = text(50);
  machine.timing.phases.resize(below(4), *PhaseTiming::of(1, 2, static_cast<std::int64_t>(below(1000))));
  machine.timing.started_at =
      below(2) == 0 ? std::nullopt : std::optional(Instant{static_cast<std::int64_t>(below(9))});
  if (below(5) == 0) {
    machine.owner = id_of(below(parents + 1));
    machine.family = static_cast<FamilyNumber>(1 + below(families));
  }
  return machine;
}

std::string RandomChanges::text(std::size_t size_max) {
  return std::string(below(size_max), static_cast<char>('a' + below(26)));
}

std::string difference(Transaction& transaction, const Model& model) {
  for (const auto& compare :
       {records_differ, machines_differ, ranges_differ, counts_differ, events_differ, event_ranges_differ}) {
    if (std::string found = compare(transaction, model); !found.empty()) return found;
  }
  return "";
}

}  // namespace orlop::contract
