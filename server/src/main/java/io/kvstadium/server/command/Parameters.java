package io.kvstadium.server.command;

import io.kvstadium.server.notify.KeyEvents;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of CONFIG: all of Redis, checked as Redis checks them. Those that mean nothing
 * here are only remembered, until the server ends. Safe for all threads.
 */
public final class Parameters {
  private static final String FILE = "parameters.txt";
  private static final Pattern MEMORY = Pattern.compile("(\\d*)(|b|k|kb|m|mb|g|gb)");
  private static final Map<String, Long> UNITS =
      Map.of(
          "",
          1L,
          "b",
          1L,
          "k",
          1_000L,
          "kb",
          1L << 10,
          "m",
          1_000_000L,
          "mb",
          1L << 20,
          "g",
          1_000_000_000L,
          "gb",
          1L << 30);

  /** By name and alias. */
  private static final Map<String, Parameter> TABLE = table();

  /**
   * A line of the table.
   *
   * @param kind how it is checked
   * @param limits of its values, as its kind has them
   * @param usual its default
   * @param hidden whether it is found only by its name
   */
  private record Parameter(
      String name, String kind, List<String> limits, String usual, boolean hidden) {}

  /** A parameter that has an effect. */
  private record Live(Supplier<String> value, Consumer<String> setter) {}

  private final Map<String, String> values = new ConcurrentHashMap<>();
  private final Map<String, Live> live = new ConcurrentHashMap<>();

  /** Parameters with Redis' defaults. */
  Parameters() {}

  private static Map<String, Parameter> table() {
    try (InputStream in = Parameters.class.getResourceAsStream(FILE)) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      Map<String, Parameter> found = new TreeMap<>();
      text.lines().filter(line -> !line.startsWith("#")).forEach(line -> add(found, line));
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(Map<String, Parameter> found, String line) {
    String[] parts = line.split(" {2}", 3);
    boolean hidden = parts[0].startsWith("~");
    String[] names = parts[0].substring(hidden ? 1 : 0).split("\\|");
    List<String> kind = List.of(parts[1].split("[ ,]"));
    Parameter parameter =
        new Parameter(
            names[0],
            kind.getFirst(),
            kind.subList(1, kind.size()),
            parts.length > 2 ? parts[2] : "",
            hidden);
    for (String name : names) {
      found.put(name, parameter);
    }
  }

  /** Gives a parameter an effect. */
  public void live(String name, Supplier<String> value, Consumer<String> setter) {
    live.put(name, new Live(value, setter));
  }

  /** Sets what clients cannot change, such as the port. */
  public void fixed(String name, String value) {
    values.put(name, value);
  }

  /** The value of one of Redis' parameters. */
  public String get(String name) {
    Live own = live.get(name);
    return own != null ? own.value().get() : remembered(name);
  }

  /** The value that was set last, or the usual one: for the effect of a parameter. */
  public String remembered(String name) {
    Parameter parameter = TABLE.get(name);
    return values.getOrDefault(name, parameter == null ? "" : parameter.usual());
  }

  /** The parameters with a name, or those that match a pattern. */
  public Map<String, String> matching(String pattern) {
    Map<String, String> found = new LinkedHashMap<>();
    String name = pattern.toLowerCase(Locale.ROOT);
    if (pattern.matches("[^\\[*?]*")) {
      if (TABLE.containsKey(name) || live.containsKey(name)) {
        found.put(pattern, get(canonical(name)));
      }
      return found;
    }
    Glob glob = new Glob(Bytes.of(name));
    TABLE.forEach((each, parameter) -> {
      if (!parameter.hidden() && glob.matches(Bytes.of(each))) {
        found.put(each, get(parameter.name()));
      }
    });
    for (String each : live.keySet()) { // our own
      if (!TABLE.containsKey(each) && glob.matches(Bytes.of(each))) {
        found.put(each, get(each));
      }
    }
    return found;
  }

  private static String canonical(String name) {
    Parameter parameter = TABLE.get(name);
    return parameter == null ? name : parameter.name();
  }

  /**
   * Sets parameters, all or none.
   *
   * @param pairs names and values in turn
   */
  public void set(List<byte[]> pairs) {
    Map<String, String> wanted = new LinkedHashMap<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      String given = Bytes.text(pairs.get(i));
      String name = given.toLowerCase(Locale.ROOT);
      Parameter parameter = TABLE.get(name);
      if (parameter == null && !live.containsKey(name)) {
        throw ReplyException.error(
            "Unknown option or number of arguments for CONFIG SET - '%s'", given);
      }
      String kind = parameter == null ? "kept" : parameter.kind();
      boolean same = Bytes.text(pairs.get(i + 1)).equalsIgnoreCase(get(canonical(name)));
      if (kind.equals("fixed")) {
        throw failed(given, "can't set immutable config");
      }
      if (kind.equals("kept") && !same) {
        throw failed(given, "can't set immutable config: it is set when the server starts");
      }
      if (kind.equals("protected")) {
        throw failed(given, "can't set protected config");
      }
      if (wanted.put(name, Bytes.text(pairs.get(i + 1))) != null) {
        throw failed(given, "duplicate parameter");
      }
    }
    List<Runnable> changes = new ArrayList<>();
    wanted.forEach((name, given) -> {
      String value = TABLE.containsKey(name) ? checked(name, given) : given;
      String own = canonical(name);
      Live effect = live.get(own);
      changes.add(
          effect == null ? () -> values.put(own, value) : () -> effect.setter().accept(value));
    });
    changes.forEach(Runnable::run);
  }

