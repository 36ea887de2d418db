package io.kvstadium.store.engine.help;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.declare.Options;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the addresses of servers have in common, for engines whose stores are on one. */
public final class ServerUrls {
  private ServerUrls() {}

  /**
   * A location as a URI with a host.
   *
   * @param form how to write one, for a message
   */
  public static URI parse(String engine, String location, String form) {
    try {
      URI uri = new URI(engine + ":" + location);
      if (uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException _) {
      // refused below
    }
    throw new BadArgumentException(
        "%s: '%s' is not an address: %s".formatted(engine, location, form));
  }

  /**
   * Refuses a password in a URL.
   *
   * @param variable the environment variable that may have it
   */
  public static void checkUser(String engine, @Nullable String user, String variable) {
    if (user != null && user.contains(":")) {
      throw new BadArgumentException(
          ("%s: a URL may not contain a password, since URLs are printed: put it into a file and"
                  + " name that with password_file, or into $%s")
              .formatted(engine, variable));
    }
  }

  /** Refuses options that only a private server of the engine has. */
  public static void checkPrivate(String engine, List<String> names, Options options) {
    for (String option : names) {
      if (options.given().containsKey(option)) {
        throw new BadArgumentException(
            "%s: option %s is for private servers: leave it out with %s://"
                .formatted(engine, option, engine));
      }
    }
  }

  /**
   * What it means that a server does not answer, judging by the innermost cause. The store stays
   * usable: what the server has acknowledged does not depend on a connection.
   */
  public static Failure unreachable(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof UnknownHostException
        ? new Failure(
            Kind.IO, "unknown host " + cause.getMessage(), "check the URL", Failure.Blocks.NOTHING)
        : new Failure(
            Kind.IO,
            "the server does not answer, " + cause,
            "check host and port, and that the server runs",
            Failure.Blocks.NOTHING);
  }

  /** What it means that a connection was lost while a write was under way. */
  public static Failure unanswered() {
    return new Failure(
        Kind.UNKNOWN_OUTCOME,
        "the connection was lost before the server had answered; the write is there or not",
        "read what is there");
  }

  /**
   * The password in a file's first line, or without a file in an environment variable; an empty one
   * is none.
   */
  public static @Nullable String password(String engine, String file, String variable) {
    if (file.isEmpty()) {
      String set = System.getenv(variable);
      return set == null || set.isEmpty() ? null : set;
    }
    try {
      return Interrupts.deferred(() -> {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
          return lines.findFirst().orElse("");
        }
      });
    } catch (IOException e) {
      throw new StoreIoException(
          "%s: password_file=%s cannot be read; check path and rights: %s"
              .formatted(engine, file, e),
          e);
    }
  }
}
