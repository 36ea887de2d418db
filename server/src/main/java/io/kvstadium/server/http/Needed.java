package io.kvstadium.server.http;

import java.util.HashMap;
import java.util.Map;

/** The right that a request needs: the right to the Redis command that does the same. */
final class Needed {
  private static final Map<String, String> RIGHTS = rights();

  private Needed() {}

  private static Map<String, String> rights() {
    Map<String, String> rights = new HashMap<>();
    put(rights, "ping", "GET /v1/openapi.json", "GET /v1/health", "/ping");
    put(rights, "kv.stats", "GET /v1/metrics", "GET /v1/stats", "/stats", "/wstats");
    put(rights, "kv.tables", "GET /v1/tables");
    put(rights, "kv.drop", "DELETE /v1/tables/{table}");
    put(rights, "kv.get", "GET /v1/tables/{table}/entries/{key}", "/get", "/exist");
    put(rights, "kv.mget", "POST /v1/tables/{table}/multi-get", "/mget");
    put(rights, "kv.range", "GET /v1/tables/{table}/entries", "/prefit", "/seek-first", "/tail");
    put(rights, "kv.range", "/seeknext", "/seeknext-range", "/seekprev", "/seekprev-range");
    put(rights, "kv.set", "PUT /v1/tables/{table}", "PUT /v1/tables/{table}/entries/{key}");
    put(rights, "kv.set", "/set", "/mset", "/incr", "/get-incr", "/mdelset");
    put(rights, "kv.del", "DELETE /v1/tables/{table}/entries/{key}", "/del", "/mdel");
    return rights;
  }

  private static void put(Map<String, String> rights, String command, String... routes) {
    for (String each : routes) {
      rights.put(each, command);
    }
  }

  /** The right that a route needs; routes that are not listed need an administrator's. */
  static String by(String route) {
    return RIGHTS.getOrDefault(route, "kv.backup");
  }
}
