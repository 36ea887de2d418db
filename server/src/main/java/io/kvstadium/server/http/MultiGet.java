package io.kvstadium.server.http;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.TableReader;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads many keys in portions that are as many as the limit allows if none is larger than the
 * largest so far, and at most one more than were read before. So what is read beyond the limit is
 * at most one portion, which is small where large values follow a few small ones.
 */
public final class MultiGet {
  private static final int MAX_KEYS = 64;

  private MultiGet() {}

  /** Receives each key in turn. */
  public interface Taker {
    void take(byte[] key, byte @Nullable [] value);
  }

  /**
   * Reads keys.
   *
   * @param max bytes of keys and values
   * @throws HttpException if there are more
   */
  public static void each(
      Store store, TableReader<byte[], byte[]> table, List<byte[]> keys, long max, Taker taker) {
    boolean emptyKeys = store.capabilities().contains(Capability.EMPTY_KEY);
    int longest = store.limits().maxKeyBytes();
    long bytes = 0;
    long largest = 1;
    int end;
    for (int i = 0; i < keys.size(); i = end) {
      long fitting = Math.min(i + 1, (max - bytes) / largest);
      end = Math.min(keys.size(), i + Math.clamp(fitting, 1, MAX_KEYS));
      List<byte[]> portion = keys.subList(i, end);
      List<byte[]> possible = new ArrayList<>(portion.size());
      for (byte[] key : portion) {
        if (holds(key, emptyKeys, longest)) {
          possible.add(key);
        }
      }
      List<byte @Nullable []> values = table.multiGet(possible);
      int next = 0;
      for (byte[] key : portion) {
        byte[] value = holds(key, emptyKeys, longest) ? values.get(next++) : null;
        long length = key.length + (value == null ? 0L : value.length);
        largest = Math.max(largest, length);
        bytes += length;
        if (bytes > max) {
          throw new HttpException(
              HttpResponseStatus.UNPROCESSABLE_ENTITY,
              "the values take more than %d bytes: ask for fewer keys".formatted(max));
        }
        taker.take(key, value);
      }
    }
  }

  /** Whether such an entry is possible: an engine refuses to look for others. */
  private static boolean holds(byte[] key, boolean emptyKeys, int longest) {
    return key.length <= longest && (emptyKeys || key.length > 0);
  }
}
