#include "base/error.h"

namespace orlop {

std::string_view name_of(ErrorCode code) {
  switch (code) {
#define ORLOP_ERROR(name, number, meaning) \
  case ErrorCode::name:                    \
    return #name;
#include "base/error.def"
#undef ORLOP_ERROR
  }
  return "internal";
}

}  // namespace orlop
