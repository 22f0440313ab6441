// A fault that a check of a store has found, and advice on it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace orlop {

struct FoundFault {
  std::string type;            // kind of the faulty object: the name of a family, "event", "lease"
  std::string id;              // id of the resource, or number of the event; empty if all are affected
  std::string fault;           // completes a sentence that begins with "the resource": "has no machine"
  std::string advice;          // a sentence
  bool is_repairable = false;  // a check with --repair corrects it
};

using FaultVisitor = std::function<void(FoundFault&&)>;

// Advice that several checks give.
namespace advice {
inline constexpr std::string_view repair = "A check that repairs puts it right: orlop check --repair.";
inline constexpr std::string_view backup = "Put back a backup: orlop restore.";
// For data that a store derives from its records and events, and rebuilds when a snapshot is imported.
inline constexpr std::string_view rebuild =
    "Import a snapshot into a new store, which makes it anew: orlop snapshot, orlop import.";
inline constexpr std::string_view edit = "Edit or delete the resource, or put back a backup: orlop restore.";
inline constexpr std::string_view secret =
    "Set it again, or import a snapshot that was taken with a key for its secrets: orlop snapshot --secrets-key.";
inline constexpr std::string_view forget =
    "Forget the events up to it, so that no consumer reads on past it, or put back a backup: orlop restore.";
}  // namespace advice

}  // namespace orlop
