// Plans of container engines through the C API.
#include "check.h"

static const char configuration[] =
    "{\"id\": \"00000010-8066-4ddb-9aa8-00f040ad12ba\", \"name\": \"orders\", \"service_type\": \"DATABASE\","
    " \"type\": \"REDIS\", \"version\": \"7\", \"port\": 6379,"
    " \"environment\": {\"id\": \"0000000b-8066-4ddb-9aa8-004de8fbc5bb\"}}";

int main(void) {
  orlop_buffer *plan = NULL;
  OK(orlop_container_plan(&plan, text_of(configuration), text_of("{\"brand\": \"acme\"}")));
  const orlop_text text = orlop_buffer_text(plan);
  static const char begin[] = "{\"kind\":\"database\",";
  CHECK(text.size > sizeof begin && strncmp(text.data, begin, sizeof begin - 1) == 0);
  orlop_buffer_free(plan);

  orlop_error *error = orlop_container_plan(&plan, text_of("{\"service_type\": \"HELM\"}"), text_of(""));
  CHECK(orlop_error_code(error) == ORLOP_ERROR_INVALID);
  CHECK(strstr(orlop_error_message(error), "Kubernetes cluster") != NULL);
  orlop_error_free(error);

  FAILS(ORLOP_ERROR_MISUSE, orlop_container_plan(NULL, text_of("{}"), text_of("")));
  return 0;
}
