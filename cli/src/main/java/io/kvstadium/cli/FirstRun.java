package io.kvstadium.cli;

import io.kvstadium.cli.engines.Installed;
import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Loads the classes that commands need at startup. The launcher runs it once and keeps the classes
 * in its cache for later starts.
 */
final class FirstRun {
  private FirstRun() {}

  public static void main(String[] args) throws IOException {
    Main.commandLine();
    Main.exitCode("--help");
    Main.exitCode("engines");
    Main.exitCode("put", "memory:", "k", "v", "--create");
    Main.exitCode("get", "memory:", "k");
    ServerOptions anyPorts = ServerOptions.DEFAULT.redisPort(0).httpPort(0);
    try (Store store = new Installed().engines().open("memory:", OpenOptions.DEFAULT);
        Server server = Server.start(store, anyPorts, _ -> {});
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.redisPort())) {
      client.setSoTimeout(5_000); // whatever happens, the user's command comes next
      client
          .getOutputStream()
          .write("SET k v\r\nGET k\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
      client.getInputStream().readAllBytes();
    }
  }
}
