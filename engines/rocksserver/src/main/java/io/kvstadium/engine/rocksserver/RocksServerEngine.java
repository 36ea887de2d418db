package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Limits;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Kind;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A server that speaks RocksServer's HTTP protocol. */
public final class RocksServerEngine implements Engine {
  static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.BATCH,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY);

  private static final int MAX_KEY = 2_000;
  private static final int MAX_VALUE = (64 << 20) - (8 << 10);

  private static final DurabilityMapping NONE = DurabilityMapping.none("whatever the server has");

  private static final EngineInfo INFO =
      new EngineInfo(
              "rocksserver",
              "RocksServer protocol",
              "1",
              "Apache-2.0",
              "What a RocksServer has, or a `stadium serve`, by the former's HTTP protocol.",
              "The client is part of KV Stadium; RocksServer is a project of one author"
                  + " (https://github.com/valmat/RocksServer).",
              false,
              CAPABILITIES,
              new Limits(MAX_KEY, MAX_VALUE),
              DurabilityMapping.levels(NONE, NONE.byDefault()),
              RocksServerOptions.ALL,
              List.of(
                  "rocksserver://host:port is a running server; the port is 5577 by default.",
                  "The server must be empty or this store's alone, which the key kv-stadium:store marks;"
                      + " destroying it removes all entries. With shared=true any server is used as it"
                      + " is, without a mark, and never destroyed.",
                  "Keys are in the first line of a request as they are, so with keys=raw, the default,"
                      + " those with blanks, control characters, &, ?, # or the byte 0xff are refused."
                      + " keys=hex sends digits, carries every key in the same order, and takes twice"
                      + " the bytes; other clients see the digits.",
                  "The protocol says nothing about durability and has no sync(): the level is none, and"
                      + " sync() is refused.",
                  "It knows neither passwords nor encryption.",
                  "A scan upwards is one request, whose answer is read as it arrives. It gives no"
                      + " number of entries, so the server sends all of the range until the scan is"
                      + " closed, and the original makes the whole answer first. Each step downwards is"
                      + " a request.",
                  "Scans see what the server gives: `stadium serve` reads from a snapshot.",
                  "Counting reads all entries.",
                  "getAll is one request for as many keys as request_line has room for.",
                  "A batch is one request, so its bytes count: `stadium serve` takes 64 MB.",
                  "Conditional writes hold against others only within this process.",
                  "Calls of virtual threads are made by platform threads, one more hand-over each."))
          .asLegacy();

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
    return RocksServerStore.isStore(config, address(config));
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
    if (RocksServerStore.isStore(config, address)) {
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
      case UnknownHostException e ->
          new Failure(Kind.IO, "unknown host " + e.getMessage(), "check the URL");
      case RefusedException _ ->
          new Failure(Kind.OTHER, "the server refused a call", "see its log");
      case IOException e ->
          new Failure(
              Kind.IO,
              "the server does not answer, " + e,
              "check host and port, and that the server runs");
      default -> null;
    };
  }
}
