// The part of a step's configuration that changes what runs: a release keeps it, and its digest identifies it.
#pragma once

#include <string>

#include "model/value.h"

namespace orlop {

// Removes what does not change what runs: times, revisions, descriptions and icons, what deployments write back, the
// stage, the commit that a request asks for, and the records above the subject (`variables` and `references` have what
// depends on them).
Value released_part(Value configuration);

// Removes what follows from the deployment itself: host and port of a database, and built-in variables of the service.
// They must not tell a deployment from the next one.
Value without_own_addresses(Value released);

// Returns "sha256:" and 64 hexadecimal digits: the SHA-256 of canonical_json() of a released_part(). The same
// configuration has the same digest in every process, store and build.
std::string digest_of(const Value& released);

// Returns JSON text without spaces, with the members of each object ascending by the bytes of their names.
std::string canonical_json(const Value& value);

}  // namespace orlop
