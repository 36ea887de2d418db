package io.kvstadium.bench.player;

import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A program that plays the traces of trials in another language.
 *
 * @param command that starts it, without its argument
 * @param hello its description of itself
 */
public record PlayerProgram(List<String> command, Message.Hello hello) {
  private static final long SECONDS_TO_DESCRIBE = 60;

  public PlayerProgram {
    command = List.copyOf(command);
  }

  /**
   * Asks a program what it is.
   *
   * @throws BadArgumentException with its last words, if this program cannot use it
   */
  public static PlayerProgram of(List<String> command) {
    String shown = String.join(" ", command);
    List<String> lines = run(command, "describe", shown);
    for (String line : lines) {
      if (decode(line, shown) instanceof Message.Hello hello) {
        if (hello.protocol() != Message.PROTOCOL) {
          throw new BadArgumentException(
              "the player '"
                  + shown
                  + "' speaks version "
                  + hello.protocol()
                  + " of the protocol, and this Stadium version "
                  + Message.PROTOCOL
                  + ": use one for this version");
        }
        return new PlayerProgram(command, hello);
      }
    }
    throw new BadArgumentException(
        "'"
            + shown
            + "' is no player, or cannot start: asked to describe itself, it said "
            + (lines.isEmpty() ? "nothing" : "'" + lines.getLast() + "'"));
  }

  private static @Nullable Message decode(String line, String shown) {
    try {
      return Message.decode(line);
    } catch (IllegalStateException e) {
      throw new BadArgumentException(
          "the player '%s' describes itself in a way that is not understood: %s (%s)"
              .formatted(shown, line, e.getCause() == null ? e : e.getCause().getMessage()),
          e);
    }
  }

  /** All that it prints. */
  private static List<String> run(List<String> command, String what, String shown) {
    try {
      Process process = new ProcessBuilder(with(command, what)).redirectErrorStream(true).start();
      process.getOutputStream().close();
      Thread guard = Thread.ofVirtual().start(() -> endLate(process));
      try (InputStream out = process.getInputStream()) {
        return new String(out.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      } finally {
        guard.interrupt();
      }
    } catch (IOException e) {
      throw new BadArgumentException(
          "the player '" + shown + "' cannot be started: " + e.getMessage(), e);
    }
  }

  private static void endLate(Process process) {
    try {
      if (!process.waitFor(SECONDS_TO_DESCRIBE, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it has printed everything
    }
  }

  private static List<String> with(List<String> command, String what) {
    List<String> all = new ArrayList<>(command);
    all.add(what);
    return all;
  }

  /** The same with other declarations of its engines. */
  public PlayerProgram with(UnaryOperator<EngineDeclaration> other) {
    return new PlayerProgram(
        command,
        new Message.Hello(
            hello.protocol(),
            hello.language(),
            hello.version(),
            hello.plays(),
            hello.engines().stream().map(other).toList()));
  }

  /** The command for trials. */
  public List<String> playing() {
    return with(command, "play");
  }

  /** Such as {@code python}. */
  public String language() {
    return hello.language();
  }

  /** Its engines, including those that cannot be used here. */
  public Engines engines() {
    return Engines.of(
        hello.engines().stream()
            .map(each -> (Engine) new PlayerEngine(each, hello.language()))
            .toList());
  }
}
