// Addresses in the outputs of a step that has deployed or restarted a service.
#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Returns why the addresses are invalid, as one sentence; empty if they are valid or there are none.
std::string addresses_refusal(std::string_view outputs);

// Stores the addresses in the record of the service, and those of a database as its host and port. Marks the services
// that use them OUT_OF_DATE if they have changed. Outputs without addresses leave them as they are.
Result<void> store_addresses(Unit& unit, const Id& service, std::string_view outputs);

// Returns the digest of the image in the outputs; empty if there is none.
std::string image_digest_in(std::string_view outputs);

}  // namespace orlop
