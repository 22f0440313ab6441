#include "store/sealing/cipher.h"

namespace orlop {

Aead* built_in_aead() { return nullptr; }

}  // namespace orlop
