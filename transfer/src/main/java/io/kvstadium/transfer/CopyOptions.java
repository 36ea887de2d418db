package io.kvstadium.transfer;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.internal.open.Stores;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What {@link Copy} copies, and how.
 *
 * @param tables the tables to copy and their names in the target; empty for all, under their own
 *     names
 * @param range the keys to copy, in each table
 * @param existing what to do with a target that holds entries
 * @param live whether a source without snapshots may be copied although others may write to it
 *     meanwhile, so that the copy may contain a part of their writes
 * @param skipOversized whether entries that the target cannot hold are left out; otherwise nothing
 *     is written if there are any
 * @param verify whether the target is read back at the end and compared
 * @param progress called from time to time by the copying thread with the progress so far; an
 *     exception that it throws ends the copy, which can be resumed
 */
public record CopyOptions(
    Map<String, String> tables,
    Range<byte[]> range,
    Existing existing,
    boolean live,
    boolean skipOversized,
    boolean verify,
    Consumer<CopyProgress> progress) {

  /** What to do with a target that holds entries. */
  public enum Existing {
    /** Nothing is copied. */
    REFUSE,
    /** They stay, except those whose keys are copied. */
    MERGE,
    /** The tables that are copied to are emptied first; others stay. */
    REPLACE
  }

  /** Everything, verified, into an empty store. */
  public static final CopyOptions DEFAULT =
      new CopyOptions(Map.of(), Range.all(), Existing.REFUSE, false, false, true, _ -> {});

  public CopyOptions {
    tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
    if (range.reversed() || range.limit() != Long.MAX_VALUE || range.withoutValues()) {
      throw new BadArgumentException(
          "a copy's range has bounds only: leave its direction, limit and keysOnly as they are");
    }
    for (String name : tables.values()) {
      if (!Stores.isTableName(name)) {
        throw new BadArgumentException(
            "'" + name + "' cannot name a table: use 1 to 63 letters, digits, '_', '-' and '.'");
      }
    }
    if (tables.values().stream().distinct().count() < tables.size()) {
      throw new BadArgumentException("two tables would be copied to one: give each its own name");
    }
  }

  /** Returns options that copy this table as well, under its own name. */
  public CopyOptions table(String name) {
    return table(name, name);
  }

  /** Returns options that copy this table as well, under another name. */
  public CopyOptions table(String name, String newName) {
    Map<String, String> all = new LinkedHashMap<>(tables);
    all.put(name, newName);
    return new CopyOptions(all, range, existing, live, skipOversized, verify, progress);
  }

  /** Returns options with the given {@link #range}. */
  public CopyOptions range(Range<byte[]> value) {
    return new CopyOptions(tables, value, existing, live, skipOversized, verify, progress);
  }

  /** Returns options with the given {@link #existing}. */
  public CopyOptions existing(Existing value) {
    return new CopyOptions(tables, range, value, live, skipOversized, verify, progress);
  }

  /** Returns options with the given {@link #live}. */
  public CopyOptions live(boolean value) {
    return new CopyOptions(tables, range, existing, value, skipOversized, verify, progress);
  }

  /** Returns options with the given {@link #skipOversized}. */
  public CopyOptions skipOversized(boolean value) {
    return new CopyOptions(tables, range, existing, live, value, verify, progress);
  }

  /** Returns options with the given {@link #verify}. */
  public CopyOptions verify(boolean value) {
    return new CopyOptions(tables, range, existing, live, skipOversized, value, progress);
  }

  /** Returns options with the given {@link #progress}. */
  public CopyOptions progress(Consumer<CopyProgress> value) {
    return new CopyOptions(tables, range, existing, live, skipOversized, verify, value);
  }
}
