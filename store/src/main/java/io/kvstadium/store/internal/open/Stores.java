package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.internal.view.CodecTable;
import io.kvstadium.store.internal.view.ConditionalWrites;
import io.kvstadium.store.internal.view.Tables;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What tools that move or check whole stores ask about them, beyond {@link Store}. */
public final class Stores {
  private Stores() {}

  /**
   * Refuses a place that is to be written to and is not apart from an open store: its directory,
   * one in it, or one with its files, by whatever name or link.
   *
   * @param place need not exist
   * @throws BadArgumentException if that is so; nothing is touched
   */
  public static void checkApart(Store store, Path place) {
    if (store instanceof OpenStore<?> open) {
      open.place().checkApart(place);
    }
  }

  /**
   * Refuses two stores with the same data, under whatever name.
   *
   * @throws BadArgumentException if that is so
   */
  public static void checkApart(Store store, Store other) {
    if (store.equals(other)) {
      throw new BadArgumentException(store.url() + ": a store cannot be copied to itself");
    }
    if (store instanceof OpenStore<?> open && other instanceof OpenStore<?> second) {
      open.place().checkApart(second.place());
    }
  }

  /** Whether a new table can have this name: 1 to 63 letters, digits, '_', '-' and '.'. */
  public static boolean isTableName(String name) {
    return Tables.isName(name);
  }

  /**
   * Copies the files of a store as they are at one moment, while others read and write: with
   * everything that was acknowledged before this call, and a prefix of what is written meanwhile.
   * They can be opened as a store.
   *
   * @return false if its engine has no better way than a copy of its entries; nothing is written
   * @throws UnsupportedException if the store has no {@link Capability#BACKUP}
   */
  public static boolean copyFiles(Store store, BackupTarget target) {
    if (!(store instanceof OpenStore<?> source)) {
      return false;
    }
    source.checkCopy();
    return source.copyFiles(target);
  }

  /**
   * Makes a conditional write whose outcome is known: reads an entry and, if it applies, writes it,
   * with nobody in between.
   *
   * @param value {@code null} to remove the entry
   */
  public static void exchange(
      Table<byte[], byte[]> table, byte[] key, boolean applies, byte @Nullable [] value) {
    if (!(table instanceof CodecTable<?, ?> own)) {
      throw new BadArgumentException(table + " is not a table of an open store");
    }
    ConditionalWrites.exchange(own.view(), key, applies, value);
  }

  /** Whether no table of a store has an entry. */
  public static boolean isEmpty(Store store) {
    for (String name : store.tables()) {
      try (var cursor = store.table(name).scan(Range.<byte[]>all().limit(1).keysOnly())) {
        if (cursor.next()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * What a store that is open with {@code adopt=true} holds but cannot offer as tables, by name,
   * each with the reason; empty for others.
   */
  public static Map<String, String> unreadable(Store store) {
    return store instanceof OpenStore<?> open ? open.calls().unreadable() : Map.of();
  }

  /**
   * What {@link #markIncomplete} noted in an open store, or {@code null} if it is complete. An
   * incomplete store opens only with {@code incomplete=true} in its URL.
   */
  public static @Nullable String incomplete(Store store) {
    return store instanceof OpenStore<?> open ? open.place().incomplete() : null;
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
    mark(store, why);
  }

  /** Removes the mark of {@link #markIncomplete}, if there is one. */
  public static void markComplete(Store store) {
    mark(store, null);
  }

  private static void mark(Store store, @Nullable String why) {
    if (store instanceof OpenStore<?> open) {
      open.calls().checkWritable();
      open.place().markIncomplete(why);
    }
  }
}
