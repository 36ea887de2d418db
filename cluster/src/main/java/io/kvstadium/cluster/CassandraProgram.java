package io.kvstadium.cluster;

import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Cassandra's server and the Java that it runs on.
 *
 * @param java the {@code java} program of a Java 17: 5.0 does not run on a newer one
 * @param jars the directory with its libraries
 */
public record CassandraProgram(Path java, Path jars) {
  private static final Path JVMS = Path.of("/usr/lib/jvm");
  private static final String NEEDED = "17";

  /** The options that Cassandra's own scripts pass to Java 17. */
  private static final List<String> EXPORTS =
      List.of(
          "java.base/jdk.internal.misc",
          "java.base/java.lang.ref",
          "java.management.rmi/com.sun.jmx.remote.internal.rmi",
          "java.rmi/sun.rmi.registry",
          "java.rmi/sun.rmi.server",
          "java.rmi/sun.rmi.transport.tcp",
          "java.sql/java.sql",
          "jdk.unsupported/sun.misc");

  private static final List<String> OPENS =
      List.of(
          "java.base/java.io",
          "java.base/java.lang",
          "java.base/java.lang.module",
          "java.base/java.lang.reflect",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/jdk.internal.loader",
          "java.base/jdk.internal.math",
          "java.base/jdk.internal.module",
          "java.base/jdk.internal.ref",
          "java.base/jdk.internal.reflect",
          "java.base/jdk.internal.util.jar",
          "java.base/sun.nio.ch",
          "jdk.management/com.sun.management.internal");

  /**
   * Looks for both.
   *
   * @param homes where an unpacked Cassandra may be, with its libraries in it or in its {@code lib}
   * @param javaHome of a Java 17, or {@code null} to look for one among those that are installed
   * @throws BadArgumentException if one of them is missing; the message says how to get it
   */
  public static CassandraProgram find(List<Path> homes, @Nullable Path javaHome) {
    Path jars =
        homes.stream()
            .flatMap(home -> Stream.of(home, home.resolve("lib")))
            .filter(CassandraProgram::hasServer)
            .findFirst()
            .orElseThrow(() ->
                new BadArgumentException(
                    "there is no Cassandra in "
                        + homes
                        + ": unpack Apache Cassandra 5.0 (https://cassandra.apache.org/download)"
                        + " and name its directory with --home or $CASSANDRA_HOME; in a checkout of KV"
                        + " Stadium, ./mvnw -q -pl engines/cassandra/node generate-test-resources gets"
                        + " one"));
    Path java = javaHome == null ? installed() : java(javaHome);
    if (java == null) {
      throw new BadArgumentException(
          "Cassandra needs a Java "
              + NEEDED
              + ", and there is none in "
              + (javaHome == null ? JVMS : javaHome)
              + ": install one (apt install openjdk-17-jre-headless) or name its home with --java");
    }
    return new CassandraProgram(java.toAbsolutePath(), jars.toAbsolutePath());
  }

  private static boolean hasServer(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file ->
          String.valueOf(file.getFileName()).matches("(apache-cassandra|cassandra-all)-5.*\\.jar"));
    } catch (IOException _) {
      return false; // no such directory
    }
  }

  private static @Nullable Path installed() {
    try (Stream<Path> homes = Files.list(JVMS)) {
      return homes
          .sorted(Comparator.naturalOrder())
          .map(CassandraProgram::java)
          .filter(java -> java != null)
          .findFirst()
          .orElse(null);
    } catch (IOException _) {
      return null; // no such directory
    }
  }

  private static @Nullable Path java(Path home) {
    try {
      Path release = home.resolve("release");
      Path java = home.resolve("bin/java");
      return Files.isExecutable(java)
              && Files.readString(release).contains("JAVA_VERSION=\"" + NEEDED + ".")
          ? java
          : null;
    } catch (IOException _) {
      return null; // no such file
    }
  }

  /**
   * The command that starts a node.
   *
   * @param options for the JVM: its memory, and Cassandra's own
   */
  public List<String> command(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    EXPORTS.forEach(each -> command.add("--add-exports=" + each + "=ALL-UNNAMED"));
    OPENS.forEach(each -> command.add("--add-opens=" + each + "=ALL-UNNAMED"));
    command.addAll(List.of("-Djdk.attach.allowAttachSelf=true", "-Dcassandra-foreground=yes"));
    command.addAll(options);
    command.addAll(List.of("-cp", jars + "/*", "org.apache.cassandra.service.CassandraDaemon"));
    return command;
  }
}
