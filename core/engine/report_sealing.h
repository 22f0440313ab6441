// Reports that wait in the store for another engine: their texts are encrypted like the secrets that a driver may have
// written into them, because only the engine of the step can mask those.
#pragma once

#include <vector>

#include "base/result.h"
#include "deploy/driver/driver.h"
#include "store/coordination.h"
#include "store/sealing/cipher.h"
#include "store/sealing/sealing.h"

namespace orlop {

class ReportSealing {
 public:
  // Without a key texts are stored as they are, as secrets are.
  explicit ReportSealing(const SealingKeys& keys);

  // Errors: those of the AEAD.
  Result<void> seal(InboxReport& report) const;
  // The report as it was left. One that was sealed with a key that is not known has no text, and fails the step where
  // it has outputs that nothing can read any more.
  Report open(const InboxReport& report) const;

 private:
  std::vector<Cipher> ciphers_;  // of the key, then of those before it
};

}  // namespace orlop
