// Sealing of reports that wait in the store for another engine. Their texts are encrypted like secrets, because a
// driver may have written secrets into them that only the engine of the step can mask.
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
  // Without a key, texts are stored unencrypted, as secrets are.
  explicit ReportSealing(const SealingKeys& keys);

  // Errors: as the AEAD.
  Result<void> seal(InboxReport& report) const;
  // Returns the report as it was sealed. If its key is unknown, the report has a substitute text, and a success becomes
  // a failure because the outputs are lost.
  Report open(const InboxReport& report) const;

 private:
  std::vector<Cipher> ciphers_;  // of the current key, then of the previous ones
};

}  // namespace orlop
