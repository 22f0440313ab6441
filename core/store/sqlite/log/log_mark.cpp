#include "store/sqlite/log/log_mark.h"
#include "store/sqlite/log/log_header.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace orlop {
namespace {

// https://sqlite.org/fileformat2.html
constexpr std::size_t log_header_size = 32;
constexpr std::size_t page_size_at = 8;  // in the header of the log
constexpr std::size_t leaf_of_table = 0x0D;

// Bytes of the file's header that change: change counter, size, free pages, schema cookie.
constexpr std::size_t changing_at = 24;
constexpr std::size_t changing_size = 20;
using FileHeader = std::array<unsigned char, changing_size>;
using Token = std::array<unsigned char, 8>;

struct Mark {
  Token current{};
  Token previous{};
  FileHeader header{};
};
constexpr std::size_t mark_size = sizeof(Token) * 2 + changing_size;

std::size_t big_endian(std::span<const unsigned char> bytes, std::size_t at, std::size_t size) {
  std::size_t number = 0;
  for (std::size_t place = at; place < at + size; ++place) number = number << 8 | bytes[place];
  return number;
}

template <std::size_t size>
std::array<unsigned char, size> taken(std::span<const unsigned char> bytes, std::size_t at) {
  std::array<unsigned char, size> out{};
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size, out.begin());
  return out;
}

// Returns the mark in a page of its table, whose only row it is; nullopt if the page has another form.
std::optional<Mark> mark_in(std::span<const unsigned char> page) {
  constexpr std::size_t row_head = 5;  // sizes of row and head, row number and two types, one byte each
  if (page.size() < 10 || page[0] != leaf_of_table || big_endian(page, 3, 2) != 1) return std::nullopt;
  const std::size_t row = big_endian(page, 8, 2);
  if (row + row_head + mark_size > page.size() || page[row] != mark_size + 3) return std::nullopt;
  const auto bytes = page.subspan(row + row_head, mark_size);
  return Mark{taken<8>(bytes, 0), taken<8>(bytes, 8), taken<changing_size>(bytes, 16)};
}

// Reads the file and its log from the disk, through SQLite's descriptors. Bytes after the end are read as zeros.
class RawFiles {
 public:
  static std::optional<RawFiles> of(SqliteConnection& connection) {
    sqlite3* const database = connection.database().getHandle();
    RawFiles files;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &files.file_);
    sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &files.log_);
    const bool are_there = files.file_ != nullptr && files.file_->pMethods != nullptr && files.log_ != nullptr &&
                           files.log_->pMethods != nullptr;
    if (!are_there) return std::nullopt;
    std::array<unsigned char, log_header_size> header{};
    if (!read(files.log_, header, 0)) return std::nullopt;
    files.page_size_ = big_endian(header, page_size_at, 4);
    return files.page_size_ == 0 ? std::nullopt : std::optional(files);
  }

  std::optional<FileHeader> file_header() const {
    FileHeader header{};
    return read(file_, header, changing_at) ? std::optional(header) : std::nullopt;
  }
  std::vector<unsigned char> page_of_file(std::size_t number) const { return page(file_, (number - 1) * page_size_); }

  // Returns the number of the page in a frame; 0 if it cannot be read. Frames count from 0.
  std::size_t page_number_at(std::size_t frame) const {
    std::array<unsigned char, frame_header_size> header{};
    return read(log_, header, start_of(frame)) ? big_endian(header, 0, 4) : 0;
  }
  std::vector<unsigned char> page_at(std::size_t frame) const {
    return page(log_, start_of(frame) + frame_header_size);
  }

 private:
  std::size_t start_of(std::size_t frame) const { return log_header_size + frame * (frame_header_size + page_size_); }
  std::vector<unsigned char> page(sqlite3_file* file, std::size_t at) const {
    std::vector<unsigned char> bytes(page_size_);
    if (!read(file, bytes, at)) bytes.clear();
    return bytes;
  }
  static bool read(sqlite3_file* file, std::span<unsigned char> out, std::size_t at) {
    const int code =
        file->pMethods->xRead(file, out.data(), static_cast<int>(out.size()), static_cast<sqlite3_int64>(at));
    return code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ;
  }

  sqlite3_file* file_ = nullptr;
  sqlite3_file* log_ = nullptr;
  std::size_t page_size_ = 0;
};

