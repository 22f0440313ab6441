// AES-256-GCM of a host, for the secrets that the library encrypts: a host may have a certified module, or a library
// without OpenSSL (ORLOP_SQLITE=OFF).
//
// It is the option `aead`. Everything else of the encryption stays with the library: which key is used for what,
// nonces, and the form of what is stored. What one implementation of AES-256-GCM has encrypted, every other one can
// read, OpenSSL's among them.
//
// Both functions are called from any thread, several at once, and with locks held: they return soon, and call no
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
  orlop_text nonce;  // ORLOP_AEAD_NONCE_SIZE bytes; the library uses none twice with one key
  orlop_text data;   // authenticated, and not encrypted ("additional authenticated data")
} orlop_aead_parameters;

typedef struct orlop_aead {
  size_t size;    // sizeof(orlop_aead)
  void *context;  // given to each function
  // Writes the ciphertext, of text.size bytes, and behind it the tag of ORLOP_AEAD_TAG_SIZE bytes to `sealed`. NULL:
  // done. What needed the secret fails with an error that is returned.
  orlop_error *(*encrypt)(void *context, const orlop_aead_parameters *parameters, orlop_text text,
                          unsigned char *sealed);
  // Writes the text of a ciphertext with its tag to `text`, which has room for sealed.size - ORLOP_AEAD_TAG_SIZE bytes.
  // NULL: done. An error: the tag does not fit, or the function failed; what it has written is erased, and the error is
  // written to the log as a warning.
  orlop_error *(*decrypt)(void *context, const orlop_aead_parameters *parameters, orlop_text sealed,
                          unsigned char *text);
  void (*release)(void *context);  // called once, when the engine is gone; not if orlop_open failed; may be NULL
} orlop_aead;

#define ORLOP_AEAD_INIT \
  { sizeof(orlop_aead), NULL, NULL, NULL, NULL }

#ifdef __cplusplus
}
#endif

#endif
