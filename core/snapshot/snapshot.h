// Writes the contents of a store as text and restores them into an empty store.
//
// The text is JSON Lines, readable for people: a header, then every record below its parent, each followed by its
// machine if it has one, then the events in their order. Members that are 0, nil or empty are omitted; name keys, which
// are bytes, are in base64. Plain secrets never leave the process: a snapshot holds only encrypted ones, sealed as in
// the store ("secrets") or with a key for the snapshot ("encrypted_secrets"; the header names the key).
// "missing_secrets" lists the members of secrets that were left out (model/missing_secret.h).
//
//   {"orlop_snapshot":2,"taken_at":"2026-01-01T00:00:00.000Z","records":2,"machines":1,"events":5,"secrets_left_out":1}
//   {"record":{"id":"…","family":"organization","organization":"…",…,"name_key":"AAE…","body":{"name":"acme",…}}}
//   {"machine":{"id":"…","family":"container","owner":"…","revision":7,"state":9,…}}
//   {"event":{"sequence":1,"at":"2026-01-01T00:00:00.000Z","kind":1,…}}
//
// A simulation adds a line {"simulation":{…}} (sim/simulator.h), which an engine ignores.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/result.h"
#include "store/store.h"

namespace orlop {

class SnapshotCipher;  // snapshot/encrypted_secrets.h

inline constexpr std::int64_t snapshot_version = 2;

// Treatment of secrets that are not sealed. They are included only in a text that stays in the process.
enum class PlainSecrets : std::uint8_t { left_out, included };

// `taken_at`: the engine's time. `cipher` encrypts all secrets, which `store` then returns in plain; null: none.
// Errors: storage_*; storage_corrupt if the store holds a body that is not JSON; those of the AEAD.
Result<std::string> take_snapshot(Transaction& store, Instant taken_at, PlainSecrets plain = PlainSecrets::left_out,
                                  const SnapshotCipher* cipher = nullptr);

// Returns the engine's time when the snapshot was taken. Errors: invalid.
Result<Instant> taken_at(std::string_view snapshot);

// Returns the number of events according to the header. Errors: invalid.
Result<std::uint64_t> events_in(std::string_view snapshot);

// Returns the key among `keys` that encrypts the secrets of the snapshot; null if no key for snapshots does. Errors:
// invalid; storage_sealed (another key does).
Result<const std::string*> key_of_snapshot(std::string_view snapshot, std::span<const std::string> keys);

// Error conflict if the store is not empty.
Result<void> require_empty(Store& store);

// Restores the snapshot with the same ids, revisions and numbers, and returns the number of secrets that were left out.
// `cipher`: made with the key of key_of_snapshot(); `store` then seals the secrets. `check` may refuse the restored
// contents before the commit. After an error the store is empty as before. Errors: conflict (the store is not empty),
// invalid (names the line and its fault), storage_*, those of `check`.
Result<std::uint64_t> restore_snapshot(Store& store, std::string_view snapshot,
                                       PlainSecrets plain = PlainSecrets::left_out,
                                       const SnapshotCipher* cipher = nullptr,
                                       const std::function<Result<void>(Transaction&)>& check = {});

}  // namespace orlop
