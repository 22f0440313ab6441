// Embeds the engine in a Rust program without a crate: a driver, a loop of ticks, requests, events.
// Build: rustc --edition 2021 $(pkg-config --libs orlop) deploy.rs
use std::ffi::{c_char, c_void, CStr, CString};
use std::mem::size_of;
use std::{ptr, slice, str, thread};

// The parts of include/orlop/*.h that this program uses. A handle is a number that C declares as a pointer. The library reads of a struct
// as many bytes as its member `size` says, so that a declaration may leave out members at the end.
type Handle = usize;

#[repr(C)]
#[derive(Clone, Copy)]
struct Text {
    data: *const u8,
    size: usize,
}

type Id = [u8; 16];

#[repr(C)]
struct Driver {
    size: usize,
    context: *mut c_void,
    start: extern "C" fn(*mut c_void, *const Step) -> Handle,
    cancel: *const c_void,
    release: *const c_void,
}

#[repr(C)]
struct Options {
    size: usize,
    storage: Text,
    log: *const c_void,
    driver: *const Driver,
}

#[repr(C)]
struct Request {
    size: usize,
    method: Text,
    path: Text,
    query: Text,
    headers: *const c_void,
    header_count: usize,
    body: Text,
    untrusted: i32,
}

#[repr(C)]
struct Step {
    size: usize,
    engine: Handle,
    id: Id,
    kind: i32,
    resumed: i32,
    action: i32,
    attempt: u32,
    subject: Id,
    owner: Id,
    organization: Id,
    request: Id,
    started_at_ms: i64,
    deadline_ms: i64,
    kind_name: Text,
    family: Text,
    name: Text,
    configuration: Text,
}

#[repr(C)]
struct StepReport {
    size: usize,
    step: Id,
    kind: i32,
    running: i32,
    text: Text,
}

#[repr(C)]
struct FeedEvent {
    size: usize,
    number: u64,
    at_ms: i64,
    kind: i32,
    from: i32,
    to: i32,
    revision: u64,
    subject: Id,
    owner: Id,
    organization: Id,
    request: Id,
    kind_name: Text,
    family: Text,
    from_name: Text,
    to_name: Text,
}

const REPORT_SUCCEEDED: i32 = 7; // enums.h

extern "C" {
    fn orlop_open(engine: *mut Handle, options: *const Options) -> Handle;
    fn orlop_close(engine: Handle) -> Handle;
    fn orlop_dispatch(reply: *mut Handle, engine: Handle, request: *const Request) -> Handle;
    fn orlop_reply_status(reply: Handle) -> i32;
    fn orlop_reply_body(reply: Handle) -> Text;
    fn orlop_reply_find(reply: Handle, pointer: *const c_char) -> Text;
    fn orlop_reply_free(reply: Handle);
    fn orlop_tick(engine: Handle, next_wanted_ms: *mut i64) -> Handle;
    fn orlop_wait(engine: Handle, timeout_ms: i64, ready: *mut i32) -> Handle;
    fn orlop_report(engine: Handle, report: *const StepReport) -> Handle;
    fn orlop_last_event(engine: Handle, number: *mut u64) -> Handle;
    fn orlop_feed_read(feed: *mut Handle, engine: Handle, since: u64, limit: u32) -> Handle;
    fn orlop_feed_size(feed: Handle) -> usize;
    fn orlop_feed_at(feed: Handle, index: usize) -> *const FeedEvent;
    fn orlop_feed_free(feed: Handle);
    fn orlop_error_name(error: Handle) -> *const c_char;
    fn orlop_error_message(error: Handle) -> *const c_char;
}

impl Text {
    fn of(text: &str) -> Text {
        Text { data: text.as_ptr(), size: text.len() }
    }

    /// The characters of a text that the library gave.
    fn get<'a>(self) -> &'a str {
        if self.size == 0 {
            return "";
        }
        unsafe { str::from_utf8(slice::from_raw_parts(self.data, self.size)).expect("the library gives UTF-8") }
    }
}

fn check(error: Handle) {
    if error != 0 {
        let (name, message) = unsafe { (CStr::from_ptr(orlop_error_name(error)), CStr::from_ptr(orlop_error_message(error))) };
        panic!("{}: {}", name.to_string_lossy(), message.to_string_lossy());
    }
}

