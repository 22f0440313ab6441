// Checks the values of single options.
#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/options/billing_terms.h"
#include "base/text/net_address.h"
#include "base/text/target.h"
#include "base/text/utf8.h"
#include "guard.h"
#include "options/options.h"
#include "store/sealing/cipher.h"

namespace orlop::c {
namespace {

constexpr std::size_t version_size_max = 64;
constexpr std::size_t shown_max = 64;

bool is_time(const Option& option) { return option.kind == OptionKind::duration || option.kind == OptionKind::instant; }

// Returns the name of the member of orlop_options, for messages.
std::string member(const Option& option) {
  return "options." + std::string(option.name) + (is_time(option) ? "_ms" : "");
}

std::string quoted(std::string_view text) { return "\"" + std::string(text.substr(0, shown_max)) + "\""; }

template <typename Number>
Result<void> check_number(Number given, const Option& option) {
  const bool is_high = std::is_signed_v<Number>
                           ? static_cast<std::int64_t>(given) > option.most
                           : static_cast<std::uint64_t>(given) > static_cast<std::uint64_t>(option.most);
  if (is_high || static_cast<std::int64_t>(given) < option.least) return out_of_bounds(option, std::to_string(given));
  return {};
}

Result<void> check_entry(std::string_view entry, const Option& option) {
  if (option.name == "webhook_allow" && !is_allow_entry(entry)) {
    return misuse(member(option) + " must hold names of hosts, addresses and ranges like 10.0.0.0/8, not " +
                  quoted(entry));
  }
  if (option.name == "platform_ips" && !parse_range(entry)) {
    return misuse(member(option) + " must hold IP addresses and ranges like 10.0.0.0/8, not " + quoted(entry));
  }
  if (option.name == "billing") {
    BillingTerms terms;
    if (const auto read = read_billing_entry(entry, terms); !read)
      return misuse("the entry " + std::string(read.error().message) + " in " + member(option));
  }
  if (option.name == "kubernetes_versions" && (entry.empty() || entry.size() > version_size_max || !is_utf8(entry))) {
    return misuse("a version of " + member(option) + " must have 1 to 64 bytes of UTF-8, not " + quoted(entry));
  }
  return {};
}

Result<void> read_entries(std::string_view text, std::vector<std::string>& entries, const Option& option) {
  if (text.empty()) return {};
  for (bool is_last = false; !is_last;) {
    const std::size_t end = text.find(',');
    is_last = end == std::string_view::npos;
    std::string_view entry = text.substr(0, end);
    text.remove_prefix(is_last ? text.size() : end + 1);
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    ORLOP_CHECK(check_entry(entry, option));
    const bool is_unique = option.name != "kubernetes_versions" || std::ranges::find(entries, entry) == entries.end();
    if (!is_unique) return misuse(member(option) + " names " + quoted(entry) + " twice");
    if (entries.size() == static_cast<std::size_t>(option.most))
      return misuse(member(option) + " must have " + allowed_text(option));
    entries.emplace_back(entry);
  }
  return {};
}

Result<void> read_keys(std::string_view text, std::vector<std::string>& keys, const Option& option) {
  if (text.size() % Cipher::key_size != 0 || text.size() / Cipher::key_size > static_cast<std::size_t>(option.most)) {
    return misuse(member(option) + " must be " + allowed_text(option) + " of " + std::to_string(Cipher::key_size) +
                  " bytes, one after the other; not " + std::to_string(text.size()) + " bytes");
  }
  for (; !text.empty(); text.remove_prefix(Cipher::key_size)) keys.emplace_back(text.substr(0, Cipher::key_size));
  return {};
}

}  // namespace

Error out_of_bounds(const Option& option, const std::string& given) {
  const std::string allowed =
      is_time(option) ? std::to_string(option.least) + " to " + std::to_string(option.most) : allowed_text(option);
  return misuse(member(option) + " must be " + allowed + ", not " + given);
}

Result<void> read_option(orlop_text given, std::string& value, const Option& option) {
  ORLOP_CHECK(check_text(given, member(option).c_str()));
  const std::string_view text = view_of(given);
  if (option.kind == OptionKind::key && given.data != nullptr && text.size() != Cipher::key_size) {
    return misuse(member(option) + " must have " + allowed_text(option) + ", not " + std::to_string(text.size()));
  }
  if (option.kind == OptionKind::folder && given.data != nullptr && text.empty())
    return misuse(member(option) + " must not be empty; leave it at its default where there is none");
  if (option.kind == OptionKind::path && text.find('\0') != std::string_view::npos)
    return misuse(member(option) + " holds a zero byte");
  if (option.kind == OptionKind::text && !is_utf8(text))
    return misuse(member(option) + " must be UTF-8, not " + quoted(text));
  const bool is_name = option.kind == OptionKind::name;
  if (is_name && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos)
    return out_of_bounds(option, quoted(text));
  if (option.kind != OptionKind::key &&
      (text.size() > static_cast<std::size_t>(option.most) || text.size() < static_cast<std::size_t>(option.least))) {
    return out_of_bounds(option, quoted(text));
  }
  value = text;
  return {};
}

Result<void> read_option(orlop_text given, std::string_view& value, const Option& option) {
  ORLOP_CHECK(check_text(given, member(option).c_str()));
  value = view_of(given);
  if (given.data == nullptr || given.size != 0) return {};
  return misuse(member(option) + " must not be empty; leave it at its default where there is none");
}

Result<void> read_option(orlop_text given, std::vector<std::string>& value, const Option& option) {
  ORLOP_CHECK(check_text(given, member(option).c_str()));
  return option.kind == OptionKind::keys ? read_keys(view_of(given), value, option)
                                         : read_entries(view_of(given), value, option);
}

Result<void> read_option(std::uint32_t given, std::uint32_t& value, const Option& option) {
  value = given;
  return check_number(given, option);
}

Result<void> read_option(std::uint32_t given, std::optional<std::uint32_t>& value, const Option& option) {
  if (given == UINT32_MAX) return {};
  value = given;
  return check_number(given, option);
}

Result<void> read_option(std::uint64_t given, std::uint64_t& value, const Option& option) {
  value = given;
  return check_number(given, option);
}

Result<void> read_option(std::uint64_t given, std::optional<std::uint64_t>& value, const Option&) {
  value = given;
  return {};
}

Result<void> read_option(std::int32_t given, bool& value, const Option&) {
  value = given != 0;
  return {};
}

Result<void> read_option(std::int64_t given, Duration& value, const Option& option) {
  value = {given};
  return check_number(given, option);
}

Result<void> read_option(std::int64_t given, Instant& value, const Option& option) {
  value = {given};
  return check_number(given, option);
}

Result<void> check_choice(std::int32_t given, const Option& option) {
  if (given >= 0 && given <= option.most) return {};
  return misuse(member(option) + " must be 0 to " + std::to_string(option.most) + " (" + allowed_text(option) +
                "), not " + std::to_string(given));
}

}  // namespace orlop::c
