package io.kvstadium.torture.child;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A virtual machine that reports over a socket. */
public final class JavaChild implements Link {
  /** What it reads when its full disk has space again. */
  static final int RESUME = 'r';

  private final ServerSocketChannel server;

  private JavaChild(ServerSocketChannel server) {
    this.server = server;
  }

  /** Starts virtual machines. */
  public record Machines() implements Children {
    @Override
    public Child start(
        Path home, List<String> prefix, Role role, WorkerArguments arguments, long[] start)
        throws IOException {
      Class<?> main = role == Role.CHECKER ? CheckerMain.class : WorkerMain.class;
      return JavaChild.start(home, prefix, main, arguments, start);
    }

    @Override
    public boolean endAtErrors() {
      return false;
    }
  }

  private static Child start(
      Path home, List<String> prefix, Class<?> main, WorkerArguments arguments, long[] start)
      throws IOException {
    Path socket = home.resolve("socket");
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    server.configureBlocking(false);
    Path temporary = Files.createTempDirectory(home, "tmp-");
    List<String> command = new ArrayList<>(prefix);
    command.addAll(java(home));
    // native libraries are unpacked there, and a killed process leaves them behind
    command.add(command.indexOf("-cp"), "-Djava.io.tmpdir=" + temporary);
    command.add(main.getName());
    command.addAll(arguments.with("socket", socket).arguments());
    ProcessBuilder builder = Shell.apart(command).redirectErrorStream(true);
    Path log = home.resolve("child.log");
    return new Child(
        log, temporary, builder.redirectOutput(log.toFile()), new JavaChild(server), start);
  }

  /** The beginning of a command for another process like this one. */
  public static List<String> java(Path home) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--") || argument.startsWith("-D"))
        .forEach(command::add);
    if (System.getProperty("stadium.engines") != null) { // set by this process itself
      command.add("-Dstadium.engines=" + System.getProperty("stadium.engines"));
    }
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + home.resolve("crash.log"),
            "-cp",
            System.getProperty("java.class.path")));
    return command;
  }

  @Override
  public void listen(Process process, Consumer<Message> heard) throws IOException {
    try (server;
        SocketChannel channel = accept(process)) {
      if (channel != null) {
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
        for (Message message = Message.read(in); message != null; message = Message.read(in)) {
          heard.accept(message);
        }
      }
    }
  }

  /** Waits for the child; {@code null} if it ended without connecting. */
  private @Nullable SocketChannel accept(Process process) throws IOException {
    while (true) {
      boolean alive = process.isAlive(); // asked before: it may connect, speak and end in between
      SocketChannel channel = server.accept();
      if (channel != null || !alive) {
        return channel;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @Override
  public void askToClose(Process process) {
    ask(process, 'c');
  }

  @Override
  public void askToResume(Process process) {
    ask(process, RESUME);
  }

  private static void ask(Process process, int what) {
    try {
      OutputStream in = process.getOutputStream();
      in.write(what);
      in.flush();
    } catch (IOException e) {
      // it is gone; that is noticed elsewhere
    }
  }
}