  private static ReplyException failed(String name, String why) {
    return ReplyException.error(
        "CONFIG SET failed (possibly related to argument '%s') - %s", name, why);
  }

  /** The value as CONFIG GET returns it. */
  private String checked(String name, String value) {
    Parameter parameter = Objects.requireNonNull(TABLE.get(name));
    try {
      return switch (parameter.kind()) {
        case "text", "kept" -> value;
        case "events" -> KeyEvents.flags(Bytes.of(value));
        case "yesno" -> word(List.of("yes", "no"), value, "argument must be 'yes' or 'no'");
        case "one" -> word(parameter.limits(), value);
        case "some" -> {
          List<String> words = new ArrayList<>();
          for (String each : value.split(" ", -1)) {
            words.add(word(parameter.limits(), each));
          }
          require(
              !words.containsAll(List.of("save", "nosave")),
              "shutdown options SAVE and NOSAVE can't be used simultaneously");
          yield String.join(" ", words);
        }
        case "save" -> save(value);
        case "buffers" -> buffers(value);
        case "percentiles" -> percentiles(value);
        case "oom" -> adjustments(value);
        default -> number(parameter, value);
      };
    } catch (IllegalArgumentException e) {
      throw failed(name, String.valueOf(e.getMessage()));
    }
  }

