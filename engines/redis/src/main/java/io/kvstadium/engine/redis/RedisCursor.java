package io.kvstadium.engine.redis;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * Scans by SCAN, and reads the values for each of its answers by one MGET. What is there from
 * beginning to end comes once: the server may return a key twice when its table shrinks, so those
 * that came are remembered.
 *
 * <p>Ordered scans of a {@code stadium serve} would be another cursor, chosen where this one is
 * made, once that server has a command for ranges.
 */
final class RedisCursor implements EngineCursor {
  private static final int MOST_AT_ONCE = 500;
  private static final byte[] BEGIN = {'0'};

  private final RedisStore store;
  private final boolean withValues;
  private final int atOnce;
  private final Set<ByteBuffer> seen = new HashSet<>();
  private List<byte[]> keys = List.of();
  private byte[] @Nullable [] values = {};
  private int position = -1;
  private byte @Nullable [] place = BEGIN; // null at the end

  RedisCursor(RedisStore store, Range<byte[]> range) {
    this.store = store;
    this.withValues = !range.withoutValues();
    this.atOnce = (int) Math.min(MOST_AT_ONCE, range.limit());
  }

  @Override
  public boolean next() {
    do {
      position++;
      while (position == keys.size()) {
        if (place == null) {
          return false;
        }
        fetch(place);
      }
    } while (withValues && values[position] == null); // removed meanwhile, or not a string
    return true;
  }

  private void fetch(byte[] from) {
    CommandArguments scan = new CommandArguments(Command.SCAN).add(from).add("COUNT").add(atOnce);
    if (!withValues && store.isShared()) {
      scan.add("TYPE").add("string");
    }
    List<?> reply = store.list(scan);
    byte[] next = (byte[]) reply.get(0);
    place = next.length == 1 && next[0] == '0' ? null : next;
    keys = new ArrayList<>();
    for (Object key : (List<?>) reply.get(1)) {
      if (!RedisStore.isMark((byte[]) key) && seen.add(ByteBuffer.wrap((byte[]) key))) {
        keys.add((byte[]) key);
      }
    }
    values = withValues ? store.multiGet(keys.toArray(byte[][]::new)) : values;
    position = 0;
  }

  @Override
  public byte[] key() {
    return keys.get(position).clone();
  }

  @Override
  public byte[] value() {
    byte[] value = values[position];
    if (value == null) {
      throw new IllegalStateException("before the first entry, or without values");
    }
    return value;
  }

  @Override
  public void close() {}
}
