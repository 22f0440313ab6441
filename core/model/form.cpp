#include "model/form.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace orlop {
namespace {

bool is_letter(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'); }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

struct CronField {
  int minimum;
  int maximum;
  std::string_view names;  // three letters each, from the minimum on
};

constexpr std::array<CronField, 5> cron_fields = {{
    {0, 59, ""},
    {0, 23, ""},
    {1, 31, ""},
    {1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
    {0, 7, "sunmontuewedthufrisatsun"},
}};

int cron_number(std::string_view text, const CronField& field) {
  int number = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return number;
  if (text.size() != 3) return -1;
  const std::size_t at = field.names.find(lower_case(text));
  return at == std::string_view::npos || at % 3 != 0 ? -1 : field.minimum + static_cast<int>(at / 3);
}

// "*", "5", "1-5", "*/10", "1-30/2"
bool is_cron_part(std::string_view part, const CronField& field) {
  if (const std::size_t slash = part.find('/'); slash != std::string_view::npos) {
    int step = 0;
    const std::string_view text = part.substr(slash + 1);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), step);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || step < 1) return false;
    part = part.substr(0, slash);
  }
  if (part == "*") return true;
  const std::size_t dash = part.find('-');
  const int first = cron_number(part.substr(0, dash), field);
  const int last = dash == std::string_view::npos ? first : cron_number(part.substr(dash + 1), field);
  return first >= field.minimum && last <= field.maximum && first <= last;
}

bool is_cron_field(std::string_view text, const CronField& field) {
  while (true) {
    const std::size_t comma = text.find(',');
    if (!is_cron_part(text.substr(0, comma), field)) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

// Reads "<digits><letter>" pairs whose letters come in the given order; false if anything else is there.
bool is_duration_part(std::string_view text, std::string_view letters) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = at;
    while (at < text.size() && (is_digit(text[at]) || text[at] == '.')) ++at;
    if (at == start || at == text.size()) return false;
    const std::size_t unit = letters.find(text[at++]);
    if (unit == std::string_view::npos) return false;
    letters.remove_prefix(unit + 1);
  }
  return true;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

bool is_absolute_uri(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size() || !is_letter(text[0])) return false;
  const auto is_scheme = [](char letter) {
    return is_letter(letter) || is_digit(letter) || letter == '+' || letter == '-' || letter == '.';
  };
  const auto is_visible = [](char letter) { return static_cast<unsigned char>(letter) > 0x20 && letter != 0x7F; };
  return std::ranges::all_of(text.substr(0, colon), is_scheme) && std::ranges::all_of(text.substr(colon), is_visible);
}

bool is_cron(std::string_view text) {
  for (std::size_t place = 0; place < cron_fields.size(); ++place) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end == 0 || !is_cron_field(text.substr(0, end), cron_fields[place])) return false;
    text.remove_prefix(end);
  }
  return std::ranges::all_of(text, [](char letter) { return letter == ' '; });
}

bool is_duration(std::string_view text) {
  if (text.size() < 2 || text[0] != 'P') return false;
  text.remove_prefix(1);
  const std::size_t time = text.find('T');
  if (time == std::string_view::npos) return is_duration_part(text, "YMWD");
  return time + 1 < text.size() && is_duration_part(text.substr(0, time), "YMWD") &&
         is_duration_part(text.substr(time + 1), "HMS");
}

}  // namespace orlop
