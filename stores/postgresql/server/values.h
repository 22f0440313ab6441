// Values in PostgreSQL's binary format: parameters of a statement, and rows that it returns.
#pragma once

#include <libpq-fe.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orlop/storage.h"

namespace orlop::postgresql {

// Numbers of types in pg_type, which never change.
enum class Type : Oid {
  boolean = 16,
  bytes = 17,
  bigint = 20,
  smallint = 21,
  integer = 23,
  text = 25,
  uuid = 2950,
  transaction_id = 5069
};

inline std::string_view view_of(orlop_text text) { return {text.data, text.size}; }
inline orlop_text text_of(std::string_view text) { return {text.data(), text.size()}; }
std::string text_of(const orlop_id& id);  // in the usual form of a UUID
bool is_nil(const orlop_id& id);
inline bool same(const orlop_id& a, const orlop_id& b) { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0; }
bool is_less(const orlop_id& a, const orlop_id& b);  // the server's order
// Unsigned 64-bit numbers are stored as the signed ones with the same bits. This function caps a bound at the largest
// signed number instead.
std::int64_t bound_of(std::uint64_t value);

class Parameters {
 public:
  Parameters& uuid(const orlop_id& value);
  Parameters& bigint(std::int64_t value);
  Parameters& transaction_id(std::int64_t value);
  Parameters& integer(std::int32_t value);
  Parameters& boolean(bool value);
  Parameters& bytes(std::string_view value);
  Parameters& text(std::string_view value);
  Parameters& bytes_or_null(std::string_view value);  // NULL if empty
  Parameters& null(Oid type);

  // Adds an array with one element for each of `rows`, which `each(array, row)` appends.
  template <typename Rows, typename Each>
  Parameters& array(Type element, const Rows& rows, const Each& each) {
    begin_array(static_cast<Oid>(element), std::size(rows));
    for (const auto& row : rows) each(*this, row);
    add(array_of(element), array_start_);
    return *this;
  }
  // Adds an array of table rows, whose type has the number `type`. `each(fields, row)` appends the fields in the order
  // of the columns, each after a call of field().
  template <typename Rows, typename Each>
  Parameters& rows(Oid type, int columns, const Rows& rows, const Each& each) {
    begin_array(type, std::size(rows));
    for (const auto& row : rows) {
      const std::size_t start = begin_row(columns);
      each(*this, row);
      end_row(start);
    }
    add(0, array_start_);  // the statement casts it to the type
    return *this;
  }
  Parameters& field(Type type);
  // Append an element of the current array, or a field of the current row.
  void add_uuid(const orlop_id& value);
  void add_uuid_or_null(const orlop_id& value);
  void add_bigint(std::int64_t value);
  void add_integer(std::int32_t value);
  void add_smallint(std::int16_t value);
  void add_boolean(bool value);
  void add_bytes(std::string_view value);
  void add_bytes_or_null(std::string_view value);  // NULL if empty
  void add_null();

  int count() const { return static_cast<int>(sizes_.size()); }
  // Appends bytes that distinguish these parameters from others of the same statement.
  void append_to(std::string& out) const;
  const Oid* types() const { return types_.data(); }
  const int* sizes() const { return sizes_.data(); }
  const int* formats() const { return formats_.data(); }  // all binary
  // Valid until the next change.
  const char* const* values();

 private:
  static constexpr std::size_t usual_count = 10;
  static constexpr std::size_t most = 16;
  static constexpr std::array<int, most> formats_ = [] {
    std::array<int, most> out{};
    out.fill(1);
    return out;
  }();
  static Oid array_of(Type element);
  void begin_array(Oid element, std::size_t count);
  std::size_t begin_row(int columns);
  void end_row(std::size_t start);
  void add(Oid type, std::size_t start);
  void add(Oid type, std::size_t start, int size);
  void put32(std::uint32_t value);

  std::string buffer_;
  std::vector<std::size_t> starts_;
  std::vector<Oid> types_;
  std::vector<int> sizes_;
  std::vector<const char*> values_;
  std::size_t array_start_ = 0;
};

// The result of a statement; copies share it. Views of its values are valid as long as a copy exists.
class Rows {
 public:
  Rows() = default;
  explicit Rows(PGresult* result) : result_(result, PQclear) {}

  int count() const { return result_ ? PQntuples(result_.get()) : 0; }
  // Reports whether the statement was run.
  bool is_there() const { return result_ != nullptr; }
  // In bytes.
  std::size_t size() const { return result_ ? PQresultMemorySize(result_.get()) : 0; }
  // Reports whether the result is that of this command.
  bool is(std::string_view command) const { return result_ && std::string_view(PQcmdStatus(result_.get())) == command; }
  bool is_end_of_group() const { return result_ && PQresultStatus(result_.get()) == PGRES_PIPELINE_SYNC; }
  bool is_null(int row, int column) const { return PQgetisnull(result_.get(), row, column) != 0; }
  orlop_id uuid(int row, int column) const;  // nil for NULL
  std::int64_t bigint(int row, int column) const;
  std::int32_t integer(int row, int column) const;
  std::int16_t smallint(int row, int column) const;
  bool boolean(int row, int column) const;
  std::string_view bytes(int row, int column) const;  // empty for NULL

 private:
  std::uint64_t number(int row, int column, int size) const;

  std::shared_ptr<PGresult> result_;
};

}  // namespace orlop::postgresql
