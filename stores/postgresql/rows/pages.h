// Reads of many rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rows/rows.h"
#include "server/status.h"

namespace orlop::postgresql {

inline constexpr std::uint64_t first_page = 256;
inline constexpr std::uint64_t largest_page = 4'096;

// Reads pages until the limit, the end, or a visitor that stops. `query(size, rows)` reads the next page of `size`
// rows; `visit(rows, row)` returns false to stop.
template <typename Query, typename Visit>
Status read_pages(std::uint64_t limit, const Query& query, const Visit& visit) {
  std::uint64_t size = first_page;
  while (limit > 0) {
    const std::uint64_t wanted = std::min(limit, size);
    Rows rows;
    ORLOP_PG_CHECK(query(static_cast<std::int64_t>(wanted), rows));
    for (int row = 0; row < rows.count(); ++row) {
      if (!visit(rows, row)) return {};
    }
    if (static_cast<std::uint64_t>(rows.count()) < wanted) return {};
    limit -= wanted;
    size = std::min(size * 4, largest_page);
  }
  return {};
}

}  // namespace orlop::postgresql