/// The driver. The engine calls it inside orlop_tick; the work goes on in a thread, which reports its end.
extern "C" fn start(_context: *mut c_void, step: *const Step) -> Handle {
    let step = unsafe { &*step };
    println!("start {} {}", step.kind_name.get(), step.name.get());
    let (engine, id) = (step.engine, step.id); // copies: the step itself is valid only until this function returns
    thread::spawn(move || {
        let text = Text { data: ptr::null(), size: 0 };
        let report = StepReport { size: size_of::<StepReport>(), step: id, kind: REPORT_SUCCEEDED, running: 0, text };
        check(unsafe { orlop_report(engine, &report) });
    });
    0
}

struct Platform(Handle);

impl Platform {
    /// Sends a request and returns what the JSON Pointer names in the reply.
    fn ask(&self, method: &str, path: &str, body: &str, pointer: &str) -> String {
        let none = Text { data: ptr::null(), size: 0 };
        let (method, path, body) = (Text::of(method), Text::of(path), if body.is_empty() { none } else { Text::of(body) });
        let (size, headers) = (size_of::<Request>(), ptr::null());
        let request = Request { size, method, path, query: none, headers, header_count: 0, body, untrusted: 0 };
        let pointer = CString::new(pointer).expect("a pointer without a zero byte");
        let mut reply = 0;
        unsafe {
            check(orlop_dispatch(&mut reply, self.0, &request));
            if orlop_reply_status(reply) >= 400 {
                panic!("{}: {}", path.get(), orlop_reply_body(reply).get());
            }
            let found = orlop_reply_find(reply, pointer.as_ptr()).get().to_string();
            orlop_reply_free(reply);
            found
        }
    }

    /// Ticks until a GET of the path answers the value. orlop_wait sleeps until a report or a deadline needs a tick.
    fn run_until(&self, path: &str, pointer: &str, value: &str) {
        loop {
            let mut next = 0;
            check(unsafe { orlop_tick(self.0, &mut next) });
            if self.ask("GET", path, "", pointer) == value {
                return;
            }
            check(unsafe { orlop_wait(self.0, next, ptr::null_mut()) });
        }
    }

    fn print_states_since(&self, number: u64, family: &str) {
        let mut feed = 0;
        check(unsafe { orlop_feed_read(&mut feed, self.0, number, 1000) });
        for index in 0..unsafe { orlop_feed_size(feed) } {
            let event = unsafe { &*orlop_feed_at(feed, index) };
            if event.to_name.size > 0 && event.family.get() == family {
                println!("{} {}", event.kind_name.get(), event.to_name.get());
            }
        }
        unsafe { orlop_feed_free(feed) };
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        check(unsafe { orlop_close(self.0) });
    }
}

fn main() {
    let driver = Driver { size: size_of::<Driver>(), context: ptr::null_mut(), start, cancel: ptr::null(), release: ptr::null() };
    let options = Options { size: size_of::<Options>(), storage: Text::of("memory:"), log: ptr::null(), driver: &driver };
    let mut engine = 0;
    check(unsafe { orlop_open(&mut engine, &options) });
    let platform = Platform(engine);

    let acme = format!("/organization/{}", platform.ask("POST", "/organization", r#"{"name": "acme", "plan": "FREE"}"#, "/id"));
    let europe = r#"{"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}"#;
    let europe = platform.ask("POST", &format!("{acme}/cluster"), europe, "/id");
    platform.ask("POST", &format!("{acme}/cluster/{europe}/deploy"), "", "");
    platform.run_until(&format!("{acme}/cluster/{europe}/status"), "/status", "DEPLOYED");

    let shop = platform.ask("POST", &format!("{acme}/project"), r#"{"name": "shop"}"#, "/id");
    let production = format!(r#"{{"name": "production", "cluster": "{europe}"}}"#);
    let production = format!("/environment/{}", platform.ask("POST", &format!("/project/{shop}/environment"), &production, "/id"));
    let orders = r#"{"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"}"#;
    platform.ask("POST", &format!("{production}/database"), orders, "/id");

    let mut since = 0;
    check(unsafe { orlop_last_event(platform.0, &mut since) });
    platform.ask("POST", &format!("{production}/deploy"), "", "");
    platform.run_until(&format!("{production}/status"), "/state", "DEPLOYED");
    platform.print_states_since(since, "database");
}
