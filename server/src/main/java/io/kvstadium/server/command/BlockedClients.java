package io.kvstadium.server.command;

import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.KeyWaits;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.protocol.Bytes;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The requests that wait for keys. Belongs to the thread that has the turn to write. */
public final class BlockedClients implements KeyWaits {
  /**
   * A key of the database with a number.
   *
   * @param stream whether those who wait read a stream: nobody takes what others could get, and it
   *     matters to them if the key is gone
   */
  private record Awaited(int database, Bytes key, boolean stream) {}

  /** A key of the database in the table with a number. */
  private record Changed(int place, Bytes key) {}

  /** In the order of waiting. */
  private final Map<Awaited, NavigableSet<BlockedClient>> waiting = new HashMap<>();

  /** What has changed and may be waited for. */
  private final SequencedSet<Changed> changed = new LinkedHashSet<>();

  private boolean swapped;

  void add(BlockedClient blockedClient) {
    for (byte[] key : blockedClient.keys()) {
      waiting.computeIfAbsent(awaited(blockedClient, key), _ -> new TreeSet<>()).add(blockedClient);
    }
  }

  private static Awaited awaited(BlockedClient blockedClient, byte[] key) {
    return new Awaited(blockedClient.database(), new Bytes(key), blockedClient.readsStream());
  }

  /** Removes a waiter, if it is there. */
  void remove(BlockedClient blockedClient) {
    for (byte[] key : blockedClient.keys()) {
      Awaited awaited = awaited(blockedClient, key);
      NavigableSet<BlockedClient> those = waiting.get(awaited);
      if (those != null && those.remove(blockedClient) && those.isEmpty()) {
        waiting.remove(awaited);
      }
    }
  }

  /** A key has changed in the database in the table with a number. */
  @Override
  public void touched(int place, byte[] key) {
    if (!waiting.isEmpty()) {
      Bytes name = new Bytes(key);
      if (swapped
          || waiting.containsKey(new Awaited(place, name, false))
          || waiting.containsKey(new Awaited(place, name, true))) {
        changed.add(new Changed(place, name));
      }
    }
  }

  /** All keys of the database in the table with a number are gone. */
  @Override
  public void cleared(int place) {
    for (Awaited each : waiting.keySet()) {
      if (each.stream() && (swapped || each.database() == place)) {
        changed.add(new Changed(place, each.key()));
      }
    }
  }

  /** From now on databases may be in tables with other numbers. */
  @Override
  public void swaps() {
    swapped = true;
  }

  /** Two databases are in other tables now: what is waited for may be there. */
  @Override
  public void swapped(int one, int place, int other, int otherPlace) {
    for (Awaited each : waiting.keySet()) {
      if (each.database() == one || each.database() == other) {
        changed.add(new Changed(each.database() == one ? place : otherPlace, each.key()));
      }
    }
  }

  /** Serves those whose keys hold something now; this may change keys that others wait for. */
  public void serve(Databases.View view) {
    while (!changed.isEmpty()) {
      Changed first = changed.removeFirst();
      Keyspace keys = view.stored(first.place());
      byte[] key = first.key().value();
      for (boolean stream : new boolean[] {false, true}) {
        Awaited awaited = new Awaited(view.number(first.place()), first.key(), stream);
        BlockedClient next = behind(awaited, null);
        while (next != null && (stream || keys.head(key) != null)) {
          next.serve(view);
          next = behind(awaited, next);
        }
      }
    }
  }

  /** The next waiter after one, in the order of waiting, or the first. */
  private @Nullable BlockedClient behind(Awaited awaited, @Nullable BlockedClient one) {
    NavigableSet<BlockedClient> those = waiting.get(awaited);
    if (those == null) {
      return null;
    }
    return one == null ? those.first() : those.higher(one);
  }
}
