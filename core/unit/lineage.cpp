#include "unit/lineage.h"

namespace orlop {

Result<bool> Lineage::up() {
  if (at_.parent.is_nil()) return false;
  ORLOP_TRY(above, unit_.record(at_.parent));
  if (!above) return false;
  at_ = *above;
  return true;
}

}  // namespace orlop
