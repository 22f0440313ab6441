// Records, machines and events as rows of the tables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "server/values.h"

namespace orlop::postgresql {

// Columns of records and of machines.
inline constexpr int id_at = 0;
inline constexpr int revision_at = 4;

// Columns come in the order of statements.cpp. Views in what is read live as long as `rows`; phases are kept in `phases`.
orlop_record read_record(const Rows& rows, int row);
orlop_machine read_machine(const Rows& rows, int row, std::vector<orlop_phase>& phases);
orlop_event read_event(const Rows& rows, int row);

// The parameter of insert_machines and update_machines, an array of rows: an array for each column takes the server longer to take apart than to write the rows.
void put_machines(Parameters& parameters, Oid type, std::span<const orlop_machine* const> machines);
// That of insert_events, numbered from `first`, or of insert_next_events, which numbers them itself.
void put_events(Parameters& parameters, Oid type, std::span<const orlop_event* const> events, std::optional<std::uint64_t> first);
// Those of insert_event, or of insert_next_event.
void put_event(Parameters& parameters, const orlop_event& event, std::optional<std::uint64_t> number);

}  // namespace orlop::postgresql
