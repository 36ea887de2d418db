package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.help.ServerUrls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A server that speaks RocksServer's HTTP protocol. */
public final class RocksServerEngine implements Engine {
  static final EngineInfo INFO = Declarations.info(RocksServerEngine.class::getResourceAsStream);

  /** For {@link java.util.ServiceLoader}. */
  public RocksServerEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  private static Address address(StoreConfig config) {
    return Address.of(config.location(), config.options());
  }

  @Override
  public void check(StoreConfig config) {
    address(config);
  }

  @Override
  public boolean exists(StoreConfig config) throws IOException {
    return RocksServerStore.isStore(address(config));
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws IOException {
    return RocksServerStore.open(config, address(config));
  }

  @Override
  public void destroy(StoreConfig config) throws IOException {
    Address address = address(config);
    if (address.shared()) {
      throw new BadArgumentException(
          "rocksserver: " + address + " is shared and not destroyed: empty it by hand");
    }
    if (RocksServerStore.isStore(address)) {
      RocksServerStore store = RocksServerStore.open(config, address);
      try {
        store.empty();
      } finally {
        store.close();
      }
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return meaning(thrown);
  }

  static @Nullable Failure meaning(Throwable thrown) {
    return switch (thrown) {
      case RefusedException _ ->
          new Failure(Kind.OTHER, "the server refused a call", "see its log");
      case Http.LostAnswerException _ -> ServerUrls.unanswered();
      case IOException e -> ServerUrls.unreachable(e);
      default -> null;
    };
  }
}
