package io.kvstadium.torture.fault;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.child.Home;
import io.kvstadium.torture.child.Shell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores that broke a guarantee, each as the fault left it, before anything opened it. */
public final class KeptStores implements AutoCloseable {
  private final @Nullable Path directory;
  private int kept;

  /**
   * Keeps stores in a directory.
   *
   * @param directory empty or nonexistent; {@code null} to keep none
   * @throws BadArgumentException if it holds anything
   */
  public KeptStores(@Nullable Path directory) throws IOException {
    this.directory = directory == null ? null : directory.toAbsolutePath().normalize();
    if (this.directory != null) {
      if (Files.exists(this.directory) && !Home.isEmptyDirectory(this.directory)) {
        throw new BadArgumentException(
            "--keep " + directory + ": name a directory that is empty or does not exist");
      }
      Files.createDirectories(this.directory);
    }
  }

  /** Copies what the injector holds, in place of the last copy. */
  public void afterFault(FaultInjector injector) throws IOException, InterruptedException {
    if (directory == null) {
      return;
    }
    Path latest = latest(directory);
    Home.remove(latest);
    // only a process in the injector's mount namespace sees it
    List<String> command = new ArrayList<>(injector.prefix());
    command.addAll(List.of("cp", "-a", injector.directory().toString(), latest.toString()));
    Process copy = Shell.apart(command).redirectErrorStream(true).start();
    String said = new String(copy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (copy.waitFor() != 0) {
      throw new IOException("what the fault left cannot be copied: " + said.strip());
    }
  }

  /**
   * Keeps the last copy.
   *
   * @param replay the line that repeats its sequence
   * @return where it is, or {@code null} if no stores are kept
   */
  public @Nullable Path keep(List<Finding> findings, String replay) throws IOException {
    if (directory == null) {
      return null;
    }
    Path place = Files.move(latest(directory), directory.resolve(Integer.toString(++kept)));
    Files.writeString(
        place.resolve("finding.txt"),
        Stream.concat(findings.stream().map(Finding::toString), Stream.of("replay: " + replay))
            .collect(Collectors.joining("\n", "", "\n")));
    return place;
  }

  private static Path latest(Path directory) {
    return directory.resolve("latest");
  }

  @Override
  public void close() throws IOException {
    if (directory != null) {
      Home.remove(latest(directory));
    }
  }
}
