// A store's file may have any name: no part of it is read as a URI or an option of SQLite.
#include <unistd.h>

#include "check.h"

static orlop_engine *open_store(const char *storage) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.storage = text_of(storage);
  orlop_engine *engine = NULL;
  OK(orlop_open(&engine, &options));
  return engine;
}

static void keeps_what_it_is_given(const char *storage, const char *file) {
  orlop_engine *engine = open_store(storage);
  char id[37];
  create(engine, id, "/organization%s", "", "{\"name\":\"acme\",\"plan\":\"FREE\"}");
  OK(orlop_close(engine));
  engine = open_store(storage);
  orlop_reply *reply = dispatch(engine, "GET", "/organization", "");
  CHECK(strstr(orlop_reply_body(reply).data, id) != NULL);
  orlop_reply_free(reply);
  OK(orlop_close(engine));
  CHECK(unlink(file) == 0);
}

int main(void) {
  char folder[] = "/tmp/orlop-names-XXXXXX";
  CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
  keeps_what_it_is_given("sqlite:file:store.db", "file:store.db");
  keeps_what_it_is_given("sqlite:file:store.db?mode=memory", "file:store.db?mode=memory");
  keeps_what_it_is_given("store.db?mode=ro", "store.db?mode=ro");
  keeps_what_it_is_given("sqlite:a%20b#c\n.db", "a%20b#c\n.db");
  CHECK(chdir("/") == 0 && rmdir(folder) == 0);
  return 0;
}
