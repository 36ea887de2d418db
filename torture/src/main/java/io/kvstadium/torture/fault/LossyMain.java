package io.kvstadium.torture.fault;

import io.kvstadium.torture.child.WorkerArguments;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.cryptomator.jfuse.api.Fuse;
import org.cryptomator.jfuse.api.FuseBuilder;
import org.cryptomator.jfuse.api.FuseMountFailedException;

/**
 * The process of a {@link LossyMount}. It answers each line of its standard input on its standard
 * output, where the last line of an answer is {@link #DONE}, and ends when there are no more. The
 * answer to {@code die} says what was not durable.
 */
public final class LossyMain {
  /** The last line of each answer. */
  static final String DONE = "done";

  private LossyMain() {}

  /** Arguments: {@link WorkerArguments}. */
  public static void main(String[] args)
      throws IOException, FuseMountFailedException, TimeoutException {
    WorkerArguments arguments = WorkerArguments.of(args);
    Path mountPoint = Path.of(arguments.get("mount"));
    long slowestMillis = Long.parseLong(arguments.get("slowest"));
    boolean lies = Boolean.parseBoolean(arguments.get("lies"));
    LossyFiles files = new LossyFiles();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    LossyMount mount = null;
    Fuse fuse = null;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      switch (line.split(" ", 2)[0]) {
        case "mount" -> {
          FuseBuilder builder = Fuse.builder();
          builder.setLibraryPath(arguments.get("library"));
          mount = new LossyMount(files, builder.errno(), slowestMillis, lies);
          fuse = builder.build(mount);
          fuse.mount("stadium", mountPoint, "-f", "-odefault_permissions");
        }
        case "die" -> {
          if (mount != null) {
            mount.die().forEach(out::println);
          }
        }
        case "unmount" -> {
          if (fuse != null) {
            fuse.close();
          }
        }
        case "lose" -> files.cut(new SplittableRandom(Long.parseLong(line.split(" ", 2)[1])));
        default -> throw new IllegalArgumentException("unknown order: " + line);
      }
      out.println(DONE);
      out.flush();
    }
    Runtime.getRuntime().halt(0); // what is still mounted ends with its namespace
  }
}
