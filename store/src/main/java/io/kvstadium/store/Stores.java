package io.kvstadium.store;

import io.kvstadium.store.spi.Nearest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Operations on whole stores: moves their data from one to another, whatever their engines. */
public final class Stores {
  private Stores() {}

  /** Copies everything into an empty store; see {@link #copy(Store, Store, CopyOptions)}. */
  public static CopyResult copy(Store from, Store to) {
    return copy(from, to, CopyOptions.DEFAULT);
  }

  /**
   * Copies tables with their entries from one store into another, in key order where the source has
   * one, by {@link Table#load}. What is copied is one state of the source: that of a snapshot if it
   * has {@link Capability#SNAPSHOT}, otherwise that of a store that is open read-only.
   *
   * <p>The target is {@linkplain #markIncomplete marked incomplete} until everything is there,
   * synced and, unless that is turned off, read back and found identical. A copy that was
   * interrupted or failed is resumed by the same call on a target that was opened with {@code
   * incomplete=true} in its URL: each table continues after the last key that is there, if the
   * target has an order; otherwise it is copied again. The source is read from the start for the
   * sum, and must not have changed since the first attempt: if it has, the two are not identical. A
   * {@linkplain CopyOptions.Existing#MERGE merge} marks nothing, and starts from the beginning if
   * it is repeated: a store that was complete stays so, whatever becomes of the merge.
   *
   * <p>A copy takes a few megabytes of heap in addition to the largest entries, and one more
   * thread, which reads ahead.
   *
   * @throws BadArgumentException if both are the same store, by whatever name; if the target holds
   *     entries, or what an interrupted copy of something else left there, and the options do not
   *     allow for that; if the target cannot hold some entries and they are not to be skipped; if
   *     there is no such table. Nothing is written in these cases
   * @throws UnsupportedException if the source cannot be read as one state and {@link
   *     CopyOptions#live} was not set, or the target lacks a capability that it would need
   */
  public static CopyResult copy(Store from, Store to, CopyOptions options) {
    return new Copy(from, to, options).run();
  }

  /**
   * Runs a block on one state of a store: a snapshot, or a store that is open read-only and that
   * nobody else can write to meanwhile.
   *
   * @param live whether to read even a store that has neither, while others may write to it
   * @throws UnsupportedException if it has neither, and {@code live} is not set
   */
  public static <R> R readOneState(Store store, boolean live, Function<ReadView, R> block) {
    if (!live && !store.capabilities().contains(Capability.SNAPSHOT) && mayChange(store)) {
      throw new UnsupportedException(
          store.url()
              + ": engine "
              + store.engine().name()
              + " has no snapshots here, so that what others write meanwhile may be read in part: "
              + (mayBeWritten(store) ? "open the store with read_only=true, or " : "")
              + "accept that (live)");
    }
    return store.read(block);
  }

  /** Raises what was written to {@link Durability#POWER}, on engines that can do that. */
  public static void syncIfPossible(Store store) {
    if (store.capabilities().contains(Capability.PERSISTENT)
        && store.durability() != Durability.POWER
        && store.engine().durability().values().stream()
            .anyMatch(level -> level.effective() != Durability.NONE)) {
      store.sync();
    }
  }

  /** Whether a store without snapshots may change while it is read, whoever changes it. */
  private static boolean mayChange(Store store) {
    Set<Capability> can = store.capabilities();
    return mayBeWritten(store) || can.contains(Capability.CONCURRENT_READ_ONLY);
  }

  static boolean mayBeWritten(Store store) {
    return store.capabilities().contains(Capability.WRITE)
        || store.capabilities().contains(Capability.BULK_LOAD);
  }

  /**
   * Refuses a place that is to be written to and is not apart from an open store: its directory,
   * one in it, or one with its files, by whatever name or link.
   *
   * @param place need not exist
   * @throws BadArgumentException if that is so; nothing is touched
   */
  public static void checkApart(Store store, Path place) {
    if (store instanceof OpenStore<?> open) {
      open.checkApart(place);
    }
  }

