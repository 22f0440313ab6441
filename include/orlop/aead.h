// AES-256-GCM of the host, for the secrets that the library encrypts: for hosts with a certified module, and for builds
// of the library without OpenSSL (ORLOP_SQLITE=OFF).
//
// It is the option `aead`. The library still manages keys, nonces and the stored format. Every implementation of
// AES-256-GCM, also OpenSSL's, can decrypt the secrets of another one.
//
// Both functions are called from any thread, concurrently, and with locks held: they must return soon and call no
// function of this engine. Texts are bytes, valid until the function returns, and may be keys and secrets: copies of
// them must be erased.
#ifndef ORLOP_AEAD_H
#define ORLOP_AEAD_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ORLOP_AEAD_KEY_SIZE 32
#define ORLOP_AEAD_NONCE_SIZE 12
#define ORLOP_AEAD_TAG_SIZE 16

typedef struct orlop_aead_parameters {
  size_t size;
  orlop_text key;    // ORLOP_AEAD_KEY_SIZE bytes
  orlop_text nonce;  // ORLOP_AEAD_NONCE_SIZE bytes; never used twice with one key
  orlop_text data;   // additional authenticated data: authenticated, not encrypted
} orlop_aead_parameters;

typedef struct orlop_aead {
  size_t size;    // sizeof(orlop_aead)
  void *context;  // argument of each function
  // Encrypts `text`: writes text.size bytes of ciphertext and then ORLOP_AEAD_TAG_SIZE bytes of tag to `sealed`.
  // Returns NULL, or an error, with which the operation that needs the secret fails.
  orlop_error *(*encrypt)(void *context, const orlop_aead_parameters *parameters, orlop_text text,
                          unsigned char *sealed);
  // Decrypts `sealed`, a ciphertext followed by its tag: writes sealed.size - ORLOP_AEAD_TAG_SIZE bytes to `text`.
  // Returns NULL, or an error if the tag is wrong or the function failed; the library then erases `text` and logs the
  // error as a warning.
  orlop_error *(*decrypt)(void *context, const orlop_aead_parameters *parameters, orlop_text sealed,
                          unsigned char *text);
  // called once, when the engine no longer exists; not if orlop_open failed; may be NULL
  void (*release)(void *context);
} orlop_aead;

#define ORLOP_AEAD_INIT \
  { sizeof(orlop_aead), NULL, NULL, NULL, NULL }

#ifdef __cplusplus
}
#endif

#endif
