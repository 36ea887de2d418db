package io.kvstadium.server.notify;

import static java.util.Objects.requireNonNull;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The subscriptions; messages are passed on and not kept. Safe for all threads. */
public final class Channels {
  /** What a client can listen to. */
  public enum Kind {
    CHANNEL(""),
    PATTERN("p"),
    /** Channels by themselves, which a cluster would keep on one of its nodes. */
    SHARD("s");

    private final String letter;

    Kind(String letter) {
      this.letter = letter;
    }

    /** A command or a message of this kind. */
    public String word(String word) {
      return letter + word;
    }
  }

  private final Map<Kind, Map<Bytes, Set<Client>>> listeners = new EnumMap<>(Kind.class);

  /** What each client listens to. */
  private final Map<Client, Map<Kind, Set<Bytes>>> names = new HashMap<>();

  public Channels() {
    for (Kind kind : Kind.values()) {
      listeners.put(kind, new LinkedHashMap<>());
    }
  }

  private Map<Bytes, Set<Client>> map(Kind kind) {
    return requireNonNull(listeners.get(kind));
  }

  /** Subscribes; returns how many the client then listens to. */
  public synchronized int join(Client client, byte[] name, Kind kind) {
    Bytes key = new Bytes(name);
    if (map(kind).computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(client)) {
      names
          .computeIfAbsent(client, _ -> new EnumMap<>(Kind.class))
          .computeIfAbsent(kind, _ -> new LinkedHashSet<>())
          .add(key);
      count(client, kind, 1);
      client.listenedBytes = client.listenedBytes + name.length + Client.WATCH_BYTES;
    }
    return count(client, kind);
  }

  private synchronized void count(Client client, Kind kind, int more) {
    client.subscriptions += more;
    client.patterns += kind == Kind.PATTERN ? more : 0;
    client.shardChannels += kind == Kind.SHARD ? more : 0;
  }

  /** How many shard channels a client listens to, or how many channels and patterns. */
  public static int count(Client client, Kind kind) {
    int shards = client.shardChannels;
    return kind == Kind.SHARD ? shards : client.subscriptions - shards;
  }

  /** Unsubscribes; returns how many are left. */
  public synchronized int leave(Client client, byte[] name, Kind kind) {
    Bytes key = new Bytes(name);
    Set<Client> all = map(kind).get(key);
    if (all != null && all.remove(client)) {
      requireNonNull(requireNonNull(names.get(client)).get(kind)).remove(key);
      count(client, kind, -1);
      client.listenedBytes = client.listenedBytes - name.length - Client.WATCH_BYTES;
      if (all.isEmpty()) {
        map(kind).remove(key);
      }
    }
    return count(client, kind);
  }

  /** Everything that a client listens to. */
  public synchronized List<byte[]> of(Client client, Kind kind) {
    return names.getOrDefault(client, Map.of()).getOrDefault(kind, Set.of()).stream()
        .map(Bytes::value)
        .toList();
  }

  public synchronized void leaveAll(Client client) {
    for (Kind kind : Kind.values()) {
      of(client, kind).forEach(name -> leave(client, name, kind));
    }
    names.remove(client);
  }

  /**
   * Passes a message on; returns how many clients get it.
   *
   * @param kind of a channel
   */
  public int publish(Kind kind, byte[] channel, byte[] message) {
    record Delivery(Client to, Consumer<ReplyWriter> message) {}

    List<Delivery> deliveries = new ArrayList<>();
    synchronized (this) {
      for (Client client : map(kind).getOrDefault(new Bytes(channel), Set.of())) {
        deliveries.add(
            new Delivery(
                client,
                out -> {
                  out.push(3);
                  out.bulk(kind.word("message"));
                  out.bulk(channel);
                  out.bulk(message);
                }));
      }
      map(Kind.PATTERN)
          .forEach((pattern, clients) -> {
            if (kind == Kind.CHANNEL && new Glob(pattern.value()).matches(channel)) {
              for (Client client : clients) {
                deliveries.add(
                    new Delivery(
                        client,
                        out -> {
                          out.push(4);
                          out.bulk("pmessage");
                          out.bulk(pattern.value());
                          out.bulk(channel);
                          out.bulk(message);
                        }));
              }
            }
          });
    }
    deliveries.forEach(each -> each.to.push(each.message));
    return deliveries.size();
  }

  /** What anybody listens to. */
  public synchronized List<byte[]> names(Kind kind) {
    return map(kind).keySet().stream().map(Bytes::value).toList();
  }

  /** How many listen to a channel. */
  public synchronized int listeners(Kind kind, byte[] channel) {
    return map(kind).getOrDefault(new Bytes(channel), Set.of()).size();
  }
}
