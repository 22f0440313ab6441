// Secrets encrypted by the AEAD of a host: in a snapshot, which every engine with key and AEAD can read, and in the
// store in memory.
#include "toy_aead.h"

static char log_text[256];
static void write_down(void *context, orlop_log_level level, orlop_text message) {
  (void)context, (void)level;
  snprintf(log_text, sizeof log_text, "%s", message.data);
}

static const orlop_text key = {"0123456789abcdef0123456789abcdef", 32};
static const orlop_text other_key = {"fedcba9876543210fedcba9876543210", 32};
static const char secret[] = "correct horse battery staple";

// Opens an engine in memory, sealed with `key`, whose organization has a secret.
static orlop_engine *open_sealed(const orlop_aead *aead, orlop_text snapshot, orlop_text secrets_key) {
  static orlop_log log = ORLOP_LOG_INIT;
  log.write = write_down;
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.log = &log;
  options.require_cluster = 0;
  options.secret_key = key;
  options.aead = aead;
  options.snapshot = snapshot;
  options.secrets_key = secrets_key;
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  return engine;
}

static void add_secret(orlop_engine *engine, const platform *made) {
  char id[37], body[160];
  snprintf(body, sizeof body, "{\"key\":\"PASSWORD\",\"value\":\"%s\"}", secret);
  create(engine, id, "/environment/%s/secret", made->environment, body);
}

static void structs_are_checked(void) {
  toy_aead toy = {0};
  orlop_aead aead = aead_of(&toy);
  orlop_options options = ORLOP_OPTIONS_INIT;
  orlop_engine *engine = NULL;
  OK(orlop_options_set_port(&options, "aead", &aead));
  CHECK(options.aead == &aead);
  aead.decrypt = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  aead = aead_of(&toy);
  aead.encrypt = NULL;
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  aead = aead_of(&toy);
  aead.size = offsetof(orlop_aead, decrypt);
  FAILS(ORLOP_ERROR_MISUSE, orlop_open(&engine, &options));
  CHECK(toy.released == 0);
  aead = aead_of(&toy);
  OK(orlop_open(&engine, &options));
  OK(orlop_close(engine));
  CHECK(toy.released == 1 && toy.encrypted == 0);
}

static void secrets_are_encrypted_by_the_host(void) {
  toy_aead toy = {0};
  const orlop_aead aead = aead_of(&toy);
  orlop_engine *engine = open_sealed(&aead, (orlop_text){NULL, 0}, (orlop_text){NULL, 0});
  const platform made = create_platform(engine);
  toy.engine = engine;
  add_secret(engine, &made);
  toy.engine = NULL;
  CHECK(toy.encrypted >= 2);

  // A snapshot as stored, and one with another key: neither shows the secret, both are read with the AEAD.
  orlop_buffer *stored = NULL, *keyed = NULL;
  OK(orlop_snapshot(&stored, engine));
  OK(orlop_snapshot_with_secrets(&keyed, engine, other_key));
  const orlop_text texts[] = {orlop_buffer_text(stored), orlop_buffer_text(keyed)};
  for (int at = 0; at < 2; ++at) {
    CHECK(strstr(texts[at].data, secret) == NULL);
    toy_aead second = {0};
    const orlop_aead again = aead_of(&second);
    orlop_engine *opened = open_sealed(&again, texts[at], at == 0 ? (orlop_text){NULL, 0} : other_key);
    orlop_buffer *copy = NULL;
    OK(orlop_snapshot_with_secrets(&copy, opened, other_key));
    CHECK(strstr(orlop_buffer_text(copy).data, "encrypted_secrets") != NULL && second.decrypted > 0);
    orlop_buffer_free(copy);
    OK(orlop_close(opened));
    CHECK(second.released == 1);
  }

  // A failure of the AEAD is reported.
  toy.fails_to_encrypt = 1;
  orlop_buffer *none = NULL;
  FAILS(ORLOP_ERROR_EXTERNAL_FAILED, orlop_snapshot_with_secrets(&none, engine, key));
  CHECK(none == NULL);
  orlop_buffer_free(stored);
  orlop_buffer_free(keyed);
  OK(orlop_close(engine));
  CHECK(toy.released == 1);
}

static void a_tag_that_does_not_fit_is_logged(void) {
  toy_aead toy = {0};
  const orlop_aead aead = aead_of(&toy);
  orlop_engine *engine = open_sealed(&aead, (orlop_text){NULL, 0}, (orlop_text){NULL, 0});
  const platform made = create_platform(engine);
  add_secret(engine, &made);
  orlop_buffer *stored = NULL;
  OK(orlop_snapshot(&stored, engine));
  OK(orlop_close(engine));
  toy.fails_to_decrypt = 1;
  orlop_options options = ORLOP_OPTIONS_INIT;
  orlop_log log = ORLOP_LOG_INIT;
  log.write = write_down;
  options.log = &log;
  options.secret_key = key;
  options.aead = &aead;
  options.snapshot = orlop_buffer_text(stored);
  log_text[0] = 0;
  OK(orlop_open(&engine, &options));
  FAILS(ORLOP_ERROR_STORAGE_CORRUPT, orlop_snapshot_with_secrets(&(orlop_buffer *){NULL}, engine, other_key));
  CHECK(strcmp(log_text, "the aead failed: the tag does not fit") == 0);
  OK(orlop_close(engine));
  orlop_buffer_free(stored);
}

int main(void) {
  structs_are_checked();
  secrets_are_encrypted_by_the_host();
  a_tag_that_does_not_fit_is_logged();
  return 0;
}
