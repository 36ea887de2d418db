package io.kvstadium.store.spi;

import io.kvstadium.store.Capability;
import io.kvstadium.store.EngineInfo;
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

  /** The same for what a store's URL asks for, where that makes a difference. */
  default @Nullable String unavailable(StoreConfig config) {
    return unavailable();
  }

  /**
   * The directory in which the store lies, or {@code null} if it lies elsewhere or nowhere; decided
   * by the URL alone.
   *
   * @param location the URL's part between the engine's name and its options
   * @param options the store's options
   */
  default @Nullable String directory(String location, Options options) {
    return info().onDisk() ? location : null;
  }

  /**
   * Refuses what it cannot open as asked, by options that do not go together; called before
   * anything is locked or made.
   *
   * @throws io.kvstadium.store.BadArgumentException saying what to change
   * @throws io.kvstadium.store.UnsupportedException saying what there is instead
   */
  default void check(StoreConfig config) {}

  /**
   * What a store that is opened so for writing can do, as far as its options tell: a subset of
   * {@link EngineInfo#capabilities()}. For those who plan before there is a store. Of a store in a
   * directory it is exactly what {@link EngineStore#capabilities()} will say.
   */
  default Set<Capability> capabilities(StoreConfig config) {
    return info().capabilities();
  }

  /**
   * Whether the place holds a store of this engine. Reads file names at the most; where there is no
   * directory, it may ask a server. Where there is one, the options are not to be looked at: they
   * may be another engine's.
   */
  boolean exists(StoreConfig config) throws Exception;

  /**
   * Whether one process may have a store open several times, once for writing and otherwise for
   * reading. Asked of engines with {@link io.kvstadium.store.Capability#CONCURRENT_READ_ONLY}; if
   * false, the library refuses a second open in the same process.
   */
  default boolean opensTwiceInOneProcess() {
    return true;
  }

  /**
   * Opens the store, and creates it if it is not there. (The library has already refused what must
   * not be created or must not exist.)
   *
   * @throws Exception whatever it meets; see {@link #classify}
   */
  EngineStore<?> open(StoreConfig config) throws Exception;

  /**
   * Removes what the place holds beyond the files in {@link StoreConfig#directory()}, which the
   * library removes itself: nothing, for most.
   */
  default void destroy(StoreConfig config) throws Exception {}

  /**
   * What a failure of {@link #exists}, {@link #open} or {@link #destroy} means; {@code null} if the
   * adapter does not know it. The library knows {@link java.io.IOException} itself, and throws
   * others on as they are. Never asked about a {@link io.kvstadium.store.StadiumException}.
   */
  default @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return null;
  }
}
