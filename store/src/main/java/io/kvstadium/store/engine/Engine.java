package io.kvstadium.store.engine;

import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A storage implementation, found through {@link java.util.ServiceLoader}. Has a public constructor
 * without arguments that does no work: native libraries are loaded by {@link #open} at the
 * earliest.
 */
public interface Engine {
  /** What the engine is and can do; cheap, and the same at every call. */
  EngineInfo info();

  /**
   * Why it cannot be used on this machine and what to do about it, or {@code null} if it can. May
   * load native libraries.
   */
  default @Nullable String unavailable() {
    return null;
  }

  /**
   * The same for what a store's URL asks for, where that makes a difference. Called before an open
   * locks or makes anything.
   */
  default @Nullable String unavailable(StoreConfig config) {
    return unavailable();
  }

  /**
   * The store's directory, or {@code null} if it is not in one; decided by the URL alone.
   *
   * @param location the URL's part between the engine's name and its options
   * @param options the store's options
   */
  default @Nullable String directory(String location, Options options) {
    return info().onDisk() ? location : null;
  }

  /**
   * Refuses what it cannot open as requested because options are incompatible; called before
   * anything is locked or created.
   *
   * @throws io.kvstadium.store.BadArgumentException saying what to change
   * @throws io.kvstadium.store.UnsupportedException saying what is available instead
   */
  default void check(StoreConfig config) {}

  /**
   * What a store that is opened this way for writing can do, as far as its options show: a subset
   * of {@link EngineInfo#capabilities()}. For planning before there is a store, and what the open
   * store can do, unless it says otherwise ({@link EngineStore#capabilities()}).
   */
  default Set<Capability> capabilities(StoreConfig config) {
    return info().capabilities();
  }

  /**
   * Whether the place holds a store of this engine. Reads at most file names; if there is no
   * directory, it may ask a server. If there is one, the options must not be used: they may be
   * another engine's.
   */
  boolean exists(StoreConfig config) throws Exception;

  /**
   * Opens the store, and creates it if it does not exist. (The library has already refused what
   * must not be created or must not exist.)
   *
   * @throws Exception any failure; see {@link #classify}
   */
  EngineStore<?> open(StoreConfig config) throws Exception;

  /**
   * Removes what the place holds beyond the files in {@link StoreConfig#directory()}, which the
   * library removes itself: nothing, for most engines.
   */
  default void destroy(StoreConfig config) throws Exception {}

  /**
   * What a failure of {@link #exists}, {@link #open} or {@link #destroy} means; {@code null} if the
   * adapter does not know it. The library knows {@link java.io.IOException} itself, and rethrows
   * others unchanged. Never asked about a {@link io.kvstadium.store.StadiumException}.
   */
  default @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return null;
  }
}
