// Embeds the engine in a Java program by JNA, for Java 11 and later: a driver, a loop of ticks, requests, events.
// Run: java -cp jna.jar -Djna.library.path=/usr/lib Deploy.java
import com.sun.jna.Callback;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;

public final class Deploy {
  // The parts of include/orlop/*.h that this program uses, on a machine of 64 bits. The library reads of a struct as many bytes as its member
  // `size` says, so that a declaration may leave out members at the end.
  @FieldOrder({"data", "size"})
  public static class Text extends Structure {
    public Pointer data;
    public long size;

    public static class Value extends Text implements Structure.ByValue {}

    void set(String value) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      size = bytes.length;
      if (bytes.length == 0) return;
      data = new Memory(bytes.length);
      data.write(0, bytes, 0, bytes.length);
    }

    String get() {
      return size == 0 ? "" : new String(data.getByteArray(0, (int) size), StandardCharsets.UTF_8);
    }
  }

  @FieldOrder({"length", "engine", "id", "kind", "resumed", "action", "attempt", "subject", "owner", "organization", "request",
               "started_at_ms", "deadline_ms", "kind_name", "family", "name", "configuration"})
  public static class Step extends Structure {
    public long length;
    public Pointer engine;
    public byte[] id = new byte[16];
    public int kind, resumed, action, attempt;
    public byte[] subject = new byte[16], owner = new byte[16], organization = new byte[16], request = new byte[16];
    public long started_at_ms, deadline_ms;
    public Text kind_name, family, name, configuration;
  }

  public interface Start extends Callback {
    Pointer start(Pointer context, Step step);
  }

  @FieldOrder({"length", "context", "start", "cancel", "release"})
  public static class Driver extends Structure {
    public long length;
    public Pointer context;
    public Start start;
    public Pointer cancel, release;
  }

  @FieldOrder({"length", "storage", "log", "driver"})
  public static class Options extends Structure {
    public long length;
    public Text storage;
    public Pointer log, driver;
  }

  @FieldOrder({"length", "method", "path", "query", "headers", "header_count", "body", "untrusted"})
  public static class Request extends Structure {
    public long length;
    public Text method, path, query;
    public Pointer headers;
    public long header_count;
    public Text body;
    public int untrusted;
  }

  @FieldOrder({"length", "step", "kind", "running", "text"})
  public static class Report extends Structure {
    public long length;
    public byte[] step = new byte[16];
    public int kind, running;
    public Text text;
  }

  @FieldOrder({"length", "number", "at_ms", "kind", "from", "to", "revision", "subject", "owner", "organization", "request",
               "kind_name", "family", "from_name", "to_name"})
  public static class Event extends Structure {
    public long length, number, at_ms;
    public int kind, from, to;
    public long revision;
    public byte[] subject = new byte[16], owner = new byte[16], organization = new byte[16], request = new byte[16];
    public Text kind_name, family, from_name, to_name;

    public Event(Pointer at) {
      super(at);
      read();
    }
  }

  static final int REPORT_SUCCEEDED = 7;  // enums.h

  public interface Orlop extends Library {
    Pointer orlop_open(PointerByReference engine, Options options);
    Pointer orlop_close(Pointer engine);
    Pointer orlop_dispatch(PointerByReference reply, Pointer engine, Request request);
    int orlop_reply_status(Pointer reply);
    Text.Value orlop_reply_body(Pointer reply);
    Text.Value orlop_reply_find(Pointer reply, String pointer);
    void orlop_reply_free(Pointer reply);
    Pointer orlop_tick(Pointer engine, LongByReference next);
    Pointer orlop_wait(Pointer engine, long timeout, Pointer ready);
    Pointer orlop_report(Pointer engine, Report report);
    Pointer orlop_last_event(Pointer engine, LongByReference number);
    Pointer orlop_feed_read(PointerByReference feed, Pointer engine, long since, int limit);
    long orlop_feed_size(Pointer feed);
    Pointer orlop_feed_at(Pointer feed, long index);
    void orlop_feed_free(Pointer feed);
    String orlop_error_message(Pointer error);
  }

  static final Orlop orlop = Native.load("orlop", Orlop.class);

  static void check(Pointer error) {
    if (error != null) throw new IllegalStateException(orlop.orlop_error_message(error));
  }

  // The driver. The engine calls it inside orlop_tick; the work goes on in a thread, which reports its end.
  static Pointer start(Pointer context, Step step) {
    System.out.println("start " + step.kind_name.get() + " " + step.name.get());
    Report report = new Report();
    report.length = report.size();
    report.step = step.id.clone();  // a copy: the step itself is valid only until this function returns
    report.kind = REPORT_SUCCEEDED;
    Pointer engine = step.engine;
    new Thread(() -> check(orlop.orlop_report(engine, report))).start();
    return null;
  }

  final Pointer engine;

  Deploy(Options options) {
    PointerByReference opened = new PointerByReference();
    check(orlop.orlop_open(opened, options));
    engine = opened.getValue();
  }

  // Sends a request and returns what the JSON Pointer names in the reply.
  String ask(String method, String path, String body, String pointer) {
    Request request = new Request();
    request.length = request.size();
    request.method.set(method);
    request.path.set(path);
    request.body.set(body);
    PointerByReference answered = new PointerByReference();
    check(orlop.orlop_dispatch(answered, engine, request));
    Pointer reply = answered.getValue();
    try {
      if (orlop.orlop_reply_status(reply) >= 400) throw new IllegalStateException(path + ": " + orlop.orlop_reply_body(reply).get());
      return orlop.orlop_reply_find(reply, pointer).get();
    } finally {
      orlop.orlop_reply_free(reply);
    }
  }

  // Ticks until a GET of the path answers the value. orlop_wait sleeps until a report or a deadline needs a tick.
  void runUntil(String path, String pointer, String value) {
    LongByReference next = new LongByReference();
    while (true) {
      check(orlop.orlop_tick(engine, next));
      if (ask("GET", path, "", pointer).equals(value)) return;
      check(orlop.orlop_wait(engine, next.getValue(), null));
    }
  }

  void printStatesSince(long number, String family) {
    PointerByReference read = new PointerByReference();
    check(orlop.orlop_feed_read(read, engine, number, 1000));
    Pointer feed = read.getValue();
    for (long index = 0; index < orlop.orlop_feed_size(feed); ++index) {
      Event event = new Event(orlop.orlop_feed_at(feed, index));
      if (event.to_name.size > 0 && event.family.get().equals(family)) System.out.println(event.kind_name.get() + " " + event.to_name.get());
    }
    orlop.orlop_feed_free(feed);
  }

  public static void main(String[] arguments) {
    Driver driver = new Driver();
    driver.length = driver.size();
    driver.start = Deploy::start;
    driver.write();
    Options options = new Options();
    options.length = options.size();
    options.storage.set("memory:");
    options.driver = driver.getPointer();
    Deploy platform = new Deploy(options);

    String acme = "/organization/" + platform.ask("POST", "/organization", "{\"name\": \"acme\", \"plan\": \"FREE\"}", "/id");
    String europe = platform.ask("POST", acme + "/cluster",
        "{\"name\": \"europe\", \"region\": \"eu-west-3\", \"cloud_provider\": \"AWS\"}", "/id");
    platform.ask("POST", acme + "/cluster/" + europe + "/deploy", "", "");
    platform.runUntil(acme + "/cluster/" + europe + "/status", "/status", "DEPLOYED");

    String shop = platform.ask("POST", acme + "/project", "{\"name\": \"shop\"}", "/id");
    String production = "/environment/" + platform.ask("POST", "/project/" + shop + "/environment",
        "{\"name\": \"production\", \"cluster\": \"" + europe + "\"}", "/id");
    platform.ask("POST", production + "/database",
        "{\"name\": \"orders\", \"type\": \"POSTGRESQL\", \"version\": \"16\", \"mode\": \"CONTAINER\"}", "/id");

    LongByReference since = new LongByReference();
    check(orlop.orlop_last_event(platform.engine, since));
    platform.ask("POST", production + "/deploy", "", "");
    platform.runUntil(production + "/status", "/state", "DEPLOYED");
    platform.printStatesSince(since.getValue(), "database");
    check(orlop.orlop_close(platform.engine));
  }
}
