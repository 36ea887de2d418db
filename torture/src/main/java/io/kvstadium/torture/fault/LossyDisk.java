package io.kvstadium.torture.fault;

import io.kvstadium.store.internal.Why;
import io.kvstadium.torture.child.FaultedProcess;
import io.kvstadium.torture.child.JavaChild;
import io.kvstadium.torture.child.Shell;
import io.kvstadium.torture.child.WorkerArguments;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A {@link LossyMount} in a namespace, whose power can be cut. */
public final class LossyDisk implements FaultInjector {
  private final MountNamespace namespace;
  private final Path mountPoint;
  private final Process server;
  private final Writer in;
  private final BufferedReader out;
  private final Path log;
  private List<String> evidence = List.of();

  /**
   * Mounts an empty one.
   *
   * @param home where its mount point and its log are
   * @param slowestMillis the longest time that a sync takes
   * @param lies whether a sync does nothing
   */
  public LossyDisk(MountNamespace namespace, Path home, long slowestMillis, boolean lies)
      throws IOException {
    this.namespace = namespace;
    mountPoint = Files.createTempDirectory(home, "mount-");
    log = home.resolve("disk.log");
    List<String> command = new ArrayList<>(namespace.prefix());
    command.addAll(JavaChild.java(home));
    command.add(LossyMain.class.getName());
    command.addAll(
        new WorkerArguments()
            .with("mount", mountPoint)
            .with("library", Objects.requireNonNull(library(), "asked for before"))
            .with("slowest", slowestMillis)
            .with("lies", lies)
            .arguments());
    server = Shell.apart(command).redirectError(log.toFile()).start();
    in = new OutputStreamWriter(server.getOutputStream(), StandardCharsets.UTF_8);
    out =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
    order("mount");
  }

  public static @Nullable String unavailable() {
    String mounts = MountNamespace.unavailable();
    if (mounts != null) {
      return mounts;
    }
    if (library() == null) {
      return "it needs the library of FUSE (package fuse3)";
    }
    Path device = Path.of("/dev/fuse");
    String allow = "; a container has it with --device /dev/fuse";
    if (!Files.exists(device)) {
      return "the device /dev/fuse is missing: load the kernel's module with modprobe fuse" + allow;
    }
    try (FileChannel _ =
        FileChannel.open(device, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return null;
    } catch (IOException e) {
      return "the device /dev/fuse cannot be opened (" + Why.of(e) + ")" + allow;
    }
  }

  /** Where the FUSE library is, or {@code null}. */
  private static @Nullable Path library() {
    String name = "libfuse3.so.3";
    for (Path folder : List.of(Path.of("/usr/lib64"), Path.of("/usr/lib"), Path.of("/lib"))) {
      if (Files.exists(folder.resolve(name))) {
        return folder.resolve(name);
      }
      String[] subs = Objects.requireNonNullElse(folder.toFile().list(), new String[0]);
      for (String sub : subs) { // such as x86_64-linux-gnu
        if (Files.exists(folder.resolve(sub).resolve(name))) {
          return folder.resolve(sub).resolve(name);
        }
      }
    }
    return null;
  }

  /**
   * Gives an order, and returns the lines of the answer but the last, which says that it is done.
   */
  private List<String> order(String line) throws IOException {
    in.write(line + "\n");
    in.flush();
    List<String> answer = new ArrayList<>();
    for (String read = out.readLine(); read != null; read = out.readLine()) {
      if (read.equals(LossyMain.DONE)) {
        return answer;
      }
      answer.add(read);
    }
    throw new IOException(
        "the file system of FUSE ended at '"
            + line
            + "': "
            + String.join(" | ", Files.readAllLines(log).stream().limit(12).toList()));
  }

  @Override
  public Path directory() {
    return mountPoint;
  }

  @Override
  public List<String> prefix() {
    return namespace.prefix();
  }

  @Override
  public void inject(FaultedProcess process, SplittableRandom random)
      throws IOException, InterruptedException {
    evidence = order("die");
    process.kill();
    order("unmount");
    order("lose " + random.nextLong());
    order("mount");
  }

  @Override
  public List<String> evidence() {
    return evidence;
  }

  @Override
  public boolean acknowledgesToTheEnd() {
    return false;
  }

  @Override
  public void close() throws IOException {
    order("die");
    order("unmount");
    in.close();
    try {
      server.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.destroyForcibly();
    }
    Files.delete(mountPoint);
  }
}
