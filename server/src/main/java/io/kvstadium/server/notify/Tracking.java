package io.kvstadium.server.notify;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Client.Tracked;
import io.kvstadium.server.client.Clients;
import io.kvstadium.server.client.Clients.Connected;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies clients that cache what they have read when it changes. Reads run concurrently with
 * writes, so a client may be remembered as the reader of a key only after that has been changed:
 * then it is notified at once. Every change gets a number, and every part of a pipeline gets the
 * number that was the latest when it began. Safe for all threads.
 */
public final class Tracking {
  /** As in Redis. */
  private static final int MAX = 1_000_000;

  /** The most bytes of names. */
  private static final long MAX_BYTES = 64 << 20;

  /** How many of the latest changes are remembered by key. */
  private static final int RECENT = 65_536;

  /** The most keys to remember: readers of the oldest are notified as if it had changed. */
  private volatile long max = MAX;

  private final Clients clients;
  private final Consumer<Boolean> somebody;
  private final Set<Client> tracking = ConcurrentHashMap.newKeySet();

  /** The readers of a key, by its name in any database, as in Redis. */
  private final LinkedHashMap<Bytes, Set<Long>> readers = new LinkedHashMap<>();

  private final LinkedHashMap<Bytes, Long> recent = new LinkedHashMap<>();

  /** The size of the names in {@link #readers} and, below, in {@link #recent}. */
  private long readBytes;

  private long recentBytes;

  /** Up to this number, it is no longer known what was changed. */
  private long forgotten;

  private final AtomicLong latest = new AtomicLong();

  /**
   * Starts without tracking clients.
   *
   * @param clients all connected clients
   * @param somebody receives whether anybody wants to know what changes
   */
  Tracking(Clients clients, Consumer<Boolean> somebody) {
    this.clients = clients;
    this.somebody = somebody;
  }

  public long max() {
    return max;
  }

  /** Sets the most keys to remember; 0 for any number, as far as their names fit in memory. */
  public void max(long keys) {
    max = keys;
    forgetOldest();
  }

  /** The number of the latest change. */
  public long latest() {
    return latest.get();
  }

  public int clients() {
    return tracking.size();
  }

  public synchronized int keys() {
    return readers.size();
  }

  /** The sum over all keys of the number of their readers. */
  public synchronized long items() {
    return readers.values().stream().mapToLong(Set::size).sum();
  }

  /** The number of prefixes that clients want to be notified of. */
  public long prefixes() {
    return tracking.stream()
        .flatMap(each -> Tracked.prefixesOf(each.tracked).stream().map(Bytes::new))
        .distinct()
        .count();
  }

  /** A client caches what it reads from now on. */
  public synchronized void begin(Client client, Tracked how) {
    client.tracked = how;
    tracking.add(client);
    somebody.accept(true);
    forgetRecent();
  }

  public synchronized void end(Client client) {
    client.tracked = null;
    client.caching = null;
    if (tracking.remove(client)) {
      somebody.accept(!tracking.isEmpty());
      if (tracking.isEmpty()) {
        forgetReaders();
        forgetRecent();
      }
    }
  }

  private void forgetReaders() {
    readers.clear();
    readBytes = 0;
  }

  private void forgetRecent() {
    forgotten = latest.incrementAndGet();
    recent.clear();
    recentBytes = 0;
  }

  /** A client has read keys. */
  public void read(Client client, Tracked how, List<byte[]> keys) {
    boolean keeps =
        !how.broadcast()
            && (!how.optIn() || Boolean.TRUE.equals(client.caching))
            && (!how.optOut() || !Boolean.FALSE.equals(client.caching));
    if (!keeps) {
      return;
    }
    List<byte[]> late = new ArrayList<>();
    synchronized (this) {
      for (byte[] key : keys) {
        Bytes name = new Bytes(key);
        boolean changed = client.since < forgotten || recent.getOrDefault(name, 0L) > client.since;
        if (changed) {
          late.add(key);
        } else {
          readers
              .computeIfAbsent(
                  name,
                  _ -> {
                    readBytes += key.length;
                    return new LinkedHashSet<>(2);
                  })
              .add(client.id());
        }
      }
    }
    if (!late.isEmpty()) {
      send(client, how, late);
    }
    forgetOldest();
  }

