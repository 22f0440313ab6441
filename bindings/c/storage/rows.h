// Converts records, machines and events between the core and storage.h. The C structs point into the rows of the core.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "orlop/storage.h"
#include "store/store.h"

namespace orlop::c {

orlop_record given(const Record& record);
// Fills `phases` with the phases of all machines; the structs point into it.
std::vector<orlop_machine> given(std::span<const Machine> machines, std::vector<orlop_phase>& phases);
orlop_event given(const Event& event);
orlop_range given(const RecordRange& range);
orlop_range given(const MachineRange& range);
orlop_event_range given(const EventRange& range);

// Copy a row. Error storage_failed: it cannot be read.
Result<Record> taken(const orlop_record* record);
Result<Machine> taken(const orlop_machine* machine);
Result<Event> taken(const orlop_event* event);
orlop_peer given(const Peer& peer);
orlop_lease given(const Lease& lease);
orlop_wake_up given(const WakeUp& wake_up);
orlop_inbox_report given(const InboxReport& report);
Result<Peer> taken(const orlop_peer* peer);
Result<Lease> taken(const orlop_lease* lease);
Result<WakeUp> taken(const orlop_wake_up* wake_up);
Result<InboxReport> taken(const orlop_inbox_report* report);
Result<RecordCount> taken(const orlop_record_count* count);
Result<RecordLinks> taken(orlop_text name_key, const orlop_id* references, size_t reference_count);

// Makes the error for a host's store that violates its contract.
Error broken_promise(const char* what);

}  // namespace orlop::c
