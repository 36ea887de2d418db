package io.kvstadium.store;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Limits;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An open database of one engine, opened by {@link Stadium#open(String)}. Thread-safe.
 *
 * <p>Every method but {@link #status} throws {@link ClosedException} after {@link #close()}, and
 * {@link UnsupportedException} where the engine lacks the capability it needs.
 */
public interface Store extends AutoCloseable {
  /** The name of the table that every store has. */
  String DEFAULT_TABLE = "default";

  /** The URL that it was opened with, including its options. */
  String url();

  /** Its engine's description: name, version, limits. */
  EngineInfo engine();

  /** What this store can do, as it was opened. */
  Set<Capability> capabilities();

  /** How large keys and values may be in this store as opened. */
  Limits limits();

  /** The level in force: what was asked for, or the next stronger one that the engine has. */
  Durability durability();

  /** The table named {@value #DEFAULT_TABLE}, of byte strings. */
  Table<byte[], byte[]> table();

  /**
   * The table with this name, of byte strings; created if there is none.
   *
   * @throws BadArgumentException if the name is empty, longer than 63 characters, or has characters
   *     other than letters, digits, {@code _}, {@code -} and {@code .}; or if there is none and the
   *     call is made inside a transaction or a {@link ValueReader}, where it might wait for itself
   * @throws UnsupportedException if the engine has only one table
   */
  Table<byte[], byte[]> table(String name);

  /**
   * The table with this name, with keys and values converted by codecs; created like that of {@link
   * #table(String)}. Cheap: a table can have any number of these, even with different codecs. The
   * types of a table's keys and values are not stored: what was written with other codecs is found
   * out only if it is not in the codecs' format.
   */
  <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values);

  /** The names of the tables that exist, in order. */
  List<String> tables();

  /**
   * Removes a table with its entries; does nothing if there is none. Waits for calls in progress
   * and for blocks that use the table, closes cursors on it, and does not hold up anybody who uses
   * other tables.
   *
   * @throws BadArgumentException for {@value #DEFAULT_TABLE}
   */
  void dropTable(String name);

  /**
   * Runs {@code block} and then applies what it put into the batch, atomically. If the block
   * throws, nothing is written; nor if a call on the batch failed and the block went on.
   *
   * @throws StadiumException also if a call on the batch failed, with the first failure as cause
   */
  void write(Consumer<Batch> block);

  /**
   * Runs {@code block} in a transaction and commits. If the block throws or calls {@link
   * Transaction#rollback()}, nothing is written; nor if a call on the transaction failed, for
   * whatever reason, and the block went on. On a conflict the block runs again, so it must not have
   * other side effects. {@link Transaction} says what it is protected from; whether that includes
   * scans depends on {@link Capability#SERIALIZABLE_SCANS}.
   *
   * @return what the block returned in the run that was committed (or rolled back)
   * @throws ConflictException if it still met conflicts after {@link
   *     TransactionOptions#retryTimeout}; says how often and how long it was tried
   * @throws StadiumException also if a call on the transaction failed, with the first failure as
   *     cause
   */
  <R extends @Nullable Object> R transact(
      TransactionOptions options, Function<Transaction, R> block);

  /** {@link #transact(TransactionOptions, Function)} with {@link TransactionOptions#DEFAULT}. */
  default <R extends @Nullable Object> R transact(Function<Transaction, R> block) {
    return transact(TransactionOptions.DEFAULT, block);
  }

  /**
   * Returns a consistent view of the current state; must be closed.
   *
   * @throws UnsupportedException if the store has no {@link Capability#SNAPSHOT}: then read the
   *     tables themselves, each call on its own
   */
  Snapshot snapshot();

  /**
   * Raises everything acknowledged before this call to {@link Durability#POWER}. On an engine that
   * keeps nothing (without {@link Capability#PERSISTENT}) it does nothing.
   *
   * @throws UnsupportedException if the engine has no level above {@code none} and cannot ask the
   *     server for it
   */
  void sync();

  /** Calls {@link Table#compact()} on every table. */
  boolean compact();

  /**
   * The engine's own statistics by name; which ones there are depends on the engine. Two names mean
   * the same on every engine that has them: {@code background_jobs} and {@code
   * compaction_pending_bytes}, the parts of {@link #background}.
   */
  Map<String, String> stats();

  /**
   * How many bytes the store takes on disk: the lengths of the files in its directory. 0 for one
   * without a directory, such as one on a server.
   */
  long sizeOnDisk();

  /**
   * How many bytes of its disk should stay free: with less, the engine may be unable to write
   * removals, too. 0 if the engine does not know.
   */
  long diskReserve();

  /** The state of the store; may be called at any time, even after the close. */
  StoreStatus status();

  /**
   * What the engine does in the background, or {@code null} if it does not report that. Cheap: may
   * be called many times a second.
   */
  @Nullable BackgroundWork background();

  /** What the engine has held writers up for, or {@code null} if it does not report that. */
  @Nullable WriteStalls stalls();

  /** Its move to another engine, or {@code null} if it was opened without one. */
  @Nullable Move move();

  /**
   * Waits for calls in progress, closes what is still open (cursors, snapshots) and then the
   * engine. A second call waits for the first and does nothing else. If the store had failed
   * ({@link #status}), an engine that cannot close throws nothing: it is added to that failure.
   *
   * @throws BadArgumentException if called from inside a {@link ValueReader}, a {@code write} or
   *     {@code transact} block, a {@code compute} function or the iterator of a {@code bulkLoad} of
   *     this store, where it would wait for itself
   */
  @Override
  void close();
}
