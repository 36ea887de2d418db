package io.kvstadium.engine.redis;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;

class RedisConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return TestServer.unavailable();
  }

  @Override
  protected String url(Path directory) {
    return TestServer.shared().url(directory);
  }

  @Override
  public boolean endConnections() {
    TestServer.shared().command(Command.CLIENT, "KILL", "TYPE", "normal", "SKIPME", "yes");
    return true;
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }
}