  /** Notifies the readers of keys for which there is no room as if these had changed. */
  private void forgetOldest() {
    Map<Bytes, Set<Long>> oldest = new LinkedHashMap<>();
    synchronized (this) {
      while ((max > 0 && readers.size() > max) || readBytes > MAX_BYTES) {
        Map.Entry<Bytes, Set<Long>> first = readers.pollFirstEntry();
        readBytes -= first.getKey().value().length;
        oldest.put(first.getKey(), first.getValue());
      }
    }
    oldest.forEach((key, their) -> tell(their, List.of(key.value()), null));
  }

  /** Keys were changed, and the changes are in the store. */
  void changed(List<Bytes> keys, @Nullable Client by) {
    Map<Bytes, Set<Long>> affected = new LinkedHashMap<>();
    synchronized (this) {
      long number = latest.incrementAndGet();
      for (Bytes key : keys) {
        if (recent.putLast(key, number) == null) { // moved to the end if it was there
          recentBytes += key.value().length;
        }
        Set<Long> those = readers.remove(key);
        if (those != null) {
          readBytes -= key.value().length;
          affected.put(key, those);
        }
      }
      while (recent.size() > RECENT || recentBytes > MAX_BYTES) {
        Map.Entry<Bytes, Long> first = recent.pollFirstEntry();
        forgotten = first.getValue();
        recentBytes -= first.getKey().value().length;
      }
    }
    affected.forEach((key, those) -> tell(those, List.of(key.value()), by));
  }

  /**
   * Notifies clients of all keys with their prefixes that changed together, one message per prefix.
   *
   * @param keys each with the number of the client that changed it last, or 0
   */
  void broadcast(Map<Bytes, Long> keys) {
    for (Client each : tracking) {
      Tracked how = each.tracked;
      if (how == null) {
        continue;
      }
      for (byte[] prefix : how.prefixes()) {
        List<byte[]> wanted =
            keys.entrySet().stream()
                .filter(key -> !how.noLoop() || key.getValue() != each.id())
                .map(key -> key.getKey().value())
                .filter(key -> key.length >= prefix.length && overlap(prefix, key))
                .toList();
        if (!wanted.isEmpty()) {
          send(each, how, wanted);
        }
      }
    }
  }

  /** Anything may have changed. */
  void allChanged() {
    synchronized (this) {
      forgetReaders();
      forgetRecent();
    }
    for (Client each : tracking) {
      Tracked how = each.tracked;
      if (how != null) {
        send(each, how, null);
      }
    }
  }

  private void tell(Set<Long> those, List<byte[]> keys, @Nullable Client by) {
    for (long id : those) {
      Connected each = clients.get(id);
      Tracked how = each == null ? null : each.client().tracked;
      if (each != null
          && how != null
          && !how.broadcast()
          && !(how.noLoop() && each.client() == by)) {
        send(each.client(), how, keys);
      }
    }
  }

  /**
   * Notifies a client, or the one to which it redirects notifications.
   *
   * @param keys {@code null} for all
   */
  private void send(Client client, Tracked how, @Nullable List<byte[]> keys) {
    if (how.redirect() == 0) {
      if (client.protocol == 3) {
        client.pushBehind(out -> invalidate(out, keys));
      }
      return;
    }
    Connected target = clients.get(how.redirect());
    if (target != null) {
      if (target.client().protocol == 3 || target.client().subscriptions > 0) {
        target.client().pushBehind(out -> invalidate(out, keys));
      }
    } else if (client.protocol == 3) {
      client.tracked = how.broken();
      client.push(out -> {
        out.push(2);
        out.bulk("tracking-redir-broken");
        out.integer(how.redirect());
      });
    }
  }

  private static void invalidate(ReplyWriter out, @Nullable List<byte[]> keys) {
    if (out.isResp3()) {
      out.push(2);
      out.bulk("invalidate");
    } else {
      out.array(3);
      out.bulk("message");
      out.bulk("__redis__:invalidate");
    }
    if (keys == null) {
      out.nil();
    } else {
      out.array(keys.size());
      keys.forEach(out::bulk);
    }
  }

  /** Whether one of two names begins with the other. */
  public static boolean overlap(byte[] one, byte[] other) {
    int length = Math.min(one.length, other.length);
    return Arrays.equals(one, 0, length, other, 0, length);
  }
}
