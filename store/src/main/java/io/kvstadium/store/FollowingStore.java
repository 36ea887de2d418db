package io.kvstadium.store;

import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.StoreConfig;
import org.jspecify.annotations.Nullable;

/** An open store that follows a writer elsewhere. */
final class FollowingStore<T extends EngineTable> extends OpenStore<T> implements Follower {
  FollowingStore(
      String url,
      EngineInfo engine,
      EngineStore<T> engineStore,
      StoreConfig config,
      Failures failures,
      OpenOptions how,
      StoreDirectory.@Nullable Lock lock,
      Engines engines) {
    super(url, engine, engineStore, config, failures, how, lock, engines);
  }

  @Override
  public void catchUp() {
    access()
        .read(() -> {
          engineStore().catchUp();
          return true;
        });
  }
}
