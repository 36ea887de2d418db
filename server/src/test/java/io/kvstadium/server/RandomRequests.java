package io.kvstadium.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;

/**
 * Makes random requests from forms such as {@code SET <key> <value> [ NX | XX ]}: one per line,
 * with tokens separated by spaces. {@code [ ]} may be left out, {@code ( | )} is a choice, {@code {
 * }} is repeated one to three times, and a name in angle brackets is a value of its kind. Keys are
 * few, so that commands meet what others made. Now and then a word is missing, extra, or of another
 * kind.
 */
final class RandomRequests {
  private static final String[] VALUES = {
    "a",
    "b",
    "c",
    "abc",
    "",
    "5",
    "10",
    "-3",
    "3.5",
    "007",
    "x y",
    "x\r\ny",
    "hello world",
    "9223372036854775807",
    "1e3",
    "inf",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
  };
  private static final String[] INTEGERS = {
    "0", "1", "-1", "2", "3", "-2", "10", "-100", "9223372036854775807", "-9223372036854775808", "x"
  };
  private static final String[] NUMBERS = {
    "0", "1", "-1", "1.5", "-2.25", "3", "0.1", "1e2", "100.001", "-0", "x", "inf", "-inf", "nan"
  };

  /** Without infinite binary fractions, which servers show differently. */
  private static final String[] SCORES = {
    "0", "1", "-1", "1.5", "-2.25", "3", "2", "1e2", "x", "inf", "-inf", "nan"
  };

  /** Lengths and positions where long strings may be cut. */
  private static final int[] CUTS = {0, 8_176, 16_352, 65_536, 73_584, 122_640, 200_000};

  private static final String[] BOUNDS = {"(1", "(2", "(-1", "-inf", "+inf", "(inf"};

  /** What may be answered randomly, with a cursor, or in other words, if it is changed. */
  private static final List<String> UNSAFE =
      List.of("SCAN", "RANDMEMBER", "RANDFIELD", "SPOP", "EVAL");

  private final Random random;
  private final List<List<String>> forms;

  /**
   * Requests from the forms in a file.
   *
   * @param file of the test's resources
   */
  RandomRequests(String file, long seed) {
    random = new Random(seed);
    forms =
        Script.of(file).lines().stream()
            .map(line -> List.of(line.text().strip().split(" +")))
            .toList();
  }

  /** The next request. */
  List<byte[]> next() {
    List<String> words = new ArrayList<>();
    List<String> form = forms.get(random.nextInt(forms.size()));
    sequence(form.iterator(), words, "");
    // Redis 7.0 shows 2^63 - 1 differently as a score
    String[] others = words.getFirst().startsWith("Z") ? SCORES : VALUES;
    int mistake = random.nextInt(100);
    if (UNSAFE.stream().anyMatch(words.getFirst()::endsWith)) {
      mistake = 100;
    }
    if (mistake == 0 && words.size() > 1) {
      words.removeLast();
    } else if (mistake == 1 && words.size() > 1) {
      words.add(one(others));
    } else if (mistake == 2 && words.size() > 2) {
      words.set(1 + random.nextInt(words.size() - 1), one(others));
    }
    return words.stream().map(word -> word.getBytes(StandardCharsets.ISO_8859_1)).toList();
  }

  /** Adds the words of tokens up to the closing one; of alternatives, those of one. */
  private void sequence(Iterator<String> tokens, List<String> words, String end) {
    List<List<String>> alternatives = new ArrayList<>();
    List<String> current = new ArrayList<>();
    alternatives.add(current);
    while (tokens.hasNext()) {
      String token = tokens.next();
      if (token.equals(end)) {
        break;
      }
      switch (token) {
        case "|" -> {
          current = new ArrayList<>();
          alternatives.add(current);
        }
        case "[" -> {
          List<String> inner = new ArrayList<>();
          sequence(tokens, inner, "]");
          current.addAll(random.nextBoolean() ? inner : List.of());
        }
        case "(" -> sequence(tokens, current, ")");
        case "{" -> repeated(tokens, current);
        default -> value(token, current);
      }
    }
    words.addAll(alternatives.get(random.nextInt(alternatives.size())));
  }

  private void repeated(Iterator<String> tokens, List<String> words) {
    List<String> inner = new ArrayList<>();
    tokens.forEachRemaining(inner::add);
    int end = inner.indexOf("}");
    for (int i = random.nextInt(3); i >= 0; i--) {
      sequence(inner.subList(0, end).iterator(), words, "");
    }
    sequence(inner.subList(end + 1, inner.size()).iterator(), words, "");
  }

  private void value(String token, List<String> words) {
    switch (token) {
      case "<key>" -> words.add("k" + random.nextInt(8));
      case "<keys>" -> {
        int count = 1 + random.nextInt(3);
        words.add(Integer.toString(count));
        for (int i = 0; i < count; i++) {
          words.add("k" + random.nextInt(8));
        }
      }
      case "<value>" -> words.add(one(VALUES));
      case "<member>" -> words.add("m" + random.nextInt(12));
      case "<integer>" -> words.add(one(INTEGERS));
      case "<number>" -> words.add(one(NUMBERS));
      case "<score>" -> words.add(one(SCORES));
      case "<bound>" -> words.add(one(random.nextBoolean() ? SCORES : BOUNDS));
      case "<small>" -> words.add(Integer.toString(random.nextInt(40) - 8));
      case "<count>" -> words.add(Integer.toString(random.nextInt(5)));
      case "<position>" -> words.add(Integer.toString(position()));
      case "<end>" -> words.add((random.nextInt(4) == 0 ? "-" : "") + position());
      case "<bit>" -> words.add(Integer.toString(position() * 8 + random.nextInt(8)));
      case "<long>" -> words.add((random.nextInt(90) + "\u0000\u00ff").repeat(position() / 3 + 1));
      case "<future>" -> words.add(Long.toString(4_102_444_800L + random.nextInt(3)));
      default -> words.add(token);
    }
  }

  private int position() {
    return Math.max(0, CUTS[random.nextInt(CUTS.length)] + random.nextInt(7) - 3);
  }

  private String one(String[] choice) {
    return choice[random.nextInt(choice.length)];
  }

  /** A number less than {@code bound}, of the same seed. */
  int below(int bound) {
    return random.nextInt(bound);
  }
}
