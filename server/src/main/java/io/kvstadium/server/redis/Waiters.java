package io.kvstadium.server.redis;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who waits for which keys. Belongs to whoever has the turn to write. */
final class Waiters {
  private record Awaited(int database, Bytes key) {}

  /** In the order of waiting. */
  private final Map<Awaited, NavigableSet<Waiter>> waiting = new HashMap<>();

  /** What has changed and is waited for. */
  private final SequencedSet<Awaited> changed = new LinkedHashSet<>();

  void add(Waiter waiter) {
    for (byte[] key : waiter.keys()) {
      waiting
          .computeIfAbsent(new Awaited(waiter.database(), new Bytes(key)), _ -> new TreeSet<>())
          .add(waiter);
    }
  }

  /** Does nothing if it is not there. */
  void remove(Waiter waiter) {
    for (byte[] key : waiter.keys()) {
      Awaited awaited = new Awaited(waiter.database(), new Bytes(key));
      NavigableSet<Waiter> those = waiting.get(awaited);
      if (those != null && those.remove(waiter) && those.isEmpty()) {
        waiting.remove(awaited);
      }
    }
  }

  /** A key has changed. */
  void touched(int database, byte[] key) {
    if (!waiting.isEmpty()) {
      Awaited awaited = new Awaited(database, new Bytes(key));
      if (waiting.containsKey(awaited)) {
        changed.add(awaited);
      }
    }
  }

  /** Serves those whose keys hold something now; what that changes may serve more. */
  void serve(Databases.View view) {
    while (!changed.isEmpty()) {
      Awaited awaited = changed.removeFirst();
      Keyspace keys = view.keyspace(awaited.database());
      byte[] key = awaited.key().value();
      Waiter next = behind(awaited, null);
      while (next != null && keys.find(key) != null) {
        next.serve(view);
        next = behind(awaited, next);
      }
    }
  }

  /** Who began to wait next after one, or the first. */
  private @Nullable Waiter behind(Awaited awaited, @Nullable Waiter one) {
    NavigableSet<Waiter> those = waiting.get(awaited);
    if (those == null) {
      return null;
    }
    return one == null ? those.first() : those.higher(one);
  }
}
