package io.kvstadium.engine.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Properties;

/**
 * A server's program as an artifact of Maven's repository, for Linux on x86-64. It is large, so it
 * is not part of the distribution.
 *
 * @param engine the engine's name
 * @param title the server's name
 * @param version the one that belongs to the engine
 * @param path below a repository
 * @param binary the program, below where the artifact was unpacked
 * @param unpacking how
 * @param howToGet what users can do without it
 */
public record ServerArtifact(
    String engine,
    String title,
    String version,
    String path,
    String binary,
    Unpacking unpacking,
    String howToGet) {
  private static final Properties KNOWN = known();

  /** Takes what is needed from an artifact. */
  @FunctionalInterface
  public interface Unpacking {
    /**
     * Takes it.
     *
     * @param into does not exist yet
     */
    void unpack(Path artifact, Path into) throws IOException;
  }

  /**
   * The artifact of the version that belongs to an engine.
   *
   * @param coordinates group and name, with a colon in between
   * @param howToGet with {@code %s} for the command that gets it into the local repository
   */
  public static ServerArtifact of(
      String engine,
      String title,
      String coordinates,
      String binary,
      Unpacking unpacking,
      String howToGet) {
    String version = version(engine);
    String[] names = coordinates.split(":", 2);
    return new ServerArtifact(
        engine,
        title,
        version,
        "%1$s/%2$s/%3$s/%2$s-%3$s.jar".formatted(names[0].replace('.', '/'), names[1], version),
        binary,
        unpacking,
        howToGet.formatted("mvn dependency:get -Dartifact=" + coordinates + ":" + version));
  }

  /** The version that belongs to an engine. */
  public static String version(String engine) {
    return KNOWN.getProperty(engine + ".version", "unknown");
  }

  private static Properties known() {
    try (InputStream in = ServerArtifact.class.getResourceAsStream("servers.properties")) {
      Properties known = new Properties();
      known.load(in);
      return known;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
