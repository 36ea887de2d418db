package io.kvstadium.torture.fault;

import io.kvstadium.torture.child.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Mounts that only this run sees: a shell in its own mount namespace. The shell ends with this
 * process, however that ends, and the mounts end with the shell; so nothing is left behind.
 */
public final class MountNamespace implements AutoCloseable {
  private static final String END = "::end::";

  private final boolean ofUser;
  private final Process shell;
  private final Writer in;
  private final BufferedReader out;

  /** Root's. */
  public MountNamespace() throws IOException {
    this(false);
  }

  /** Of a user, who may mount there what is in memory; a process in it has no more rights. */
  static MountNamespace ofUser() throws IOException {
    return new MountNamespace(true);
  }

  private MountNamespace(boolean ofUser) throws IOException {
    this.ofUser = ofUser;
    List<String> command = new ArrayList<>(List.of("unshare"));
    if (ofUser) {
      command.addAll(List.of("--user", "--map-current-user", "--keep-caps"));
    }
    command.addAll(List.of("--mount", "--propagation", "private", "sh"));
    shell = Shell.apart(command).redirectErrorStream(true).start();
    in = new OutputStreamWriter(shell.getOutputStream(), StandardCharsets.UTF_8);
    out = new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
    try {
      run("true");
    } catch (IOException e) { // it has ended, and said why
      throw new IOException(out.lines().collect(Collectors.joining(" ")).strip(), e);
    }
  }

  /** Why it is not available here, or {@code null}. */
  public static @Nullable String unavailable() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return "it needs Linux";
    }
    if (!isRoot()) {
      return "it needs root, to mount a file system of its own: run it with sudo";
    }
    for (String program : List.of("unshare", "nsenter", "mount", "umount")) {
      if (!Shell.isInstalled(program)) {
        return "it needs the program " + program + " (packages util-linux and mount)";
      }
    }
    return Trial.REASON;
  }

  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Containers often forbid what root may do elsewhere: only trying tells. Done once. */
  private static final class Trial {
    static final @Nullable String REASON = FullDisk.trial(false);
  }

  /**
   * Runs a command in it.
   *
   * @throws IOException if it fails, with what it wrote
   */
  String run(String... words) throws IOException {
    String command = Arrays.stream(words).map(Shell::quoted).collect(Collectors.joining(" "));
    in.write("PATH=$PATH:/usr/sbin:/sbin " + command + " </dev/null; echo \"" + END + "$?\"\n");
    in.flush();
    StringBuilder told = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      int end = line.indexOf(END);
      if (end < 0) {
        told.append(line).append('\n');
        continue;
      }
      told.append(line, 0, end);
      if (!line.substring(end + END.length()).equals("0")) {
        throw new IOException(command + " failed: " + told.toString().strip());
      }
      return told.toString();
    }
    throw new IOException(
        "the shell of the mount namespace ended at " + command + ": " + told.toString().strip());
  }

  /** Words before a command that must run in it. */
  List<String> prefix() {
    String namespaces = "/proc/" + shell.pid() + "/ns/";
    List<String> words = new ArrayList<>(List.of("nsenter", "--mount=" + namespaces + "mnt"));
    if (ofUser) {
      words.addAll(List.of("--user=" + namespaces + "user", "--preserve-credentials"));
    }
    words.add("--");
    return words;
  }

  /** A path in it, as this process can open it. */
  Path seen(Path inside) {
    return Path.of("/proc/" + shell.pid() + "/root" + inside);
  }

  /** Its mounts, as in {@code proc(5)}. */
  List<String> mountInfo() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + shell.pid() + "/mountinfo"));
  }

  @Override
  public void close() throws IOException {
    in.close();
    try {
      shell.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      shell.destroyForcibly();
    }
  }
}
