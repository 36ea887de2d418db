package io.kvstadium.store;

import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.Gate;
import io.kvstadium.store.spi.StoreConfig;
import org.jspecify.annotations.Nullable;

/** An open store that follows a writer elsewhere. */
final class FollowingStore<T extends EngineTable> extends OpenStore<T> implements Follower {
  FollowingStore(
      String url,
      EngineInfo engine,
      EngineStore<T> engineStore,
      StoreConfig config,
      OpenOptions how,
      StoreDirectory.@Nullable Lock lock,
      Engines engines) {
    super(url, engine, engineStore, config, how, lock, engines);
  }

  @Override
  public void catchUp() {
    Gate.Pass pass = access().enter();
    try {
      engineStore().catchUp();
    } finally {
      access().exit(pass);
    }
  }
}