  private static void require(boolean right, String otherwise) {
    if (!right) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static String word(List<String> words, String value, String otherwise) {
    String word = value.toLowerCase(Locale.ROOT);
    require(words.contains(word), otherwise);
    return word;
  }

  private static String word(List<String> words, String value) {
    return word(
        words, value, "argument(s) must be one of the following: " + String.join(", ", words));
  }

  private static String number(Parameter parameter, String value) {
    boolean percent = parameter.kind().equals("percent");
    BigInteger number;
    if (percent && value.matches("\\d{1,9}%")) {
      String max = parameter.limits().getFirst().substring(1);
      number = new BigInteger(value.substring(0, value.length() - 1));
      require(
          number.compareTo(new BigInteger(max)) <= 0,
          "percentage argument must be less or equal to " + max);
      return number.signum() == 0 ? "0" : number + "%";
    }
    if (percent || parameter.kind().equals("memory")) {
      BigInteger bytes = memory(value);
      require(
          bytes != null, "argument must be a memory " + (percent ? "or percent value" : "value"));
      number = Objects.requireNonNull(bytes);
    } else {
      require(
          value.matches("0|-?[1-9]\\d{0,18}") && fits(value),
          "argument couldn't be parsed into an integer");
      number = new BigInteger(value);
    }
    List<String> limits = parameter.limits();
    BigInteger min = percent ? BigInteger.ZERO : new BigInteger(limits.getFirst());
    require(
        number.compareTo(min) >= 0 && number.compareTo(new BigInteger(limits.get(1))) <= 0,
        "argument must be between %s and %s inclusive".formatted(limits.get(0), limits.get(1)));
    if (limits.size() > 2) { // others are taken, too, but not obeyed
      number = number.max(new BigInteger(limits.get(2))).min(new BigInteger(limits.get(3)));
    }
    return number.toString();
  }

  private static boolean fits(String value) {
    return new BigInteger(value).bitLength() < Long.SIZE;
  }

  /** A size such as {@code 64mb} in bytes, or {@code null} if it is none. */
  private static @Nullable BigInteger memory(String value) {
    Matcher parts = MEMORY.matcher(value.toLowerCase(Locale.ROOT));
    return parts.matches()
        ? new BigInteger("0" + parts.group(1))
            .multiply(BigInteger.valueOf(Objects.requireNonNull(UNITS.get(parts.group(2)))))
        : null;
  }

  private static String save(String value) {
    String[] words = value.isEmpty() ? new String[0] : value.split(" ", -1);
    boolean right = words.length % 2 == 0;
    for (int i = 0; i < words.length; i++) {
      right &= words[i].matches("\\d{1,9}") && (i % 2 == 1 || !words[i].matches("0+"));
    }
    require(right, "Invalid save parameters");
    return value;
  }

  /** Limits of some kinds of clients; those of the others stay. */
  private String buffers(String value) {
    String[] words = value.isEmpty() ? new String[0] : value.split(" ", -1);
    require(words.length % 4 == 0, "Wrong number of arguments in buffer limit configuration.");
    Map<String, String> limits = new LinkedHashMap<>();
    String[] before = get("client-output-buffer-limit").split(" ");
    for (int i = 0; i < before.length; i += 4) {
      limits.put(before[i], String.join(" ", Arrays.copyOfRange(before, i + 1, i + 4)));
    }
    for (int i = 0; i < words.length; i += 4) {
      String kind = words[i].toLowerCase(Locale.ROOT).replaceFirst("^replica$", "slave");
      require(
          limits.containsKey(kind),
          "Invalid client class specified in buffer limit configuration.");
      BigInteger hard = memory(words[i + 1]);
      BigInteger soft = memory(words[i + 2]);
      require(
          hard != null && soft != null && words[i + 3].matches("\\d{1,18}"),
          "Error in hard, soft or soft_seconds setting in buffer limit configuration.");
      limits.put(kind, hard + " " + soft + " " + Long.parseLong(words[i + 3]));
    }
    List<String> parts = new ArrayList<>();
    limits.forEach((kind, limit) -> parts.add(kind + " " + limit));
    return String.join(" ", parts);
  }

  private static String percentiles(String value) {
    List<String> found = new ArrayList<>();
    for (String each : value.isEmpty() ? new String[0] : value.split(" ", -1)) {
      byte[] word = Bytes.of(each);
      require(Numbers.isReal(word), "Invalid latency-tracking-info-percentiles parameters");
      double percent = Numbers.real(word);
      require(
          percent >= 0 && percent <= 100,
          "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]");
      found.add(Numbers.text(percent));
    }
    return String.join(" ", found);
  }

  private static String adjustments(String value) {
    String[] words = value.split(" ", -1);
    require(words.length == 3, "wrong number of arguments");
    for (String each : words) {
      require(
          each.matches("-?\\d{1,4}") && Math.abs(Integer.parseInt(each)) <= 2_000,
          "Invalid oom-score-adj-values, elements must be between -2000 and 2000.");
    }
    return value;
  }
}
