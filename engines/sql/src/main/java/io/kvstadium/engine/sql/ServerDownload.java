package io.kvstadium.engine.sql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Downloads a server's program, an artifact in Maven's repository, if its SHA-256 is the known one.
 *
 * @param repository where it is
 * @param allowed whether the user allows it
 */
record ServerDownload(ServerArtifact artifact, String repository, boolean allowed) {
  private static final System.Logger LOG = System.getLogger(ServerDownload.class.getPackageName());
  private static final int CONNECT_MILLIS = 20_000;
  private static final int READ_MILLIS = 60_000;

  /** Saves it in a folder. */
  Path into(Path folder) {
    if (!allowed) {
      throw new UnsupportedException(
          "%s: there is no %s on this machine, and STADIUM_NO_DOWNLOAD is set: %s"
              .formatted(artifact.engine(), artifact.title(), artifact.howToGet()));
    }
    URL address;
    try {
      address = URI.create(repository.replaceFirst("/*$", "/") + artifact.path()).toURL();
    } catch (IllegalArgumentException | MalformedURLException e) {
      throw new BadArgumentException(
          artifact.engine()
              + ": STADIUM_MAVEN_REPOSITORY="
              + repository
              + " is not the address of a repository",
          e);
    }
    LOG.log(
        System.Logger.Level.INFO,
        "{0}: downloading {1} for the server program of {2}",
        artifact.engine(),
        address,
        artifact.title());
    try {
      return save(address, folder.resolve("artifact.jar"));
    } catch (IOException e) {
      throw new StoreIoException(
          ("%s: %s's server program cannot be downloaded from %s (%s); nothing of it was"
                  + " kept: try again, name a mirror of the repository in"
                  + " $STADIUM_MAVEN_REPOSITORY, or %s")
              .formatted(artifact.engine(), artifact.title(), address, e, artifact.howToGet()),
          e);
    }
  }

  private Path save(URL address, Path file) throws IOException {
    URLConnection connection = address.openConnection();
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(READ_MILLIS);
    if (connection instanceof HttpURLConnection http
        && http.getResponseCode() != HttpURLConnection.HTTP_OK) {
      throw new IOException("answered " + http.getResponseCode());
    }
    MessageDigest digest = digest();
    try (InputStream in = new DigestInputStream(connection.getInputStream(), digest)) {
      Files.copy(in, file);
    }
    String actual = HexFormat.of().formatHex(digest.digest());
    if (!actual.equals(artifact.sha256())) {
      throw new IOException("its SHA-256 is %s, not %s".formatted(actual, artifact.sha256()));
    }
    return file;
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }
}
