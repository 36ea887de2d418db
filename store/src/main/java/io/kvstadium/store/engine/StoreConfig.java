package io.kvstadium.store.engine;

import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Options;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How to open a store; checked by the library.
 *
 * @param location the URL's part between the engine's name and its options, as written
 * @param path the directory that the engine named for this location, or with {@code adopt} perhaps
 *     a file; {@code null} if it named none
 * @param durability the level to provide: what {@link EngineInfo#durability()} has as {@link
 *     io.kvstadium.store.engine.declare.DurabilityMapping#effective} for the one asked for
 * @param readOnly whether nothing may be changed; only for engines with {@link
 *     io.kvstadium.store.Capability#READ_ONLY}
 * @param options the store's options, each with a value or its default
 * @param tables the options of a table by its name; see {@link #tableOptions}
 * @param adopt whether another program wrote the store, whose files and tables must be taken as
 *     they are: nothing is created, no table, setting or file of the adapter's own; only for
 *     engines with {@link io.kvstadium.store.Capability#ADOPT}
 */
public record StoreConfig(
    String location,
    @Nullable Path path,
    Durability durability,
    boolean readOnly,
    Options options,
    Function<String, Options> tables,
    boolean adopt) {

  /** For a store that is not adopted. */
  public StoreConfig(
      String location,
      @Nullable Path path,
      Durability durability,
      boolean readOnly,
      Options options,
      Function<String, Options> tables) {
    this(location, path, durability, readOnly, options, tables, false);
  }

  /** Returns the same for a store that another program wrote. */
  public StoreConfig adopted() {
    return new StoreConfig(location, path, durability, true, options, tables, true);
  }

  /**
   * The store's directory, which exists when {@link Engine#open} is called; with {@link #adopt}
   * perhaps its file.
   */
  public Path directory() {
    if (path == null) {
      throw new IllegalStateException("an engine that is not onDisk() has no directory");
    }
    return path;
  }

  /**
   * The options of a table, each with the value given for it, or for every table, or its default:
   * the same as {@link EngineStore#openTable} gets, for engines that open all tables at once.
   */
  public Options tableOptions(String table) {
    return tables.apply(table);
  }
}
