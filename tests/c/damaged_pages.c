// Damages every page of an SQLite file in turn: opening the store or orlop_check reports it, also for pages that no
// read of a resource uses, such as index pages.
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { page_size = 4096 };

static char folder[] = "/tmp/orlop-pages-XXXXXX";
static char path[64];
static const orlop_text key = {"0123456789abcdef0123456789abcdef", 32};

static orlop_options options_of(orlop_text secret_key) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.simulation = 1;
  options.require_cluster = 0;
  options.storage = text_of(path);
  options.secret_key = secret_key;
  return options;
}

static void make_store(orlop_text secret_key) {
  const orlop_options options = options_of(secret_key);
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  const platform made = create_platform(engine);
  deploy(engine, &made);
  OK(orlop_run_until_idle(engine, NULL));
  OK(orlop_check(engine, 0, NULL));
  OK(orlop_close(engine));
}

static char *read_file(size_t *size) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size);
  CHECK(bytes != NULL && fread(bytes, 1, *size, file) == *size);
  fclose(file);
  return bytes;
}

static void write_file(const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static int is_found(orlop_text secret_key) {
  const orlop_options options = options_of(secret_key);
  orlop_engine *engine = NULL;
  orlop_error *error = orlop_open(&engine, &options);
  if (error == NULL) error = orlop_check(engine, 0, NULL);
  const int found = orlop_error_code(error) == ORLOP_ERROR_STORAGE_CORRUPT;
  CHECK(strchr(orlop_error_message(error), '\n') == NULL);
  orlop_error_free(error);
  OK(orlop_close(engine));
  return found;
}

// Reads the number of free pages from the file header (bytes 36 to 39).
static size_t free_pages(const char *bytes) {
  size_t count = 0;
  for (int place = 36; place < 40; ++place) count = count * 256 + (unsigned char)bytes[place];
  return count;
}

static void each_page(orlop_text secret_key) {
  make_store(secret_key);
  size_t size = 0;
  char *sound = read_file(&size);
  CHECK(size % page_size == 0 && size / page_size > 20);
  size_t unnoticed = 0;
  char *damaged = malloc(size);
  CHECK(damaged != NULL);
  // Page 0 holds the header, without which the file is not an SQLite file.
  for (size_t page = 1; page < size / page_size; ++page) {
    memcpy(damaged, sound, size);
    memset(damaged + page * page_size, 0xA5, page_size);
    write_file(damaged, size);
    if (!is_found(secret_key)) ++unnoticed;
  }
  CHECK(unnoticed <= free_pages(sound));  // the contents of free pages are unused
  free(damaged);
  free(sound);
  CHECK(unlink(path) == 0);
}

static unsigned char *cell_at(char *page, size_t index) {
  const unsigned char *place = (const unsigned char *)page + 8 + 2 * index;
  return (unsigned char *)page + (place[0] * 256 + place[1]);
}

// Reports whether this is the page of the table of leases: a leaf with the rows 0 to 63.
static int holds_leases(char *page) {
  if (page[0] != 0x0D || page[3] != 0 || page[4] != 64) return 0;
  for (size_t index = 0; index < 64; ++index) {
    if (cell_at(page, index)[1] != index) return 0;
  }
  return 1;
}

// Gives a lease another number: a tick fails, and later ticks do not retry forever to acquire a lease that they cannot
// read.
static void lost_lease(unsigned char number) {
  make_store((orlop_text){NULL, 0});
  size_t size = 0;
  char *bytes = read_file(&size);
  int found = 0;
  for (size_t page = 1; page < size / page_size; ++page) {
    if (!holds_leases(bytes + page * page_size)) continue;
    ++found;
    cell_at(bytes + page * page_size, 57)[1] = number;
  }
  CHECK(found == 1);
  write_file(bytes, size);
  free(bytes);
  const orlop_options options = options_of((orlop_text){NULL, 0});
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  FAILS(ORLOP_ERROR_STORAGE_CORRUPT, orlop_tick(engine, NULL));
  OK(orlop_close(engine));
  CHECK(unlink(path) == 0);
}

// Makes a store whose engine has ended in the middle of a deployment.
static void make_abandoned_store(void) {
  const orlop_options options = options_of((orlop_text){NULL, 0});
  orlop_engine *engine = NULL;
  const pid_t child = fork();
  if (child == 0) {
    OK(orlop_open(&engine, &options));
    const platform made = create_platform(engine);
    deploy(engine, &made);
    OK(orlop_tick(engine, NULL));
    _exit(0);
  }
  int status = 1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  OK(orlop_open(&engine, &options));  // moves the write-ahead log into the file
  OK(orlop_close(engine));
}

static size_t cells_of(const char *page) { return (size_t)(unsigned char)page[3] * 256 + (unsigned char)page[4]; }

// Copies a page of one index over a page of another one, such as that of the table of engines: a simulation becomes
// idle, or fails.
static void misplaced_page(void) {
  make_abandoned_store();
  size_t size = 0;
  char *sound = read_file(&size);
  char *damaged = malloc(size);
  CHECK(damaged != NULL);
  for (size_t from = 1; from < size / page_size; ++from) {
    if (sound[from * page_size] != 0x0A || cells_of(sound + from * page_size) == 0) continue;
    for (size_t to = 1; to < size / page_size; ++to) {
      if (sound[to * page_size] != 0x0A || to == from) continue;
      memcpy(damaged, sound, size);
      memcpy(damaged + to * page_size, sound + from * page_size, page_size);
      write_file(damaged, size);
      const orlop_options options = options_of((orlop_text){NULL, 0});
      orlop_engine *engine = NULL;
      orlop_error *error = orlop_open(&engine, &options);
      if (error == NULL) error = orlop_run_until_idle(engine, NULL);
      orlop_error_free(error);
      OK(orlop_close(engine));
    }
  }
  free(damaged);
  free(sound);
  CHECK(unlink(path) == 0);
}

int main(void) {
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/store.db", folder);
  each_page((orlop_text){NULL, 0});
  each_page(key);
  lost_lease(58);  // the number of another lease
  lost_lease(121);
  misplaced_page();
  CHECK(rmdir(folder) == 0);
  return 0;
}
