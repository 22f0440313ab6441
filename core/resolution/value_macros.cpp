#include "resolution/value_macros.h"

#include <algorithm>
#include <cstddef>

#include "base/brand.h"
#include "base/text/utf8.h"
#include "resolution/resolve.h"
#include "resolution/resolved_variable.h"

namespace orlop {
namespace {

bool is_macro_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_' || letter == '.';
}

// A name such as my-platform.env.local is not a macro.
bool is_name_letter(char letter) { return is_macro_letter(letter) || letter == '-'; }

std::string shown(std::string_view key) {
  constexpr std::size_t shown_max = 80;
  return key.size() <= shown_max ? std::string(key) : std::string(beginning(key, shown_max)) + "…";
}

std::string escaped(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string written;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      written += '\\';
      written += letter;
    } else if (byte < 0x20) {
      written.append("\\u00").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    } else {
      written += letter;
    }
  }
  return written;
}

class Replacer {
 public:
  using Find = std::function<const std::string*(std::string_view key)>;

  Replacer(ValueSyntax syntax, std::string_view brand, const Find& find)
      : syntax_(syntax),
        mark_(branded(branded_names::variable_macro, brand)),
        built_in_prefix_(branded(branded_names::variable_prefix, brand)),
        find_(find) {}

  Result<ReplacedValue> replace(std::string_view text) {
    ORLOP_CHECK(visit_references(
        text, [this](std::string_view literal) { add_literal(literal); },
        [this](std::string_view key, std::string_view written) { return add_reference(key, written); }));
    if (!outcome_) return outcome_.error();
    return std::move(replaced_);
  }

 private:
  void add_literal(std::string_view literal) {
    while (outcome_) {
      const std::size_t at = find_macro(literal);
      keep(literal.substr(0, at));
      if (at == std::string_view::npos) return;
      literal.remove_prefix(at + mark_.size());
      const auto end = std::ranges::find_if_not(literal, is_macro_letter);
      const std::string_view key = literal.substr(0, static_cast<std::size_t>(end - literal.begin()));
      outcome_ = add_macro(key);
      literal.remove_prefix(key.size());
    }
  }

  std::size_t find_macro(std::string_view literal) const {
    for (std::size_t at = literal.find(mark_); at != std::string_view::npos; at = literal.find(mark_, at + 1)) {
      const bool begins = at == 0 || !is_name_letter(literal[at - 1]);
      const bool has_key = at + mark_.size() < literal.size() && is_macro_letter(literal[at + mark_.size()]);
      if (begins && has_key) return at;
    }
    return std::string_view::npos;
  }

  Result<void> add_macro(std::string_view key) {
    if (key.starts_with(built_in_prefix_)) {
      return make_error(ErrorCode::invalid, "takes the built-in variable " + shown(key) + " by " + mark_ +
                                                ", which takes only other variables: give it an alias");
    }
    const std::string* value = find_(key);
    if (value == nullptr)
      return make_error(ErrorCode::invalid, "takes " + mark_ + shown(key) + ", and the service has no such variable");
    return insert(*value);
  }

  Result<void> add_reference(std::string_view key, std::string_view written) {
    if (!outcome_) return outcome_.error();
    if (const std::string* value = find_(key)) return insert(*value);
    if (key.starts_with(built_in_prefix_)) {
      return make_error(ErrorCode::invalid,
                        "refers to the built-in variable " + shown(key) + ", which the service does not have");
    }
    keep(written);
    const bool is_new = is_key(key) && replaced_.unknown.size() < unknown_references_max &&
                        std::ranges::find(replaced_.unknown, key) == replaced_.unknown.end();
    if (is_new) replaced_.unknown.emplace_back(key);
    return {};
  }

  Result<void> insert(std::string_view value) {
    if (is_in_text_) replaced_.text += escaped(value);
    else replaced_.text += value;
    return replaced_.text.size() <= resolved_size_max
               ? Result<void>()
               : Result<void>(make_error(ErrorCode::invalid, "has more than " + std::to_string(resolved_size_max) +
                                                                 " bytes once its variables are replaced"));
  }

  // Appends the literal, and tracks whether its end is inside a JSON string.
  void keep(std::string_view literal) {
    replaced_.text += literal;
    if (syntax_ != ValueSyntax::json) return;
    for (const char letter : literal) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (letter == '"') {
        is_in_text_ = !is_in_text_;
      } else {
        is_escaped_ = is_in_text_ && letter == '\\';
      }
    }
  }

  ValueSyntax syntax_;
  std::string mark_;  // "platform.env."
  std::string built_in_prefix_;
  const Find& find_;
  ReplacedValue replaced_;
  Result<void> outcome_;
  bool is_in_text_ = false;
  bool is_escaped_ = false;
};

}  // namespace

Result<ReplacedValue> replace_variables(std::string_view text, ValueSyntax syntax, std::string_view brand,
                                        const std::function<const std::string*(std::string_view key)>& find) {
  return Replacer(syntax, brand, find).replace(text);
}

std::string without_variables(std::string_view text, std::string_view brand) {
  static const std::string digit = "0";
  const auto replaced = Replacer(ValueSyntax::plain, brand, [](std::string_view) { return &digit; }).replace(text);
  return replaced ? replaced->text : std::string(text);
}

}  // namespace orlop
