package io.kvstadium.cli.engines;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.declare.EngineInfo;

/** Opens existing stores for reading only. */
public final class ReadOnly {
  private ReadOnly() {}

  /** Opens it read-only where the engine can, as files that may be damaged. */
  public static Store open(Engines engines, String url) {
    return open(engines, url, can(engines, url));
  }

  /** Opens it as files that may be damaged, read-only or as an application does. */
  public static Store open(Engines engines, String url, boolean readOnly) {
    StoreUrl careful = info(engines, url).careful(StoreUrl.parse(url));
    return engines.open(
        careful.toString(), OpenOptions.DEFAULT.createIfMissing(false).readOnly(readOnly));
  }

  /** Whether the engine can. */
  public static boolean can(Engines engines, String url) {
    return info(engines, url).capabilities().contains(Capability.READ_ONLY);
  }

  /**
   * Returns whether nobody else can write to a store opened this way, because its directory is
   * locked.
   */
  public static boolean isAlone(Store store) {
    return store.engine().onDisk()
        && !store.engine().capabilities().contains(Capability.CONCURRENT_READ_ONLY);
  }

  private static EngineInfo info(Engines engines, String url) {
    return engines.engine(StoreUrl.parse(url).engine()).info();
  }
}