// Marks and headers in the frames of the log.
struct LogStates {
  std::vector<Mark> marks;
  std::vector<FileHeader> headers;  // headers that checkpoints write into the file
};

LogStates states_in(const RawFiles& files, std::size_t frames, std::size_t root) {
  LogStates states;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const std::size_t number = files.page_number_at(frame);
    if (number != 1 && number != root) continue;
    const std::vector<unsigned char> page = files.page_at(frame);
    if (page.empty()) continue;
    if (number == 1) states.headers.push_back(taken<changing_size>(page, changing_at));
    else if (const auto mark = mark_in(page)) states.marks.push_back(*mark);
  }
  return states;
}

// Reports whether the file has the state from which the log began, or one that a checkpoint of the log has made. After
// a power loss each page may be the one before the checkpoint, or that of the log.
bool is_followed_by(const Token& current, const FileHeader& header, const LogStates& log) {
  const bool is_known_header = std::ranges::find(log.headers, header) != log.headers.end() ||
                               std::ranges::find(log.marks, header, &Mark::header) != log.marks.end();
  const bool is_known_mark =
      current == log.marks.front().previous || std::ranges::find(log.marks, current, &Mark::current) != log.marks.end();
  return is_known_header && is_known_mark;
}

std::size_t root_of_marks(SqliteConnection& connection) {
  SQLite::Statement root(connection.database(),
                         "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = 'log_mark'");
  return root.executeStep() ? static_cast<std::size_t>(root.getColumn(0).getInt64()) : 0;
}

Result<void> require_own_log(SqliteConnection& connection, const std::string& file) {
  const std::size_t frames = connection.log_header().page_count();
  if (frames == 0 || connection.log_backlog() == 0) return {};
  const std::optional<RawFiles> files = RawFiles::of(connection);
  const std::size_t root = files ? root_of_marks(connection) : 0;
  if (root == 0) return {};
  const LogStates log = states_in(*files, frames, root);
  const auto header = files->file_header();
  const auto mark = mark_in(files->page_of_file(root));
  if (log.marks.empty() || !header || !mark || is_followed_by(mark->current, *header, log)) return {};
  return make_error(ErrorCode::storage_corrupt,
                    "\"" + file + "-wal\" is not the write-ahead log of \"" + file +
                        "\", which was replaced, as by a backup, without it; to use the file as it is, " + "move \"" +
                        file + "-wal\" and \"" + file +
                        "-shm\" away, and next time put backups back with: orlop restore");
}

}  // namespace

Result<void> SqliteLogMark::write(SqliteConnection& connection) {
  const SqliteLogHeader log = connection.log_header();
  const bool is_marked = log.salts() == salts_;
  if (is_marked && connection.log_backlog() != 0) return {};  // else this commit restarts the log
  std::array<unsigned char, changing_at + changing_size> header{};
  ORLOP_TRY(size, connection.read_file(header));
  (void)size;
  StatementRun mark = connection.run(SqliteQuery::mark_log);
  const std::string changing(reinterpret_cast<const char*>(header.data()) + changing_at, changing_size);
  mark.bytes_or_null(changing).change();
  connection.execute(SqliteQuery::write_first_page);
  return {};
}

void SqliteLogMark::note_committed(const SqliteLogHeader& log) noexcept { salts_ = log.salts(); }

Result<void> require_log_of_file(SqliteConnection& connection, const std::string& file) {
  sqlite3* const database = connection.database().getHandle();
  int* const no_answer = nullptr;
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, no_answer);
  connection.execute(SqliteQuery::begin_read);
  (void)connection.database().execAndGet(
      "SELECT count(*) FROM sqlite_schema");  // the first read opens the log, if there is one
  if (connection.database().execAndGet("PRAGMA journal_mode").getString() == "wal") {
    ORLOP_CHECK(connection.prepare_log_header());
    ORLOP_CHECK(require_own_log(connection, file));
  }
  connection.execute(SqliteQuery::commit);
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, no_answer);
  return {};
}

void renew_log_mark(SQLite::Database& copy) { copy.exec("UPDATE log_mark SET mark = randomblob(36)"); }

}  // namespace orlop
