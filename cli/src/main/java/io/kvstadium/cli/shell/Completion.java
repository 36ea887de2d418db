package io.kvstadium.cli.shell;

import io.kvstadium.cli.entries.EntryCommand;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.entries.TextCodec;
import io.kvstadium.cli.entries.TextCodecs;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completes a word of a shell's line: commands, options, tables, codecs and keys. */
final class Completion {
  /** The most keys that are offered. */
  private static final int KEYS = 50;

  private final Session session;
  private final CommandLine commands;

  Completion(Session session, CommandLine commands) {
    this.session = session;
    this.commands = commands;
  }

  /**
   * Returns the possible completions.
   *
   * @param before the words before it
   * @param begun the beginning of the word
   */
  List<String> of(List<String> before, String begun) {
    Collection<String> all;
    try {
      all = candidates(before, begun);
    } catch (StadiumException e) {
      return List.of(); // running the line will report it
    }
    return all.stream().filter(each -> each.startsWith(begun)).toList();
  }

  private Collection<String> candidates(List<String> before, String begun) {
    boolean help = before.size() == 1 && before.getFirst().equals("help");
    if (before.isEmpty() || help) {
      return commands.getSubcommands().keySet();
    }
    CommandLine command = commands.getSubcommands().get(before.getFirst());
    if (command == null) {
      return List.of();
    }
    Line line = new Line(command, before);
    if (line.awaiting != null) {
      return values(line, line.awaiting, begun);
    }
    if (begun.startsWith("-")) {
      return command.getCommandSpec().options().stream()
          .filter(option -> !option.hidden())
          .map(OptionSpec::longestName)
          .toList();
    }
    for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
      if (!parameter.hidden() && parameter.index().contains(line.positions)) {
        return values(line, parameter, begun);
      }
    }
    return List.of();
  }

  private Collection<String> values(Line line, ArgSpec argument, String begun) {
    String label = argument.paramLabel();
    return switch (label) {
      case "TABLE" -> session.store().tables();
      case "CODEC" -> TextCodecs.words();
      case "KEY" -> keys(line, begun);
      default -> label.contains("|") ? List.of(label.split("\\|")) : List.of();
    };
  }

  private List<String> keys(Line line, String begun) {
    String table = line.table == null ? session.tableName() : line.table;
    TextCodec codec = line.keys == null ? session.codecs(table).keys() : TextCodecs.of(line.keys);
    List<String> keys = new ArrayList<>();
    if (session.store().capabilities().contains(Capability.ORDERED_SCAN)) {
      Range<byte[]> range = range(codec, begun).limit(KEYS).keysOnly();
      try (Cursor<byte[], byte[]> cursor = session.table(table).scan(range)) {
        while (cursor.next()) {
          keys.add(codec.decode(cursor.key()));
        }
      }
    }
    return keys;
  }

  private static Range<byte[]> range(TextCodec codec, String begun) {
    try {
      return Range.prefix(codec.prefix(begun));
    } catch (BadArgumentException e) {
      return Range.all(); // half a number, or an odd number of digits: among the first, perhaps
    }
  }

  /** What the words before the current one say. */
  private static final class Line {
    private @Nullable String table;
    private @Nullable String keys;

    /** The option whose value comes next, {@code null} if there is none. */
    private @Nullable OptionSpec awaiting;

    /** How many positional arguments there are, including the store, which is implied. */
    private int positions;

    Line(CommandLine command, List<String> before) {
      positions = command.getCommand() instanceof EntryCommand ? 1 : 0;
      Iterator<String> words = before.subList(1, before.size()).iterator();
      while (words.hasNext()) {
        String word = words.next();
        OptionSpec option = command.getCommandSpec().optionsMap().get(word);
        if (option == null) {
          positions += word.startsWith("-") ? 0 : 1;
        } else if (option.arity().max() > 0) {
          if (!words.hasNext()) {
            awaiting = option;
          } else {
            note(option, words.next());
          }
        }
      }
    }

    private void note(OptionSpec option, String value) {
      switch (option.longestName()) {
        case "--table" -> table = value;
        case "--keys" -> keys = value;
        default -> {}
      }
    }
  }
}
