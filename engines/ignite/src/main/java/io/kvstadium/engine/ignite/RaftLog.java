package io.kvstadium.engine.ignite;

import io.kvstadium.store.Durability;
import io.kvstadium.store.UnsupportedException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.network.ClusterNode;

/**
 * How the nodes keep what they acknowledge. The client's protocol does not say; the nodes' REST
 * does, separately for each node.
 *
 * @param nodes each node's answer, by its name
 */
record RaftLog(Map<String, String> nodes) {
  private static final String FSYNC = "raft.fsync=true";
  private static final String NO_FSYNC = "raft.fsync=false";
  private static final String VOLATILE = "the zone's storage is volatile";

  /** Storage engines that outlive their process. */
  private static final Set<String> PERSISTENT = Set.of("aipersist", "rocksdb");

  private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"([^\"]*)\"");
  private static final Pattern ENGINE = Pattern.compile("\"engine\"\\s*:\\s*\"([^\"]*)\"");
  private static final Pattern OBJECT = Pattern.compile("\\{[^{}]*\\}");
  private static final int OK = 200;

  /**
   * Asks every node of the cluster.
   *
   * @param profiles the storage profiles that the zone uses
   */
  static RaftLog of(IgniteClient client, Address address, Set<String> profiles) {
    Collection<ClusterNode> cluster = Calls.read(client.cluster().nodesAsync());
    Set<String> places = new LinkedHashSet<>(address.rest());
    if (places.isEmpty()) {
      cluster.forEach(node -> places.add(node.address().host() + ":" + address.restPort()));
    }
    Map<String, String> told = new HashMap<>();
    Map<String, String> silent = new TreeMap<>();
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(address.timeout()).build()) {
      for (String place : places) {
        Rest rest = new Rest(http, address, place);
        try {
          told.put(first(NAME, rest.get("node/info")), settings(rest, profiles));
        } catch (CompletionException | IllegalArgumentException e) {
          silent.put(place, String.valueOf(e.getMessage()));
        }
      }
    }
    Map<String, String> nodes = new TreeMap<>();
    for (ClusterNode node : cluster) {
      nodes.put(
          node.name(),
          told.getOrDefault(
              node.name(),
              "unknown, since its REST was not found"
                  + (silent.isEmpty() ? " at " + places : ": " + silent)));
    }
    return new RaftLog(nodes);
  }

  private static String settings(Rest rest, Set<String> profiles) {
    for (String profile : objects(rest.get("configuration/node/ignite.storage.profiles"))) {
      if (profiles.contains(first(NAME, profile)) && !PERSISTENT.contains(first(ENGINE, profile))) {
        return VOLATILE;
      }
    }
    return switch (rest.get("configuration/node/ignite.raft.fsync").strip()) {
      case "true" -> FSYNC;
      case "false" -> NO_FSYNC;
      default -> "raft.fsync is neither true nor false";
    };
  }

  private static List<String> objects(String json) {
    return OBJECT.matcher(json).results().map(found -> found.group()).toList();
  }

  private static String first(Pattern pattern, String json) {
    Matcher matcher = pattern.matcher(json);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** The strongest level that is certain. */
  Durability level() {
    return nodes.isEmpty()
        ? Durability.NONE
        : nodes.values().stream()
            .map(each ->
                switch (each) {
                  case FSYNC -> Durability.POWER;
                  case NO_FSYNC -> Durability.PROCESS;
                  default -> Durability.NONE;
                })
            .reduce(Durability.POWER, (a, b) -> a.compareTo(b) < 0 ? a : b);
  }

  /** Refuses a level that the nodes do not give. */
  void demand(Durability asked, Address address) {
    if (asked.compareTo(level()) > 0) {
      throw new UnsupportedException(
          "ignite: "
              + address
              + " cannot give durability "
              + asked.word()
              + ": what is known of its nodes is "
              + nodes
              + "; run each with raft.fsync=true and a persistent storage, and name their REST with"
              + " rest=host:port, or ask for less, such as durability="
              + level().word());
    }
  }

  /** A node's REST. */
  private record Rest(HttpClient http, Address address, String place) {
    /** Returns what it says, or throws an exception that it says nothing. */
    String get(String path) {
      String scheme = address.options().bool(IgniteOptions.TLS) ? "https://" : "http://";
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(scheme + place + "/management/v1/" + path))
              .timeout(address.timeout());
      String user = address.user();
      if (user != null) {
        byte[] pair = (user + ":" + address.password()).getBytes(StandardCharsets.UTF_8);
        request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
      }
      HttpResponse<String> response =
          http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()).join();
      if (response.statusCode() != OK) {
        throw new IllegalArgumentException("HTTP status " + response.statusCode());
      }
      return response.body();
    }
  }
}
