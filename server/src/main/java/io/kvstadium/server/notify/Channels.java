package io.kvstadium.server.notify;

import static java.util.Objects.requireNonNull;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The subscriptions; messages are passed on and not kept. Safe for all threads. */
public final class Channels {
  private final Map<Bytes, Set<Client>> channels = new LinkedHashMap<>();
  private final Map<Bytes, Set<Client>> patterns = new LinkedHashMap<>();

  /** What each client listens to. */
  private final Map<Client, Names> names = new HashMap<>();

  private record Names(Set<Bytes> channels, Set<Bytes> patterns) {
    Set<Bytes> of(boolean pattern) {
      return pattern ? patterns : channels;
    }
  }

  private Map<Bytes, Set<Client>> map(boolean pattern) {
    return pattern ? patterns : channels;
  }

  /** Subscribes; returns how many channels and patterns the client then listens to. */
  public synchronized int join(Client client, byte[] name, boolean pattern) {
    Bytes key = new Bytes(name);
    if (map(pattern).computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(client)) {
      names
          .computeIfAbsent(client, _ -> new Names(new LinkedHashSet<>(), new LinkedHashSet<>()))
          .of(pattern)
          .add(key);
      client.subscriptions++;
      client.patterns += pattern ? 1 : 0;
      client.listenedBytes = client.listenedBytes + name.length + Client.WATCH_BYTES;
    }
    return client.subscriptions;
  }

  /** Unsubscribes; returns how many are left. */
  public synchronized int leave(Client client, byte[] name, boolean pattern) {
    Bytes key = new Bytes(name);
    Set<Client> all = map(pattern).get(key);
    if (all != null && all.remove(client)) {
      requireNonNull(names.get(client)).of(pattern).remove(key);
      client.subscriptions--;
      client.patterns -= pattern ? 1 : 0;
      client.listenedBytes = client.listenedBytes - name.length - Client.WATCH_BYTES;
      if (all.isEmpty()) {
        map(pattern).remove(key);
      }
    }
    return client.subscriptions;
  }

  /** Everything that a client listens to. */
  public synchronized List<byte[]> of(Client client, boolean pattern) {
    Names own = names.get(client);
    return own == null ? List.of() : own.of(pattern).stream().map(Bytes::value).toList();
  }

  public synchronized void leaveAll(Client client) {
    of(client, false).forEach(name -> leave(client, name, false));
    of(client, true).forEach(name -> leave(client, name, true));
    names.remove(client);
  }

  /** Passes a message on; returns how many clients get it. */
  public int publish(byte[] channel, byte[] message) {
    record Delivery(Client to, Consumer<ReplyWriter> message) {}

    List<Delivery> deliveries = new ArrayList<>();
    synchronized (this) {
      for (Client client : channels.getOrDefault(new Bytes(channel), Set.of())) {
        deliveries.add(
            new Delivery(
                client,
                out -> {
                  out.push(3);
                  out.bulk("message");
                  out.bulk(channel);
                  out.bulk(message);
                }));
      }
      patterns.forEach((pattern, clients) -> {
        if (new Glob(pattern.value()).matches(channel)) {
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

  /** The names of channels that anybody listens to. */
  public synchronized List<byte[]> names() {
    return channels.keySet().stream().map(Bytes::value).toList();
  }

  public synchronized int listeners(byte[] channel) {
    return channels.getOrDefault(new Bytes(channel), Set.of()).size();
  }

  public synchronized int patterns() {
    return patterns.size();
  }
}
