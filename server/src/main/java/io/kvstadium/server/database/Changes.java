package io.kvstadium.server.database;

import io.kvstadium.server.protocol.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys that one request has changed, in the order of the changes. */
public final class Changes {
  /**
   * A key.
   *
   * @param place the number of the table of its database
   */
  record Place(int place, Bytes key) {}

  /**
   * A change to a key.
   *
   * @param existed whether it held something before
   * @param wasDue whether what it held was due but not removed yet
   * @param expiry its present expiry, or {@code null} if it holds nothing
   */
  public record Change(
      int place, Bytes key, boolean existed, boolean wasDue, @Nullable Long expiry) {
    public boolean exists() {
      return expiry != null;
    }
  }

  private final Map<Place, Change> changes = new LinkedHashMap<>();
  private final Map<Place, List<String>> named = new LinkedHashMap<>();
  private boolean cleared;

  /** A key's content was replaced. */
  void changed(
      int place, byte[] key, @Nullable StoredValue before, @Nullable StoredValue after, long now) {
    Place of = new Place(place, new Bytes(key));
    Change first = changes.get(of);
    boolean due = before != null && before.expiry() <= now;
    boolean existed = first == null ? before != null && !due : first.existed();
    boolean wasDue = first == null ? due : first.wasDue();
    Long expiry = after == null ? null : after.expiry();
    changes.put(of, new Change(place, of.key(), existed, wasDue, expiry));
  }

  /** Only elements of a key have changed. */
  void touched(int place, byte[] key) {
    Place of = new Place(place, new Bytes(key));
    changes.putIfAbsent(of, new Change(place, of.key(), true, false, StoredValue.FOREVER));
  }

  /** Something happened to a key that the command's name does not tell. */
  public void named(int place, byte[] key, String event) {
    touched(place, key);
    named.computeIfAbsent(new Place(place, new Bytes(key)), _ -> new ArrayList<>()).add(event);
  }

  /** What has happened to a key, besides what the command's name tells. */
  public List<String> named(Change change) {
    return named.getOrDefault(new Place(change.place(), change.key()), List.of());
  }

  /** A whole database has changed. */
  void cleared() {
    cleared = true;
  }

  public boolean wereCleared() {
    return cleared;
  }

  public boolean isEmpty() {
    return changes.isEmpty() && !cleared;
  }

  public Collection<Change> all() {
    return changes.values();
  }

  /** The names of the keys. */
  public List<Bytes> names() {
    List<Bytes> names = new ArrayList<>();
    changes.keySet().forEach(each -> names.add(each.key()));
    return names;
  }

  public void clear() {
    changes.clear();
    named.clear();
    cleared = false;
  }
}
