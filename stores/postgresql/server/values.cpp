#include "server/values.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "server/big_endian.h"

namespace orlop::postgresql {
namespace {

constexpr std::size_t no_start = std::string::npos;  // for NULL
// The header of an array: dimensions, has NULL, type of the elements, length, first index.
constexpr std::size_t null_flag_at = 4;

}  // namespace

std::string text_of(const orlop_id& id) {
  std::string out;
  for (std::size_t at = 0; at < sizeof id.bytes; ++at) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(id.bytes[at]));
    if (at == 4 || at == 6 || at == 8 || at == 10) out += '-';
    out += two;
  }
  return out;
}

bool is_nil(const orlop_id& id) {
  return std::all_of(std::begin(id.bytes), std::end(id.bytes), [](std::uint8_t byte) { return byte == 0; });
}

bool is_less(const orlop_id& a, const orlop_id& b) { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) < 0; }

std::int64_t bound_of(std::uint64_t value) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return value > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(value);
}

void Parameters::put32(std::uint32_t value) { append_number(buffer_, value); }

void Parameters::add(Oid type, std::size_t start) { add(type, start, static_cast<int>(buffer_.size() - start)); }

void Parameters::add(Oid type, std::size_t start, int size) {
  if (starts_.empty()) {
    starts_.reserve(usual_count);
    types_.reserve(usual_count);
    sizes_.reserve(usual_count);
  }
  starts_.push_back(start);
  types_.push_back(type);
  sizes_.push_back(size);
}

void Parameters::append_to(std::string& out) const {
  out.append(reinterpret_cast<const char*>(sizes_.data()), sizes_.size() * sizeof(int));
  out += buffer_;
}

Parameters& Parameters::uuid(const orlop_id& value) {
  const std::size_t start = buffer_.size();
  buffer_.append(reinterpret_cast<const char*>(value.bytes), sizeof value.bytes);
  add(static_cast<Oid>(Type::uuid), start);
  return *this;
}

Parameters& Parameters::transaction_id(std::int64_t value) {
  const std::size_t start = buffer_.size();
  append_number(buffer_, value);
  add(static_cast<Oid>(Type::transaction_id), start);
  return *this;
}

Parameters& Parameters::bigint(std::int64_t value) {
  const std::size_t start = buffer_.size();
  append_number(buffer_, value);
  add(static_cast<Oid>(Type::bigint), start);
  return *this;
}

Parameters& Parameters::integer(std::int32_t value) {
  const std::size_t start = buffer_.size();
  append_number(buffer_, value);
  add(static_cast<Oid>(Type::integer), start);
  return *this;
}

Parameters& Parameters::bytes(std::string_view value) {
  const std::size_t start = buffer_.size();
  buffer_.append(value);
  add(static_cast<Oid>(Type::bytes), start);
  return *this;
}

Parameters& Parameters::text(std::string_view value) {
  const std::size_t start = buffer_.size();
  buffer_.append(value);
  add(static_cast<Oid>(Type::text), start);
  return *this;
}

Parameters& Parameters::boolean(bool value) {
  const std::size_t start = buffer_.size();
  buffer_ += static_cast<char>(value ? 1 : 0);
  add(static_cast<Oid>(Type::boolean), start);
  return *this;
}

Parameters& Parameters::null(Oid type) {
  add(type, no_start, -1);
  return *this;
}

Parameters& Parameters::bytes_or_null(std::string_view value) {
  return value.empty() ? null(static_cast<Oid>(Type::bytes)) : bytes(value);
}

Oid Parameters::array_of(Type element) {
  switch (element) {
    case Type::boolean: return 1000;
    case Type::bytes: return 1001;
    case Type::smallint: return 1005;
    case Type::integer: return 1007;
    case Type::text: return 1009;
    case Type::bigint: return 1016;
    case Type::transaction_id: return 271;
    case Type::uuid: return 2951;
  }
  return 0;
}

void Parameters::begin_array(Oid element, std::size_t count) {
  array_start_ = buffer_.size();
  put32(count == 0 ? 0 : 1);
  put32(0);
  put32(element);
  if (count == 0) return;
  put32(static_cast<std::uint32_t>(count));
  put32(1);
}

std::size_t Parameters::begin_row(int columns) {
  const std::size_t start = buffer_.size();
  put32(0);
  put32(static_cast<std::uint32_t>(columns));
  return start;
}

// Writes the size of the row.
void Parameters::end_row(std::size_t start) {
  const std::size_t size = buffer_.size() - start - 4;
  for (int at = 0; at < 4; ++at)
    buffer_[start + static_cast<std::size_t>(at)] = static_cast<char>(size >> (24 - 8 * at));
}

Parameters& Parameters::field(Type type) {
  put32(static_cast<std::uint32_t>(type));
  return *this;
}

void Parameters::add_uuid(const orlop_id& value) {
  put32(sizeof value.bytes);
  buffer_.append(reinterpret_cast<const char*>(value.bytes), sizeof value.bytes);
}

void Parameters::add_uuid_or_null(const orlop_id& value) {
  if (is_nil(value)) add_null();
  else add_uuid(value);
}

void Parameters::add_bigint(std::int64_t value) {
  put32(8);
  append_number(buffer_, value);
}

void Parameters::add_integer(std::int32_t value) {
  put32(4);
  append_number(buffer_, value);
}

void Parameters::add_smallint(std::int16_t value) {
  put32(2);
  append_number(buffer_, value);
}

void Parameters::add_boolean(bool value) {
  put32(1);
  buffer_ += static_cast<char>(value ? 1 : 0);
}

void Parameters::add_bytes(std::string_view value) {
  put32(static_cast<std::uint32_t>(value.size()));
  buffer_.append(value);
}

void Parameters::add_bytes_or_null(std::string_view value) {
  if (value.empty()) add_null();
  else add_bytes(value);
}

void Parameters::add_null() {
  put32(0xFFFFFFFFU);
  buffer_[array_start_ + null_flag_at + 3] = 1;
}

const char* const* Parameters::values() {
  values_.clear();
  values_.reserve(starts_.size());
  for (const std::size_t start : starts_) values_.push_back(start == no_start ? nullptr : buffer_.data() + start);
  return values_.data();
}

std::uint64_t Rows::number(int row, int column, int size) const {
  if (is_null(row, column) || PQgetlength(result_.get(), row, column) != size) return 0;
  return number_of(bytes(row, column));
}

orlop_id Rows::uuid(int row, int column) const {
  orlop_id id{};
  if (!is_null(row, column) && PQgetlength(result_.get(), row, column) == static_cast<int>(sizeof id.bytes)) {
    std::memcpy(id.bytes, PQgetvalue(result_.get(), row, column), sizeof id.bytes);
  }
  return id;
}

std::int64_t Rows::bigint(int row, int column) const { return static_cast<std::int64_t>(number(row, column, 8)); }
std::int32_t Rows::integer(int row, int column) const { return static_cast<std::int32_t>(number(row, column, 4)); }
std::int16_t Rows::smallint(int row, int column) const { return static_cast<std::int16_t>(number(row, column, 2)); }
bool Rows::boolean(int row, int column) const { return number(row, column, 1) != 0; }

std::string_view Rows::bytes(int row, int column) const {
  if (is_null(row, column)) return {};
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

}  // namespace orlop::postgresql
