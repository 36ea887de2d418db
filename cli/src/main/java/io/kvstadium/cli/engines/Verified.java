package io.kvstadium.cli.engines;

import io.kvstadium.bench.text.Finding;
import io.kvstadium.cli.io.Invocation;
import io.kvstadium.cli.io.StateFiles;
import io.kvstadium.cli.io.Version;
import io.kvstadium.store.internal.Why;
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
 * Knows which engines passed the conformance tests. Those of the distribution passed in the build;
 * the user's own must have passed {@code stadium check} with exactly the present jars. A pass is
 * recorded as a file in the user's state directory; its name is a hash of these jars and of this
 * program's version.
 */
public final class Verified {
  private final Installed installed;

  Verified(Installed installed) {
    this.installed = installed;
  }

  /** Why this engine's figures should be doubted, or {@code null}. */
  public @Nullable String whyNot(String engine) {
    if (installed.isOwn(engine) || Files.exists(record(engine))) {
      return null;
    }
    return "not verified: this engine has not passed the conformance tests here, so it may be fast by"
        + " being wrong; run "
        + Invocation.again("check", engine);
  }

  /** A warning for each of these engines that is not verified. */
  public List<Finding> findings(Collection<String> engines) {
    return engines.stream()
        .distinct()
        .filter(engine -> whyNot(engine) != null)
        .map(engine -> new Finding(Finding.Level.WARNING, engine, String.valueOf(whyNot(engine))))
        .toList();
  }

  /** Records that the engine passed; prints a message if that fails. */
  public void remember(String engine) {
    if (installed.isOwn(engine)) {
      return;
    }
    Path record = record(engine);
    try {
      Files.createDirectories(record.getParent());
      Files.writeString(record, engine + "\n");
    } catch (IOException e) {
      System.err.println(
          "stadium: it passed, but that cannot be recorded in " + record + " (" + Why.of(e) + ")");
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
