package io.kvstadium.store.engine.help;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whether native code can be loaded from where bindings unpack it: the directory for temporary
 * files is mounted {@code noexec} on many hardened machines, and each binding says something else
 * then.
 */
public final class NativeCode {
  private NativeCode() {}

  /**
   * Why native code cannot be loaded from the directory for temporary files and what to do, or
   * {@code null} if nothing is known against it.
   *
   * @param properties system properties by which the binding lets its users name another directory;
   *     the first that is set is used
   */
  public static @Nullable String forbidden(String... properties) {
    String property =
        Arrays.stream(properties)
            .filter(name -> System.getProperty(name) != null)
            .findFirst()
            .orElse("java.io.tmpdir");
    String directory = System.getProperty(property, ".");
    return isNoexec(Path.of(directory))
        ? "native code cannot be loaded from %s, which is mounted noexec: name another directory with -D%s=DIRECTORY (in STADIUM_JAVA_OPTS for the command)"
            .formatted(directory, property)
        : null;
  }

  /**
   * Whether the system refuses to execute files of this directory. Asks the kernel about a file
   * that has the permission, which needs no table of mounts; false if no such file can be made.
   */
  public static boolean isNoexec(Path directory) {
    try {
      Path file = Files.createTempFile(directory, "kv-stadium-", "");
      try {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE)
            && !Files.isExecutable(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException | UnsupportedOperationException _) {
      return false;
    }
  }
}
