package io.kvstadium.cli;

import io.kvstadium.cli.Cli.Run;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * One process that runs many commands, one after another: starting a virtual machine for each costs
 * far more than most commands do. Commands and exit codes go through a socket, since standard
 * output belongs to the commands. For one thread at a time.
 */
final class Resident implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 600_000;

  private final Path directory;
  private final Cli.Started process;
  private final Socket socket;
  private final DataOutputStream commands;
  private final DataInputStream exits;
  private Run before = new Run(0, "", "");

  /**
   * Starts it.
   *
   * @param directory where the commands run
   */
  Resident(Path directory) {
    this.directory = directory;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(PATIENCE_MILLIS);
      process = new Cli(directory).withMain(Resident.class.getName()).start(server.getLocalPort());
      socket = server.accept();
      socket.setSoTimeout(PATIENCE_MILLIS);
      commands = new DataOutputStream(socket.getOutputStream());
      exits = new DataInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command, as {@link Cli#run} does. */
  Run run(Object... arguments) {
    return runWith(new byte[0], arguments);
  }

  /** Runs a command that reads this from standard input. */
  Run runWith(byte[] input, Object... arguments) {
    try {
      commands.writeInt(arguments.length);
      for (Object each : arguments) {
        write(each.toString().getBytes(StandardCharsets.UTF_8));
      }
      write(input);
      commands.flush();
      Run all = process.soFar(exits.readInt());
      Run own =
          new Run(
              all.exit(),
              all.out().substring(before.out().length()),
              all.err().substring(before.err().length()));
      before = all;
      Advice.check(Stream.of(arguments).map(Object::toString).toList(), own.err());
      return own;
    } catch (IOException e) {
      throw new UncheckedIOException("the process does not answer to " + List.of(arguments), e);
    }
  }

  /** Empties the directory, for the next test. */
  void clear() throws IOException {
    try (Stream<Path> left = Files.list(directory)) {
      for (Path each : left.toList()) {
        FileTrees.remove(each);
      }
    }
  }

  private void write(byte[] bytes) throws IOException {
    commands.writeInt(bytes.length);
    commands.write(bytes);
  }

  @Override
  public void close() {
    try {
      socket.close();
      process.process().destroyForcibly();
      process.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs commands until its parent ends it, or is gone. */
  public static void main(String[] args) throws IOException {
    Main.setEncoding();
    try (Socket parent = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
      DataInputStream commands = new DataInputStream(parent.getInputStream());
      DataOutputStream exits = new DataOutputStream(parent.getOutputStream());
      while (true) {
        String[] arguments = new String[commands.readInt()];
        for (int i = 0; i < arguments.length; i++) {
          arguments[i] = new String(read(commands), StandardCharsets.UTF_8);
        }
        System.setIn(new ByteArrayInputStream(read(commands)));
        exits.writeInt(Main.run(arguments));
      }
    }
  }

  private static byte[] read(DataInputStream in) throws IOException {
    return in.readNBytes(in.readInt());
  }
}
