// Statements of the store. Every connection sends the same texts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orlop::postgresql {

enum class Statement {
#define ORLOP_STATEMENT(name, text) name,
#include "server/statements.def"
#undef ORLOP_STATEMENT
};

inline constexpr std::size_t statement_count = 0
#define ORLOP_STATEMENT(name, text) +1
#include "server/statements.def"
#undef ORLOP_STATEMENT
    ;

// Returns the name under which the statement is prepared.
const char* name_of(Statement statement);

// Returns the text of each statement; `prefix` is the quoted schema and a dot.
std::vector<std::string> texts_of_statements(const std::string& prefix);

// Returns the text in quotes.
std::string literal(const std::string& text);

// Returns `text` with each @ replaced by the prefix.
std::string with_prefix(const std::string& text, const std::string& prefix);

}  // namespace orlop::postgresql
