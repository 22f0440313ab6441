// Records and machines as rows of the tables; for events see events.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "server/status.h"
#include "server/values.h"

namespace orlop::postgresql {

// Columns of records and machines.
inline constexpr int id_at = 0;
inline constexpr int revision_at = 4;

// Columns have the order of statements.cpp. Views in the result are valid as long as `rows`; phases are kept in
// `phases`.
orlop_record read_record(const Rows& rows, int row);
// Error STORAGE_CORRUPT: the library never writes such a row.
Status read_machine(const Rows& rows, int row, std::vector<orlop_phase>& phases, orlop_machine& machine);

// Adds the parameter of insert_machines and update_machines, an array of rows: unpacking one array per column would
// take the server longer than writing the rows.
void put_machines(Parameters& parameters, Oid type, std::span<const orlop_machine* const> machines);

}  // namespace orlop::postgresql
