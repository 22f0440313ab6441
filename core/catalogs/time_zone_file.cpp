#include "catalogs/time_zone_file.h"

#include <algorithm>
#include <cstddef>

#include "catalogs/posix_zone.h"

namespace orlop {
namespace {

constexpr std::string_view magic = "TZif";

// Reads big-endian numbers from the front of a file.
class FileReader {
 public:
  explicit FileReader(std::string_view contents) : rest_(contents) {}

  bool has_failed() const { return has_failed_; }
  std::string_view rest() const { return rest_; }

  std::string_view take(std::size_t size) {
    if (size > rest_.size()) {
      has_failed_ = true;
      size = rest_.size();
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::int64_t number(std::size_t size) {
    std::uint64_t value = 0;
    const std::string_view bytes = take(size);
    for (const char byte : bytes) value = value << 8U | static_cast<unsigned char>(byte);
    const std::size_t unused = 64 - 8 * size;
    return static_cast<std::int64_t>(value << unused) >> unused;
  }

 private:
  std::string_view rest_;
  bool has_failed_ = false;
};

struct Header {
  char version = 0;
  std::size_t ut_indicators = 0;
  std::size_t standard_indicators = 0;
  std::size_t leap_seconds = 0;
  std::size_t changes = 0;
  std::size_t types = 0;
  std::size_t letters = 0;

  std::size_t size(std::size_t time_size) const {
    return changes * (time_size + 1) + types * 6 + letters + leap_seconds * (time_size + 4) + standard_indicators +
           ut_indicators;
  }
};

std::optional<Header> take_header(FileReader& file) {
  Header header;
  if (file.take(magic.size()) != magic) return std::nullopt;
  const std::string_view version = file.take(1);
  header.version = version.empty() ? '\0' : version.front();
  (void)file.take(15);
  for (std::size_t* count : {&header.ut_indicators, &header.standard_indicators, &header.leap_seconds, &header.changes,
                             &header.types, &header.letters}) {
    constexpr std::int64_t count_max = 100'000;
    const std::int64_t given = file.number(4);
    if (given < 0 || given > count_max) return std::nullopt;
    *count = static_cast<std::size_t>(given);
  }
  return file.has_failed() ? std::nullopt : std::optional(header);
}

// Reads the table of changes. Returns false if it is damaged.
bool take_changes(FileReader& file, const Header& header, ZoneFile& zone) {
  zone.changes.resize(header.changes);
  for (ZoneChange& change : zone.changes) change.seconds = file.number(8);
  const std::string_view types = file.take(header.changes);
  std::vector<std::int32_t> offsets(header.types);
  for (std::int32_t& offset : offsets) {
    constexpr std::int32_t offset_max = 26 * 3600;
    offset = static_cast<std::int32_t>(file.number(4));
    (void)file.take(2);
    if (offset < -offset_max || offset > offset_max) return false;
  }
  if (file.has_failed() || offsets.empty()) return false;
  for (std::size_t at = 0; at < zone.changes.size(); ++at) {
    const auto type = static_cast<unsigned char>(types[at]);
    if (type >= offsets.size()) return false;
    zone.changes[at].offset = offsets[type];
  }
  zone.first_offset = offsets.front();
  return std::ranges::is_sorted(zone.changes, {}, &ZoneChange::seconds);
}

}  // namespace

bool is_zone_file(std::string_view contents) { return contents.starts_with(magic); }

std::optional<ZoneFile> read_zone_file(std::string_view contents) {
  FileReader file(contents);
  const auto old = take_header(file);
  if (!old || old->version < '2') return std::nullopt;
  (void)file.take(old->size(4));
  const auto header = take_header(file);
  if (!header || header->leap_seconds != 0 || header->size(8) > file.rest().size()) return std::nullopt;
  ZoneFile zone;
  if (!take_changes(file, *header, zone)) return std::nullopt;
  (void)file.take(header->letters + header->standard_indicators + header->ut_indicators);
  const std::string_view footer = file.rest();
  const std::size_t end = footer.find('\n', 1);
  if (!footer.starts_with('\n') || end == std::string_view::npos) return std::nullopt;
  zone.rule = footer.substr(1, end - 1);
  if (!zone.rule.empty() && !offset_by_rule(zone.rule, Instant{})) return std::nullopt;
  return zone;
}

}  // namespace orlop
