// An AEAD for tests, without any protection: it mixes bytes, and can be made to fail.
#ifndef ORLOP_TESTS_TOY_AEAD_H
#define ORLOP_TESTS_TOY_AEAD_H

#include "check.h"
#include "orlop/aead.h"

typedef struct toy_aead {
  int encrypted, decrypted, released;
  int fails_to_encrypt, fails_to_decrypt;
  orlop_engine *engine;  // not NULL: encrypt() tries to call this engine and is refused
} toy_aead;

static inline uint64_t toy_mix(uint64_t state, orlop_text text) {
  for (size_t at = 0; at < text.size; ++at) state = (state ^ (unsigned char)text.data[at]) * UINT64_C(1099511628211);
  return state;
}

static inline uint64_t toy_start(const orlop_aead_parameters *parameters) {
  CHECK(parameters->size == sizeof *parameters);
  CHECK(parameters->key.size == ORLOP_AEAD_KEY_SIZE && parameters->nonce.size == ORLOP_AEAD_NONCE_SIZE);
  return toy_mix(toy_mix(UINT64_C(14695981039346656037), parameters->key), parameters->nonce);
}

static inline void toy_stream(uint64_t state, orlop_text text, unsigned char *out) {
  for (size_t at = 0; at < text.size; ++at) {
    state = state * UINT64_C(6364136223846793005) + 1;
    out[at] = (unsigned char)((unsigned char)text.data[at] ^ (state >> 56));
  }
}

static inline void toy_tag(const orlop_aead_parameters *parameters, const unsigned char *sealed, size_t size,
                           unsigned char tag[ORLOP_AEAD_TAG_SIZE]) {
  const orlop_text bytes = {(const char *)sealed, size};
  uint64_t state = toy_mix(toy_mix(toy_start(parameters), parameters->data), bytes);
  for (int at = 0; at < ORLOP_AEAD_TAG_SIZE; ++at, state = state * UINT64_C(6364136223846793005) + 1)
    tag[at] = (unsigned char)(state >> 56);
}

static inline orlop_error *toy_encrypt(void *context, const orlop_aead_parameters *parameters, orlop_text text,
                                       unsigned char *sealed) {
  toy_aead *aead = (toy_aead *)context;
  ++aead->encrypted;
  if (aead->fails_to_encrypt) return orlop_error_new(ORLOP_ERROR_EXTERNAL_FAILED, ORLOP_TEXT("the module is locked"));
  if (aead->engine != NULL) {
    int64_t next = 0;
    FAILS(ORLOP_ERROR_MISUSE, orlop_tick(aead->engine, &next));
  }
  toy_stream(toy_start(parameters), text, sealed);
  toy_tag(parameters, sealed, text.size, sealed + text.size);
  return NULL;
}

static inline orlop_error *toy_decrypt(void *context, const orlop_aead_parameters *parameters, orlop_text sealed,
                                       unsigned char *text) {
  toy_aead *aead = (toy_aead *)context;
  ++aead->decrypted;
  unsigned char tag[ORLOP_AEAD_TAG_SIZE];
  const orlop_text encrypted = {sealed.data, sealed.size - sizeof tag};
  toy_stream(toy_start(parameters), encrypted, text);
  toy_tag(parameters, (const unsigned char *)sealed.data, encrypted.size, tag);
  if (!aead->fails_to_decrypt && memcmp(tag, sealed.data + encrypted.size, sizeof tag) == 0) return NULL;
  return orlop_error_new(ORLOP_ERROR_INVALID, ORLOP_TEXT("the tag does not fit"));
}

static inline void toy_release(void *context) { ++((toy_aead *)context)->released; }

static inline orlop_aead aead_of(toy_aead *toy) {
  orlop_aead aead = ORLOP_AEAD_INIT;
  aead.context = toy;
  aead.encrypt = toy_encrypt;
  aead.decrypt = toy_decrypt;
  aead.release = toy_release;
  return aead;
}

#endif
