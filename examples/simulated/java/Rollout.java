// A test of a rollout in Java 17: with_simulation.sh java Rollout.java
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

public class Rollout {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Sends a request to the simulation, and answers the body. A refusal is an exception. */
  static String ask(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(System.getenv("ORLOP_URL") + path))
        .header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body)).build();
    var reply = CLIENT.send(request, BodyHandlers.ofString());
    if (reply.statusCode() >= 400) throw new IllegalStateException(method + " " + path + ": " + reply.statusCode() + " " + reply.body());
    return reply.body();
  }

  /** The first member of that name. A program of some size uses a library for JSON. */
  static String text(String json, String member) {
    var found = Pattern.compile("\"" + member + "\":\"([^\"]*)\"").matcher(json);
    if (!found.find()) throw new IllegalStateException("no " + member + " in " + json);
    return found.group(1);
  }

  public static void main(String[] arguments) throws Exception {
    ask("POST", "/-/sim/rules", """
        {"kind": "cluster", "after": "25m"}""");
    ask("POST", "/-/sim/rules", """
        {"step": "deploy", "name": "stock", "after": "40s", "fails": "no space left", "times": 1}""");

    var acme = text(ask("POST", "/organization", """
        {"name": "acme", "plan": "FREE"}"""), "id");
    var europe = text(ask("POST", "/organization/" + acme + "/cluster", """
        {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"}"""), "id");
    ask("POST", "/organization/" + acme + "/cluster/" + europe + "/deploy", "");
    ask("POST", "/-/sim/clock", """
        {"advance": "25m"}""");
    System.out.println("after 25 minutes the cluster is " + text(ask("GET", "/organization/" + acme + "/cluster/" + europe + "/status", ""), "status"));

    var shop = text(ask("POST", "/organization/" + acme + "/project", """
        {"name": "shop"}"""), "id");
    var production = text(ask("POST", "/project/" + shop + "/environment", """
        {"name": "production", "cluster": "%s"}""".formatted(europe)), "id");
    ask("POST", "/environment/" + production + "/database", """
        {"name": "stock", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"}""");
    for (var rollout : new String[] {"first", "second"}) {
      ask("POST", "/environment/" + production + "/deploy", "");
      ask("POST", "/-/sim/clock", """
          {"until_idle": true}""");
      System.out.println("the " + rollout + " rollout: " + text(ask("GET", "/environment/" + production + "/status", ""), "state"));
    }
  }
}
