package io.kvstadium.cli;

import io.kvstadium.bench.result.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which engines passed the conformance kit: those of the distribution in its build, the user's own
 * by {@code stadium check} with the very jars that are there now. What passed is a file in the
 * user's state directory, whose name is a hash of these jars and of this program's version.
 */
final class Verified {
  private final Installed installed;

  Verified(Installed installed) {
    this.installed = installed;
  }

  /** Why figures of this engine are to be doubted, or {@code null}. */
  @Nullable String whyNot(String engine) {
    if (installed.isOwn(engine) || Files.exists(record(engine))) {
      return null;
    }
    return "not verified: this engine did not pass the conformance kit here, so that it may be fast"
        + " by being wrong; run "
        + Invocation.again("check", engine);
  }

  /** A warning for each of these engines that is not verified. */
  List<Finding> findings(Collection<String> engines) {
    return engines.stream()
        .distinct()
        .filter(engine -> whyNot(engine) != null)
        .map(engine -> new Finding(Finding.Level.WARNING, engine, String.valueOf(whyNot(engine))))
        .toList();
  }

  /** Notes that the engine passed; if that cannot be noted, says so. */
  void remember(String engine) {
    if (installed.isOwn(engine)) {
      return;
    }
    Path record = record(engine);
    try {
      Files.createDirectories(record.getParent());
      Files.writeString(record, engine + "\n");
    } catch (IOException e) {
      System.err.println(
          "stadium: it passed, which cannot be remembered in " + record + " (" + Why.of(e) + ")");
    }
  }

  private Path record(String engine) {
    return StateFiles.path("verified").resolve(hash(installed.jars(engine)));
  }

  private static String hash(List<Path> jars) {
    try {
      MessageDigest all = MessageDigest.getInstance("SHA-256");
      all.update(Version.number().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      for (Path jar : jars) {
        all.update(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
      }
      return HexFormat.of().formatHex(all.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("a jar of an engine cannot be read", e);
    }
  }
}