  /** Whether no table of a store has an entry. */
  public static boolean isEmpty(Store store) {
    for (String name : store.tables()) {
      try (Cursor cursor = store.table(name).scan(Range.all().limit(1).keysOnly())) {
        if (cursor.next()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * What a store that is open with {@code adopt=true} holds but cannot offer as tables, by name,
   * each with the reason; empty for others. {@link #copy} refuses to leave it out silently.
   */
  public static Map<String, String> unreadable(Store store) {
    return store instanceof OpenStore<?> open ? open.unreadable() : Map.of();
  }

  /**
   * What a store that is open with {@code adopt=true} may hold in its tables that reading does not
   * show, where nobody can find out whether it does: a phrase for each; empty for others. A copy is
   * identical but for that.
   */
  public static List<String> unseen(Store store) {
    return store instanceof OpenStore<?> open ? open.unseen() : List.of();
  }

  /**
   * Whether scans of a table run in unsigned byte order of the keys. Tables that other programs
   * made may have a different order, even if their store has {@link Capability#ORDERED_SCAN}.
   */
  public static boolean isOrdered(Store store, String table) {
    return store instanceof OpenStore<?> open
        ? open.view(open.table(table)).handle().isOrdered()
        : store.capabilities().contains(Capability.ORDERED_SCAN);
  }

  /**
   * Returns the requested tables, each with its new name, or all tables if none is requested.
   *
   * @throws BadArgumentException if there is no such table, or all are requested and some of what
   *     the store holds cannot be read
   */
  public static Map<String, String> selected(Store store, Map<String, String> asked) {
    List<String> present = store.tables();
    Map<String, String> selected = new LinkedHashMap<>(asked);
    if (selected.isEmpty()) {
      refuseUnreadable(store);
      present.forEach(name -> selected.put(name, name));
    }
    for (String name : selected.keySet()) {
      if (!present.contains(name)) {
        String why = unreadable(store).get(name);
        throw new BadArgumentException(
            store.url()
                + (why == null
                    ? ": there is no table '" + name + "'" + Nearest.hint(name, present)
                    : ": table " + name + " cannot be read as entries: " + why)
                + "; there are: "
                + String.join(", ", present));
      }
    }
    return selected;
  }

  private static void refuseUnreadable(Store store) {
    Map<String, String> unreadable = unreadable(store);
    if (!unreadable.isEmpty()) {
      String name = unreadable.keySet().iterator().next();
      throw new BadArgumentException(
          store.url()
              + " holds "
              + (unreadable.size() == 1 ? "a table" : unreadable.size() + " tables")
              + " that cannot be read as entries: "
              + name
              + ": "
              + unreadable.get(name)
              + "; name the tables that you mean (--table); there are: "
              + String.join(", ", store.tables()));
    }
  }

  /** The sum of the entries that a table has; reads them all. */
  public static ContentSum sum(TableReader table) {
    ContentSum.Adder sum = new ContentSum.Adder(table.name());
    try (ReadAhead entries =
        new ReadAhead(() -> table.scan(Range.all()), _ -> true, (_, _) -> {})) {
      entries.forEachRemaining(entry -> sum.add(entry.key(), entry.value()));
    }
    return sum.sum();
  }

  /**
   * Whether damage to the store's values is found when they are read: by its engine ({@link
   * Capability#CHECKSUMS}), or because it was made with {@code checksum=true}.
   */
  public static boolean hasChecksums(Store store) {
    return store.capabilities().contains(Capability.CHECKSUMS)
        || (store instanceof OpenStore<?> open && open.keepsChecksums());
  }

  /**
   * What {@link #markIncomplete} noted in an open store, or {@code null} if it is complete. An
   * incomplete store opens only with {@code incomplete=true} in its URL.
   */
  public static @Nullable String incomplete(Store store) {
    return store instanceof OpenStore<?> open ? open.incomplete() : null;
  }

  /**
   * Marks a store as one that is not complete yet: from now on it opens only with {@code
   * incomplete=true} in its URL. The mark is a file in the store's directory, {@code
   * stadium.incomplete}, and is on disk when this returns. Does nothing for a store without a
   * directory.
   *
   * @param why what is being done to it, for {@link #incomplete} and the message
   */
  public static void markIncomplete(Store store, String why) {
    if (store instanceof OpenStore<?> open) {
      open.markIncomplete(why);
    }
  }

  /** Removes the mark of {@link #markIncomplete}, if there is one. */
  public static void markComplete(Store store) {
    if (store instanceof OpenStore<?> open) {
      open.markIncomplete(null);
    }
  }
}
