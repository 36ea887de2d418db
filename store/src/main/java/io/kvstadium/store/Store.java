package io.kvstadium.store;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An open database of one engine, opened by {@link Stadium#open(String)}. Safe for all threads.
 *
 * <p>Every method throws {@link ClosedException} after {@link #close()}, and {@link
 * UnsupportedException} where the engine lacks the capability it needs.
 */
public interface Store extends AutoCloseable {
  /** The name of the table that every store has. */
  String DEFAULT_TABLE = "default";

  /** The URL that it was opened by, with its options. */
  String url();

  /** What its engine is: name, version, limits. */
  io.kvstadium.store.spi.EngineInfo engine();

  /** What this store can do, as it was opened. */
  Set<Capability> capabilities();

  /** How large keys and values may be in this store as opened. */
  io.kvstadium.store.spi.Limits limits();

  /** The level in force: what was asked for, or the next stronger one that the engine has. */
  Durability durability();

  /** The table named {@value #DEFAULT_TABLE}. */
  Table table();

  /**
   * The table of this name, made if there is none.
   *
   * @throws BadArgumentException if the name is empty, longer than 64 characters, or has characters
   *     other than letters, digits, {@code _}, {@code -} and {@code .}
   * @throws UnsupportedException if the engine has only one table
   */
  Table table(String name);

  /** The table of this name with keys and values converted by codecs. */
  default <K, V> TypedTable<K, V> table(String name, Codec<K> keys, Codec<V> values) {
    return table(name).typed(keys, values);
  }

  /** The names of the tables that exist, in order. */
  List<String> tables();

  /**
   * Removes a table with its entries; does nothing if there is none. Handles of it are closed.
   *
   * @throws BadArgumentException for {@value #DEFAULT_TABLE}
   */
  void dropTable(String name);

  /**
   * Runs {@code block} and then applies what it put into the batch, atomically. If the block throws
   * or asks for it by {@link Batch#discard()}, nothing is written.
   */
  void write(Consumer<Batch> block);

  /**
   * Runs {@code block} in a transaction and commits. If the block throws or asks for it by {@link
   * Transaction#rollback()}, nothing is written. On a conflict the block runs again, so it must not
   * have side effects of its own.
   *
   * @return what the block returned in the run that was committed (or rolled back)
   * @throws ConflictException if the last attempt met a conflict too
   */
  <R extends @Nullable Object> R transact(
      TransactionOptions options, Function<Transaction, R> block);

  /** {@link #transact(TransactionOptions, Function)} with {@link TransactionOptions#DEFAULT}. */
  default <R extends @Nullable Object> R transact(Function<Transaction, R> block) {
    return transact(TransactionOptions.DEFAULT, block);
  }

  /** A consistent view of the present state; must be closed. */
  Snapshot snapshot();

  /**
   * On a store that is open read-only beside a writer: makes visible what was written up to now.
   * Snapshots and cursors that are open keep their view.
   *
   * @throws UnsupportedException if the store has no {@link Capability#CATCH_UP}; most read-only
   *     stores see the writer's latest state by themselves
   */
  void catchUp();

  /**
   * Raises everything acknowledged before this call to {@link Durability#POWER}. On an engine that
   * keeps nothing (without {@link Capability#PERSISTENT}) it does nothing.
   */
  void sync();

  /** {@link Table#compact()} of every table. */
  void compact();

  /**
   * The engine's own figures by name; which ones there are is the engine's affair. But two names
   * mean the same on every engine that has them: {@code background_jobs} and {@code
   * compaction_pending_bytes}, which are the parts of {@link #background}.
   */
  Map<String, String> stats();

  /**
   * What the engine does in the background, or {@code null} if it does not tell. Cheap: may be
   * asked many times a second.
   */
  @Nullable BackgroundWork background();

  /**
   * Waits for calls in progress, closes what is still open of it (cursors, snapshots) and then the
   * engine. A second call does nothing.
   *
   * @throws BadArgumentException if called from inside a {@link ValueReader}, {@code write} or
   *     {@code transact} block of this store, where it would wait for itself
   */
  @Override
  void close();
}
