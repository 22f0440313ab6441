// Keeps a platform in PostgreSQL over the connection pool of the program.
#include <libpq-fe.h>
#include <orlop/orlop.h>
#include <orlop/postgresql.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kept = 8 };

struct pool {
  const char *server;
  pthread_mutex_t mutex;  // several threads acquire at once
  PGconn *idle[kept];
  int count;
};

// Returns an idle connection, or a new one. A connection that fails to open is returned as well: its message is the
// reason of the error.
static PGconn *acquire(void *context, int64_t timeout_ms) {
  struct pool *pool = context;
  (void)timeout_ms;  // a pool with a bound waits this long for another thread, and returns NULL then
  pthread_mutex_lock(&pool->mutex);
  PGconn *connection = pool->count > 0 ? pool->idle[--pool->count] : NULL;
  pthread_mutex_unlock(&pool->mutex);
  if (connection != NULL && PQstatus(connection) == CONNECTION_OK) return connection;
  PQfinish(connection);
  return PQconnectdb(pool->server);
}

static void release(void *context, PGconn *connection, int32_t is_usable) {
  struct pool *pool = context;
  pthread_mutex_lock(&pool->mutex);
  const int is_kept = is_usable && pool->count < kept;
  if (is_kept) pool->idle[pool->count++] = connection;
  pthread_mutex_unlock(&pool->mutex);
  if (!is_kept) PQfinish(connection);
}

static void check(orlop_error *error) {
  if (error == NULL) return;
  fprintf(stderr, "%s: %s\n", orlop_error_name(error), orlop_error_message(error));
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  struct pool pool = {arguments[1], PTHREAD_MUTEX_INITIALIZER, {NULL}, 0};

  orlop_postgresql_options in = ORLOP_POSTGRESQL_OPTIONS_INIT;
  in.acquire = acquire;
  in.release = release;
  in.pool = &pool;
  in.schema = ORLOP_TEXT("pool_example");
  orlop_store store;
  check(orlop_postgresql_open(&store, &in));
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.store = &store;
  orlop_engine *engine = NULL;
  check(orlop_open(&engine, &options));

  orlop_request request = ORLOP_REQUEST_INIT;
  request.method = ORLOP_TEXT("POST");
  request.path = ORLOP_TEXT("/organization");
  request.body = ORLOP_TEXT("{\"name\":\"acme\",\"plan\":\"FREE\"}");
  orlop_reply *reply = NULL;
  check(orlop_dispatch(&reply, engine, &request));
  printf("%d\n", orlop_reply_status(reply));
  orlop_reply_free(reply);

  // The program's own queries, on the same connections.
  PGconn *connection = acquire(&pool, 0);
  PGresult *result = PQexec(connection, "SELECT family, body->>'name' FROM pool_example.resource");
  printf("%s %s\n", PQgetvalue(result, 0, 0), PQgetvalue(result, 0, 1));
  PQclear(result);
  release(&pool, connection, 1);

  check(orlop_close(engine));  // from here on nothing is acquired
  while (pool.count > 0) PQfinish(pool.idle[--pool.count]);
  return 0;
}
