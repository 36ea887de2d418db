package io.kvstadium.store.engine.declare;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.declare.OptionSpec.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what an engine declares from resources beside its classes. */
public final class Declarations {
  private static final Pattern COLUMNS = Pattern.compile(" *\\| *");
  private static final String VERSION = "{version}";

  private Declarations() {}

  /** The same as {@link #info(Function, String)} for an engine whose file says its version. */
  public static EngineInfo info(Function<String, @Nullable InputStream> resources) {
    return info(resources, "");
  }

  /**
   * What an engine declares by files beside its classes: {@code engine.txt}, perhaps {@code
   * options.txt} with its {@link #options}, and {@code notes.txt}.
   *
   * <p>The first has lines of a name, a bar and a text for what {@link EngineInfo} has: {@code
   * on-disk} and {@code legacy} only if it is so, {@code capabilities} as words, {@code max-key}
   * and {@code max-value} as sizes, which may be missing. Each line {@code durability} has, between
   * bars, a level, the engine's settings, the most that a kill and a power cut lose, and the kind
   * and the source of the evidence. Lines that begin with {@code #} are comments.
   *
   * @param resources opens a file, as in {@code MyEngine.class::getResourceAsStream}
   * @param version is put for <code>{version}</code>
   */
  public static EngineInfo info(Function<String, @Nullable InputStream> resources, String version) {
    Map<String, String> said = new HashMap<>();
    List<DurabilityMapping> levels = new ArrayList<>();
    for (String line : notes(resources.apply("engine.txt"))) {
      String[] columns = COLUMNS.split(line.replace(VERSION, version), -1);
      if (columns[0].equals("durability")) {
        levels.add(level(columns));
      } else if (!line.startsWith("#")) {
        said.put(columns[0], columns[1]);
      }
    }
    InputStream options = resources.apply("options.txt");
    return new EngineInfo(
        said.getOrDefault("name", ""),
        said.getOrDefault("title", ""),
        said.getOrDefault("version", ""),
        said.getOrDefault("licence", ""),
        said.getOrDefault("description", ""),
        said.getOrDefault("upstream", ""),
        said.containsKey("on-disk"),
        capabilities(said.getOrDefault("capabilities", "")),
        new Limits(maximum(said.get("max-key")), maximum(said.get("max-value"))),
        DurabilityMapping.levels(levels.toArray(DurabilityMapping[]::new)),
        options == null ? List.of() : options(options),
        notes(resources.apply("notes.txt")).stream()
            .map(note -> note.replace(VERSION, version))
            .toList(),
        said.containsKey("legacy"));
  }

  private static Set<Capability> capabilities(String words) {
    return Arrays.stream(words.split(" "))
        .map(word -> Capability.valueOf(constant(word)))
        .collect(Collectors.toSet());
  }

  private static int maximum(@Nullable String size) {
    return size == null ? Limits.MAX_ARRAY : Math.toIntExact(Options.parseSize(size));
  }

  private static DurabilityMapping level(String[] columns) {
    String[] evidence = columns[5].split(" ", 2);
    return new DurabilityMapping(
        Durability.of(columns[1]),
        columns[2],
        Loss.valueOf(constant(columns[3])),
        Loss.valueOf(constant(columns[4])),
        columns[5].isEmpty()
            ? Evidence.NONE
            : new Evidence(Evidence.Kind.valueOf(constant(evidence[0])), evidence[1]));
  }

  private static String constant(String word) {
    return word.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Notes, one on each line. */
  public static List<String> notes(@Nullable InputStream resource) {
    try (InputStream in = Objects.requireNonNull(resource, "the resource is missing")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Options, one on each line: name, type, scope, default and description, with bars in between.
   * After the type come its choices, or its bounds: {@code choice wal,delete}, {@code size 1k..1t};
   * and perhaps its {@link OptionSpec.Tuning}: {@code size 0..1t; usual 16m; on heap; try data/4}.
   * After the bounds of a budget come its base and parts: {@code budget 8m..1t 2m cache_size=50%}.
   */
  public static List<OptionSpec> options(@Nullable InputStream resource) {
    return notes(resource).stream().map(Declarations::option).toList();
  }

  /**
   * Failures by the engine's codes for them, one on each line: codes, kind, what is wrong, advice,
   * and perhaps what is refused from then on, with bars in between.
   */
  public static Map<String, Failure> failures(@Nullable InputStream resource) {
    Map<String, Failure> failures = new HashMap<>();
    for (String line : notes(resource)) {
      String[] columns = COLUMNS.split(line, -1);
      Failure failure = new Failure(Kind.valueOf(columns[1]), columns[2], columns[3]);
      for (String code : columns[0].split(" ")) {
        failures.put(
            code, columns.length < 5 ? failure : failure.blocking(Blocks.valueOf(columns[4])));
      }
    }
    return Map.copyOf(failures);
  }

  /** One of the {@link #options}. */
  public static OptionSpec option(String line) {
    String[] columns = COLUMNS.split(line, 5);
    String[] parts = columns[1].split("; ");
    String[] form = parts[0].split(" ");
    OptionSpec.Type type = type(form[0]);
    OptionSpec.Budget budget = form[0].equals("budget") ? budget(form) : null;
    return new OptionSpec(
        columns[0],
        type,
        Scope.valueOf(columns[2].toUpperCase(Locale.ROOT)),
        columns[3],
        type == OptionSpec.Type.CHOICE ? List.of(form[1].split(",")) : List.of(),
        type.isNumber() ? bounds(form[1].split("\\.\\.", 2)) : null,
        budget == null ? columns[4] : columns[4] + budget.words(),
        parts.length == 1 ? null : tuning(parts),
        budget);
  }

  private static OptionSpec.Type type(String word) {
    return switch (word) {
      case "bool" -> OptionSpec.Type.BOOLEAN;
      case "budget" -> OptionSpec.Type.SIZE;
      default -> OptionSpec.Type.valueOf(word.toUpperCase(Locale.ROOT));
    };
  }

  private static OptionSpec.Bounds bounds(String[] pair) {
    return new OptionSpec.Bounds(pair[0], pair[1]);
  }

  private static OptionSpec.Tuning tuning(String[] parts) {
    String usual = "";
    boolean onHeap = false;
    List<String> alternatives = List.of();
    for (String part : List.of(parts).subList(1, parts.length)) {
      if (part.startsWith("usual ")) {
        usual = part.substring("usual ".length());
      } else if (part.startsWith("try ")) {
        alternatives = List.of(part.substring("try ".length()).split(","));
      } else if (part.equals("on heap")) {
        onHeap = true;
      } else {
        throw new IllegalArgumentException("not part of a tuning: " + part);
      }
    }
    return new OptionSpec.Tuning(usual, onHeap, alternatives);
  }

  private static OptionSpec.Budget budget(String[] form) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (String part : form.length < 4 ? new String[0] : form[3].split(",")) {
      String[] pair = part.split("=", 2);
      parts.put(pair[0], pair[1]);
    }
    return new OptionSpec.Budget(form[2], parts);
  }
}
