// Embeds the engine in a Node program by koffi: a driver, a loop of ticks, requests, events.
// Run: npm install && node deploy.js /usr/lib/liborlop.so.0.1
import koffi from "koffi";

// The parts of include/orlop/*.h that this program uses. The library reads of a struct as many bytes as its member `size` says, so that a
// declaration may leave out members at the end.
const Handle = koffi.opaque("orlop_handle");
const Id = koffi.array("uint8_t", 16, "Array");
koffi.struct("orlop_text", { data: "const char *", size: "size_t" });
const Step = koffi.struct("orlop_step", {
  size: "size_t", engine: "orlop_handle *", id: Id, kind: "int32_t", resumed: "int32_t", action: "int32_t", attempt: "uint32_t",
  subject: Id, owner: Id, organization: Id, request: Id, started_at_ms: "int64_t", deadline_ms: "int64_t",
  kind_name: "orlop_text", family: "orlop_text", name: "orlop_text", configuration: "orlop_text",
});
const Start = koffi.proto("orlop_handle *start(void *context, const orlop_step *step)");
const Driver = koffi.struct("orlop_driver", {
  size: "size_t", context: "void *", start: koffi.pointer(Start), cancel: "void *", release: "void *",
});
const Options = koffi.struct("orlop_options", {
  size: "size_t", storage: "orlop_text", log: "void *", driver: "orlop_driver *",
});
const Request = koffi.struct("orlop_request", {
  size: "size_t", method: "orlop_text", path: "orlop_text", query: "orlop_text", headers: "void *", header_count: "size_t",
  body: "orlop_text", untrusted: "int32_t",
});
const Report = koffi.struct("orlop_step_report", { size: "size_t", step: Id, kind: "int32_t", running: "int32_t", text: "orlop_text" });
const REPORT_SUCCEEDED = 7; // enums.h

const library = koffi.load(process.argv[2]);
const open = library.func("orlop_handle *orlop_open(_Out_ orlop_handle **engine, const orlop_options *options)");
const close = library.func("orlop_handle *orlop_close(orlop_handle *engine)");
const dispatch = library.func("orlop_handle *orlop_dispatch(_Out_ orlop_handle **reply, orlop_handle *engine, const orlop_request *request)");
const replyStatus = library.func("int32_t orlop_reply_status(orlop_handle *reply)");
const replyBody = library.func("orlop_text orlop_reply_body(orlop_handle *reply)");
const replyFree = library.func("void orlop_reply_free(orlop_handle *reply)");
const tick = library.func("orlop_handle *orlop_tick(orlop_handle *engine, _Out_ int64_t *next)");
const wait = library.func("orlop_handle *orlop_wait(orlop_handle *engine, int64_t timeout, void *ready)");
const report = library.func("orlop_handle *orlop_report(orlop_handle *engine, const orlop_step_report *report)");
const lastEvent = library.func("orlop_handle *orlop_last_event(orlop_handle *engine, _Out_ uint64_t *number)");
const readEvents = library.func("orlop_handle *orlop_events(_Out_ orlop_handle **list, orlop_handle *engine, uint64_t since, uint32_t limit)");
const bufferText = library.func("orlop_text orlop_buffer_text(orlop_handle *buffer)");
const bufferFree = library.func("void orlop_buffer_free(orlop_handle *buffer)");
const errorMessage = library.func("const char *orlop_error_message(orlop_handle *error)");

const text = (value) => ({ data: value, size: Buffer.byteLength(value ?? "") });

function check(error) {
  if (error) throw new Error(errorMessage(error));
}

// The driver. The engine calls it inside orlop_tick; the work goes on in Node's event loop, and its end is reported from there.
const start = koffi.register((context, pointer) => {
  const step = koffi.decode(pointer, Step); // copies: the step itself is valid only until this function returns
  console.log("start", step.kind_name.data, step.name.data);
  setTimeout(() => check(report(step.engine, { size: koffi.sizeof(Report), step: step.id, kind: REPORT_SUCCEEDED, running: 0, text: text(null) })), 10);
  return null;
}, koffi.pointer(Start));

const driver = { size: koffi.sizeof(Driver), context: null, start, cancel: null, release: null };
const opened = [null];
check(open(opened, { size: koffi.sizeof(Options), storage: text("memory:"), log: null, driver }));
const engine = opened[0];

// Sends a request and returns the reply's body.
function ask(method, path, body) {
  const reply = [null];
  const json = body === undefined ? null : JSON.stringify(body);
  check(dispatch(reply, engine, {
    size: koffi.sizeof(Request), method: text(method), path: text(path), query: text(null), headers: null, header_count: 0,
    body: text(json), untrusted: 0,
  }));
  const [status, answer] = [replyStatus(reply[0]), replyBody(reply[0]).data];
  replyFree(reply[0]);
  if (status >= 400) throw new Error(`${method} ${path}: ${answer}`);
  return answer ? JSON.parse(answer) : null;
}

// Ticks until the condition holds. orlop_wait sleeps in a thread of koffi's until a report or a deadline needs a tick.
async function runUntil(condition) {
  for (;;) {
    const next = [0];
    check(tick(engine, next));
    if (condition()) return;
    check(await new Promise((done, failed) => wait.async(engine, next[0], null, (error, result) => (error ? failed(error) : done(result)))));
  }
}

const acme = "/organization/" + ask("POST", "/organization", { name: "acme", plan: "FREE" }).id;
const europe = ask("POST", `${acme}/cluster`, { name: "europe", region: "eu-west-3", cloud_provider: "AWS" }).id;
ask("POST", `${acme}/cluster/${europe}/deploy`);
await runUntil(() => ask("GET", `${acme}/cluster/${europe}/status`).status === "DEPLOYED");

const shop = ask("POST", `${acme}/project`, { name: "shop" }).id;
const production = "/environment/" + ask("POST", `/project/${shop}/environment`, { name: "production", cluster: europe }).id;
ask("POST", `${production}/database`, { name: "orders", type: "POSTGRESQL", version: "16", mode: "CONTAINER" });

const since = [0];
check(lastEvent(engine, since));
ask("POST", `${production}/deploy`);
await runUntil(() => ask("GET", `${production}/status`).state === "DEPLOYED");

const list = [null];
check(readEvents(list, engine, since[0], 1000));
for (const event of JSON.parse(bufferText(list[0]).data)) {
  if (event.to && event.family === "database") console.log(event.kind, event.to);
}
bufferFree(list[0]);
check(close(engine));
koffi.unregister(start);
