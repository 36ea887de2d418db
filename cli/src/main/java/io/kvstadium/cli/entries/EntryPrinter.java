package io.kvstadium.cli.entries;

import io.kvstadium.cli.io.Escapes;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.Output;
import io.kvstadium.store.CorruptException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Prints the entries of a table one by one. */
final class EntryPrinter {
  /** The width of the first column is that of the longest among this many keys, … */
  private static final int SAMPLE = 50;

  /** … but no more than this. */
  private static final int COLUMN = 40;

  private static final String KEY = "key";
  private static final String VALUE = "value";

  private final Output out;
  private final View view;
  private final String table;
  private final EntryCodecs codecs;
  private final boolean keysOnly;
  private final int width;
  private final List<String[]> waiting = new ArrayList<>();
  private int column = KEY.length();
  private boolean begun;
  private long entries;

  /**
   * @param table its name, for messages
   * @param width the columns that a line of a table may have
   */
  EntryPrinter(
      Output out, View view, String table, EntryCodecs codecs, boolean keysOnly, int width) {
    this.out = out;
    this.view = view;
    this.table = table;
    this.codecs = codecs;
    this.keysOnly = keysOnly;
    this.width = width;
  }

  /**
   * Prints one entry.
   *
   * @param value ignored if only keys are printed
   * @throws CorruptException if the bytes do not match the codecs
   */
  void entry(byte[] key, byte[] value) {
    entries++;
    switch (view) {
      case TABLE -> {
        waiting.add(
            new String[] {
              cell(text(KEY, codecs.keys(), key, key)),
              keysOnly ? "" : cell(text(VALUE, codecs.values(), key, value))
            });
        if (begun || waiting.size() == SAMPLE) {
          rows();
        }
      }
      case JSON -> {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put(KEY, json(KEY, codecs.keys(), key, key));
        if (!keysOnly) {
          line.put(VALUE, json(VALUE, codecs.values(), key, value));
        }
        out.json(line);
      }
      case RAW -> {
        raw(KEY, codecs.keys(), key, key);
        if (!keysOnly) {
          out.text("\t");
          raw(VALUE, codecs.values(), key, value);
        }
        out.text("\n");
      }
    }
  }

  /**
   * Prints only the value of an entry.
   *
   * @param lineEnd whether a line end follows bytes that are printed as they are
   */
  void value(byte[] key, byte[] value, boolean lineEnd) {
    switch (view) {
      case TABLE -> {
        String text = text(VALUE, codecs.values(), key, value);
        out.line(
            text.codePoints().anyMatch(point -> Escapes.isControl(point) && point != '\n')
                ? Escapes.escaped(text)
                : text);
      }
      case JSON -> entry(key, value);
      case RAW -> {
        raw(VALUE, codecs.values(), key, value);
        if (lineEnd || !codecs.values().takesAny()) {
          out.text("\n");
        }
      }
    }
  }

  /** How many entries were printed. */
  long entries() {
    return entries;
  }

  /**
   * Prints the remaining entries and the count.
   *
   * @param interrupted whether there would have been more entries
   */
  void end(boolean interrupted) {
    if (view == View.TABLE) {
      rows();
      out.line(
          "("
              + entries
              + (entries == 1 ? " entry" : " entries")
              + (interrupted ? ", interrupted)" : ")"));
    }
  }

  private void rows() {
    if (!begun && !waiting.isEmpty()) {
      begun = true;
      column =
          Math.min(
              COLUMN, waiting.stream().mapToInt(row -> row[0].length()).reduce(column, Math::max));
      waiting.addFirst(new String[] {KEY, keysOnly ? "" : VALUE});
    }
    for (String[] row : waiting) {
      String line = row[0] + " ".repeat(Math.max(0, column - row[0].length())) + "  " + row[1];
      out.line(Lines.cut(line.stripTrailing(), width));
    }
    waiting.clear();
  }

  /** Returns the text without characters that would break the table. */
  private static String cell(String text) {
    return text.codePoints().anyMatch(Escapes::isControl) ? Escapes.escaped(text) : text;
  }

  private void raw(String what, TextCodec codec, byte[] key, byte[] bytes) {
    if (codec.takesAny()) {
      out.bytes(bytes);
    } else {
      out.text(text(what, codec, key, bytes));
    }
  }

  private String text(String what, TextCodec codec, byte[] key, byte[] bytes) {
    return decoded(what, codec::decode, key, bytes);
  }

  private Object json(String what, TextCodec codec, byte[] key, byte[] bytes) {
    return decoded(what, codec::json, key, bytes);
  }

  private <T> T decoded(String what, Function<byte[], T> decoder, byte[] key, byte[] bytes) {
    try {
      return decoder.apply(bytes);
    } catch (CorruptException e) {
      throw new CorruptException(
          "table "
              + table
              + ": the "
              + what
              + (what.equals(KEY) ? " " : " of ")
              + Lines.cut(TextCodecs.AUTO.decode(key), COLUMN)
              + " does not match the codec: "
              + e.getMessage()
              + "; --"
              + what
              + "s auto shows it as it is",
          e);
    }
  }
}
