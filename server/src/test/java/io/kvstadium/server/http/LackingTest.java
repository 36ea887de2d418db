package io.kvstadium.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Altered;
import io.kvstadium.testsupport.Wire;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the server answers if an engine lacks something. */
class LackingTest {
  private static final ServerOptions HTTP = ServerOptions.DEFAULT.redisPort(-1).httpPort(0);

  private final Store whole = Stadium.open("memory:");

  @AfterEach
  void close() {
    whole.close();
  }

  /** The store, as if its engine lacked a capability. */
  private Store without(Capability capability) {
    Set<Capability> left = EnumSet.copyOf(whole.capabilities());
    left.remove(capability);
    return Altered.of(Store.class, whole, "capabilities", left);
  }

  private static String answer(Server server, String request) {
    return Wire.answer(server.httpPort(), request);
  }

  @Test
  void severalTables() {
    Store one = without(Capability.TABLES);

    assertThatThrownBy(() -> Server.start(one, HTTP, line -> {}).close())
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("has only one table")
        .hasMessageContaining("--raw");
    ServerOptions raw = ServerOptions.DEFAULT.redisPort(-1).httpPort(0).raw(true);
    try (Server server = Server.start(one, raw, line -> {})) {
      assertThat(answer(server, Served.put("k", "v"))).startsWith("204 ");
    }
  }

  @Test
  void batches() {
    try (Server server = Server.start(without(Capability.BATCH), HTTP, line -> {})) {
      String batch = "POST /v1/batch HTTP/1.1\r\nContent-Length: 17\r\n\r\n{\"operations\":[]}";

      assertThat(answer(server, batch)).startsWith("501 ");
    }
  }
}
