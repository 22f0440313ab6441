#include "deploy/run/steps/step_deadlines.h"

#include <algorithm>

#include "base/sort_unique.h"

namespace orlop {
namespace {

constexpr std::size_t passed_over_min = 64;  // removed entries of a span before it is tidied

}  // namespace

void StepDeadlines::add(Instant at, const Id& step) {
  const Entry entry{at, step};
  const auto found = spans_.find(span_of(at));
  if (found == spans_.end()) {
    spans_.emplace(span_of(at), Span{.entries = {entry}, .count = 1});
    return;
  }
  Span& span = found->second;
  const bool is_last = span.entries.back() < entry;
  span.entries.push_back(entry);
  ++span.count;
  if (is_last) return;
  span.is_sorted = false;
  span.passed = 0;
}

void StepDeadlines::remove(Instant at, const Has& has) {
  const auto span = spans_.find(span_of(at));
  if (span == spans_.end()) return;
  if (--span->second.count == 0) {
    spans_.erase(span);
  } else if (span->second.entries.size() > span->second.count * 2 + passed_over_min) {
    tidy(span->second, has);
  }
}

// Keeps only the entries that count, each once.
void StepDeadlines::tidy(Span& span, const Has& has) {
  std::erase_if(span.entries, [&](const Entry& entry) { return !has(entry.at, entry.step); });
  sort_unique(span.entries);
  span.passed = 0;
  span.is_sorted = true;
}

const StepDeadlines::Entry& StepDeadlines::first_of(Span& span, const Has& has) {
  if (!span.is_sorted) tidy(span, has);
  while (!has(span.entries[span.passed].at, span.entries[span.passed].step)) ++span.passed;
  return span.entries[span.passed];
}

std::optional<Instant> StepDeadlines::first_by(Instant end, const Has& has) {
  if (spans_.empty() || spans_.begin()->first > span_of(end)) return std::nullopt;
  const Instant first = first_of(spans_.begin()->second, has).at;
  return first <= end ? std::optional(first) : std::nullopt;
}

void StepDeadlines::take_due(Instant now, const Has& has, std::vector<Id>& steps) {
  while (first_by(now, has)) {
    Span& span = spans_.begin()->second;
    steps.push_back(span.entries[span.passed++].step);
    if (--span.count == 0) spans_.erase(spans_.begin());
  }
}

}  // namespace orlop
