#include "unit/record_event.h"

#include <utility>

namespace orlop {

void emit_about(Unit& unit, const Record& record, EventKind kind, std::uint64_t revision, std::string detail) {
  Event event;
  event.kind = kind;
  event.family = record.family;
  event.subject = record.id;
  event.owner = record.parent;
  event.organization = record.organization;
  event.revision = revision;
  event.detail = std::move(detail);
  unit.emit(std::move(event));
}

void emit_edited(Unit& unit, const Record& record, std::string detail) {
  emit_about(unit, record, EventKind::edited, record.revision + 1, std::move(detail));
}

}  // namespace orlop
