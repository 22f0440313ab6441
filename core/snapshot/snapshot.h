// The contents of a store as text, and back into an empty store.
//
// The text is JSON Lines, for people too: a header, then every record below its parent, each followed by its machine if
// it has one, then the events in their order. What is 0, nil or empty is left out; name keys, which are bytes, are in
// base64. Plain secrets never leave the process: only encrypted ones travel, sealed as they lie in the store
// ("secrets"), or with a key that is given for the snapshot ("encrypted_secrets"; the header has the name of the key).
// Of those that are left out, "missing_secrets" says where they were (model/missing_secret.h).
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

// What becomes of secrets that are not sealed. They are included only in a text that stays in the process.
enum class PlainSecrets : std::uint8_t { left_out, included };

// `taken_at`: the engine's time. `cipher` encrypts all secrets of `store`, which hands them out in plain; nullptr:
// there is none. Errors: storage_*; storage_corrupt if the store holds a body that is no JSON; those of the AEAD.
Result<std::string> take_snapshot(Transaction& store, Instant taken_at, PlainSecrets plain = PlainSecrets::left_out,
                                  const SnapshotCipher* cipher = nullptr);

// The engine's time when the snapshot was taken. Errors: invalid.
Result<Instant> taken_at(std::string_view snapshot);

// How many events the snapshot has, as it says. Errors: invalid.
Result<std::uint64_t> events_in(std::string_view snapshot);

// The one of these keys with which the secrets of the snapshot are encrypted; nullptr: they are not encrypted with a
// key of its own. Errors: invalid; storage_sealed (with another key).
Result<const std::string*> key_of_snapshot(std::string_view snapshot, std::span<const std::string> keys);

// Error conflict: the store holds something.
Result<void> require_empty(Store& store);

// Puts back what the snapshot holds, with the same ids, revisions and numbers, and answers how many secrets were left
// out. `cipher`: of the key of key_of_snapshot(); `store` then seals what it is given. `check` may refuse what was
// restored before it is committed. On an error the store holds what it held before: nothing. Errors: conflict (the
// store is not empty), invalid (which line, and what is wrong with it), storage_*, those of `check`.
Result<std::uint64_t> restore_snapshot(Store& store, std::string_view snapshot,
                                       PlainSecrets plain = PlainSecrets::left_out,
                                       const SnapshotCipher* cipher = nullptr,
                                       const std::function<Result<void>(Transaction&)>& check = {});

}  // namespace orlop
