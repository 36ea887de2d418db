package io.kvstadium.server.value;

import io.kvstadium.server.database.Fragments;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.transfer.redis.Kind;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A string of which parts are read and written; of a long one only the fragments concerned. */
public final class StoredString {
  /** What ends before this is read without the rest of its string. */
  private static final int NEAR = 64 << 10;

  private final Keyspace keys;
  private final byte[] key;
  private @Nullable StoredValue entry;

  private StoredString(Keyspace keys, byte[] key, @Nullable StoredValue entry) {
    this.keys = keys;
    this.key = key;
    this.entry = entry;
  }

  /** The string of a key, to be changed; an empty one if there is no such key. */
  public static StoredString of(Keyspace keys, byte[] key) {
    return new StoredString(keys, key, keys.entry(key, Kind.STRING));
  }

  /**
   * Reads from the string of a key, as it is at one moment.
   *
   * @param needed how many of its first bytes are enough
   */
  public static <R> R read(
      Keyspace keys, byte[] key, long needed, Function<StoredString, R> reader) {
    StoredValue entry =
        needed < NEAR ? keys.string(key, (int) needed) : keys.entry(key, Kind.STRING);
    return entry == null || !entry.inFragments()
        ? reader.apply(new StoredString(keys, key, entry))
        : keys.consistently(same -> reader.apply(of(same, key)));
  }

  /** Whether there is such a key. */
  public boolean exists() {
    return entry != null;
  }

  /** Its length; 0 if there is no such key. */
  public long length() {
    return entry == null ? 0 : entry.length();
  }

  /** A part of it, with zeros for what is after its end. */
  public byte[] part(long from, int count) {
    StoredValue present = entry;
    byte[] part;
    if (present == null || from >= present.length()) {
      part = new byte[count];
    } else if (present.inFragments()) {
      part = new byte[count];
      keys.fragments().read(present.elements(), from, part);
    } else {
      int end = (int) Math.min(present.length(), from + count);
      part = Arrays.copyOf(present.part((int) from, end), count);
    }
    return part;
  }

  /** All of it, part by part. */
  public void parts(Fragments.Parts to) {
    StoredValue present = entry;
    if (present != null && present.inFragments()) {
      keys.fragments().read(present.elements(), 0, present.length(), to);
    } else if (present != null) {
      to.add(present.bytes(), present.offset(), present.length());
    }
  }

  /** Changes a part of it, or adds to it, with zeros in between. */
  public void put(long at, byte[] bytes) {
    StoredValue before = entry;
    long length = Math.max(length(), at + bytes.length);
    long expiry = before == null ? StoredValue.FOREVER : before.expiry();
    boolean fragments = before != null && before.inFragments();
    if (!fragments && (length <= Fragments.MAX_WHOLE || keys.database().raw())) {
      byte[] value = part(0, (int) length);
      System.arraycopy(bytes, 0, value, (int) at, bytes.length);
      set(StoredValue.string(value, expiry));
      return;
    }
    Elements elements = before != null && fragments ? before.elements() : keys.elements().fresh();
    if (before != null && !fragments) {
      keys.fragments().write(elements, 0, before.value());
    }
    keys.fragments().write(elements, at, bytes);
    if (fragments && length == length()) {
      keys.touch(key);
    } else {
      set(StoredValue.inFragments(expiry, elements.counting(length)));
    }
  }

  private void set(StoredValue changed) {
    keys.set(key, changed);
    entry = changed;
  }
}
