package io.kvstadium.store;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Something that an engine can or cannot do. What an open store does not list in {@link
 * Store#capabilities()} is refused with {@link UnsupportedException}, never emulated.
 */
public enum Capability {
  /** Entries survive the close of the store. */
  PERSISTENT("persistence"),
  /**
   * Entries can be put and deleted one by one at any time. Without it, {@link Table#bulkLoad} is
   * the only way in.
   */
  WRITE("puts and deletes"),
  /** {@link Table#bulkLoad} has a faster path than batches. */
  BULK_LOAD("bulk load"),
  /** All entries can be listed, in no particular order. */
  SCAN("scans"),
  /** Scans run in unsigned byte order of the keys, in both directions, over ranges. */
  ORDERED_SCAN("ordered scans of ranges in both directions"),
  /** A store holds several tables. */
  TABLES("several tables"),
  /** Several writes, over any tables of the store, are applied atomically. */
  BATCH("atomic batches"),
  /**
   * The entries of a range are removed in one atomic step of the engine, by {@link
   * Table#delete(Range)}, which otherwise takes several steps, and in batches.
   */
  RANGE_DELETE("atomic deletion of ranges"),
  /**
   * {@link Store#transact}, in either mode. Every store with one of the next two has it; an engine
   * need not declare it.
   */
  TRANSACTION("transactions"),
  /** Transactions whose conflicts are detected at commit. */
  OPTIMISTIC_TRANSACTION("optimistic transactions"),
  /** Transactions that lock what they touch. */
  PESSIMISTIC_TRANSACTION("pessimistic transactions"),
  /**
   * What a transaction scanned is protected like what it read by key: until its commit, others do
   * not change, remove or add entries in the range that it passed, or the transaction fails. This
   * makes the transactions serializable.
   */
  SERIALIZABLE_SCANS("serializable scans in transactions"),
  /** A consistent read-only view while others write. */
  SNAPSHOT("snapshots"),
  /** The store's entries can be copied, as they are at one moment, while others write. */
  BACKUP("online backups"),
  /** The store can be opened without the right to change it. */
  READ_ONLY("read-only open"),
  /**
   * The store can be opened read-only while another process has it open for writing. Within one
   * process a store in a directory is open once: share it.
   */
  CONCURRENT_READ_ONLY("read-only open beside a writer"),
  /** Stores that another program wrote can be opened; see {@code adopt=true} at {@link Stadium}. */
  ADOPT("adoption of other programs' stores"),
  /**
   * What is stored has checksums, values included, that are checked by each read from the disk:
   * damage is a {@link CorruptException}, never a wrong value. On others, {@link
   * io.kvstadium.store.codec.Codec#checked} finds it.
   */
  CHECKSUMS("checksums of what is stored"),
  /** The key of length zero is a key like any other. */
  EMPTY_KEY("empty keys"),
  /** The number of entries can be estimated without reading them. */
  ESTIMATED_COUNT("estimated count"),
  /** The space of deleted and overwritten entries can be reclaimed on request. */
  COMPACT("compaction on request"),
  /**
   * After a {@link FullException} of a full disk, writes succeed again as soon as there is space.
   * Other stores have to be closed and opened again, in the same process.
   */
  RESUME_AFTER_FULL("going on after a full disk without a reopen");

  private final String description;

  Capability(String description) {
    this.description = description;
  }

  /** What an engine declares, with what that implies; immutable. */
  public static Set<Capability> all(Set<Capability> declared) {
    EnumSet<Capability> all = EnumSet.noneOf(Capability.class);
    all.addAll(declared);
    all.remove(TRANSACTION);
    if (all.contains(OPTIMISTIC_TRANSACTION) || all.contains(PESSIMISTIC_TRANSACTION)) {
      all.add(TRANSACTION);
    }
    return Collections.unmodifiableSet(all);
  }

  /** A few words for human readers, such as {@code "atomic batches"}. */
  public String description() {
    return description;
  }

  /** The word used in machine-readable output: {@code ordered-scan} … */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
