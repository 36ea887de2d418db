package io.kvstadium.browse.look;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was changed in a store from the page, so that it can be undone. Safe for all threads. */
public final class Changes {
  private static final long MAX_BYTES = 32 << 20;

  /**
   * A change to be made.
   *
   * @param expected what the user saw, {@code null} for nothing
   * @param value what is to be there, {@code null} for nothing
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Change(byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {}

  /** Changes that were made together. */
  public record Done(int id, String time, String table, List<Change> changes) {
    private long bytes() {
      return changes.stream()
          .mapToLong(each ->
              (each.expected == null ? 0L : each.expected.length)
                  + (each.value == null ? 0L : each.value.length))
          .sum();
    }
  }

  private final Store store;
  private final List<Done> done = new ArrayList<>();
  private int last;

  public Changes(Store store) {
    this.store = store;
  }

  /** What was done, the last first; the oldest are forgotten when they take too much memory. */
  public synchronized List<Done> done() {
    return done.reversed().stream().toList();
  }

  /**
   * Makes changes, all or, where an engine has no batches, one after the other.
   *
   * @throws ConflictException if an entry is not what the user saw; then nothing is changed
   */
  public synchronized Done make(String tableName, List<Change> changes) {
    if (!store.tables().contains(tableName)) {
      throw new BadArgumentException("there is no table '" + tableName + "'");
    }
    Table<byte[], byte[]> table = store.table(tableName);
    for (Change change : changes) {
      if (!Arrays.equals(table.get(change.key), change.expected)) {
        throw new ConflictException(
            "the entry with the key 0x"
                + Hex.of(change.key)
                + " is not what was shown any more: nothing was changed; look at it again");
      }
    }
    if (store.capabilities().contains(Capability.BATCH)) {
      store.write(batch -> {
        for (Change change : changes) {
          if (change.value == null) {
            batch.delete(table, change.key);
          } else {
            batch.put(table, change.key, change.value);
          }
        }
      });
    } else {
      for (Change change : changes) {
        if (change.value == null) {
          table.delete(change.key);
        } else {
          table.put(change.key, change.value);
        }
      }
    }
    Done made = new Done(++last, Clock.systemUTC().instant().toString(), tableName, changes);
    done.add(made);
    while (done.size() > 1 && done.stream().mapToLong(Done::bytes).sum() > MAX_BYTES) {
      done.removeFirst();
    }
    return made;
  }

  /** Makes the opposite of changes, which is a change itself. */
  public synchronized Done undo(int id) {
    Done undone =
        done.stream()
            .filter(each -> each.id == id)
            .findFirst()
            .orElseThrow(() -> new BadArgumentException("there is no change number " + id));
    return make(
        undone.table,
        undone.changes.stream()
            .map(each -> new Change(each.key, each.value, each.expected))
            .toList()
            .reversed());
  }
}
