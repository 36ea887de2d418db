package io.kvstadium.cli.entries;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --from}, {@code --to} and {@code --prefix}: which keys of a store. */
public final class Selection {
  @Option(
      names = "--from",
      paramLabel = "KEY",
      description = "From this key on; as text, or in hex as 0x00ff.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "KEY", description = "Up to this key, exclusive.")
  private @Nullable String to;

  @Option(names = "--prefix", paramLabel = "KEY", description = "Only keys that begin with this.")
  private @Nullable String prefix;

  public Range<byte[]> range() {
    return range(TextCodecs.AUTO);
  }

  /** The range of keys, encoded with a codec. */
  public Range<byte[]> range(TextCodec keys) {
    if (prefix != null && (from != null || to != null)) {
      throw new BadArgumentException(
          "--prefix cannot be combined with --from or --to: give one or the other");
    }
    Range<byte[]> range = prefix == null ? Range.all() : Range.prefix(keys.prefix(prefix));
    range = from == null ? range : range.from(keys.encode(from), true);
    return to == null ? range : range.to(keys.encode(to), false);
  }

  /** Returns whether it selects anything other than all keys. */
  public boolean isGiven() {
    return from != null || to != null || prefix != null;
  }

  /**
   * Tables and their new names.
   *
   * @param given each {@code NAME} or {@code NAME=NEW}
   */
  public static Map<String, String> tables(List<String> given) {
    Map<String, String> tables = new LinkedHashMap<>();
    for (String each : given) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? each : each.substring(0, equals);
      if (tables.put(name, each.substring(equals + 1)) != null) {
        throw new BadArgumentException("--table names " + name + " twice");
      }
    }
    if (tables.values().stream().distinct().count() < tables.size()) {
      throw new BadArgumentException(
          "--table gives two tables the same name: " + String.join(", ", given));
    }
    return tables;
  }
}
