package io.kvstadium.backup;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A backup's description in its directory: lines of a word and a value. The last line is a checksum
 * of the others.
 *
 * @param store what tells the store from all others; {@code null} if only its place does
 * @param origins the origins of its immutable files by name, by which the same file of the store is
 *     recognized
 */
record BackupManifest(Backup backup, @Nullable String store, Map<String, String> origins) {
  private static final String HEAD = "KV Stadium backup 2";
  private static final String END = "crc32c ";
  private static final String UNKNOWN = "-";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  /** Refuses a name of a file that could lead out of a directory. */
  static String checkedName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new BadArgumentException("'" + name + "' cannot be the name of a file of a backup");
    }
    return name;
  }

  String text() {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    line(text, "id", Long.toString(backup.id()));
    line(text, "time", backup.time().toString());
    line(text, "engine", backup.engine());
    line(text, "version", encoded(backup.version()));
    line(text, "location", encoded(backup.location()));
    if (store != null) {
      line(text, "store", encoded(store));
    }
    backup
        .options()
        .forEach((name, value) -> line(text, "option", encoded(name) + " " + encoded(value)));
    line(text, "form", backup.form().name().toLowerCase(Locale.ROOT));
    line(text, "entries", Long.toString(backup.entries()));
    line(text, "written", Long.toString(backup.written()));
    for (Backup.File file : backup.files()) {
      String origin = origins.getOrDefault(file.name(), UNKNOWN);
      line(text, "file", file.length() + " " + file.sha256() + " " + origin + " " + file.name());
    }
    return text + END + crc(text.toString()) + "\n";
  }

  private static void line(StringBuilder text, String word, String value) {
    text.append(word).append(' ').append(value).append('\n');
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static String decoded(String value) {
    return URLDecoder.decode(value, StandardCharsets.UTF_8);
  }

  private static String crc(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }

  /**
   * Reads one.
   *
   * @param place the manifest's place, for messages
   * @throws CorruptException if it is damaged, or of a later format
   */
  static BackupManifest parse(Path place, String text) {
    int end = text.lastIndexOf(END);
    if (end < 0 || !text.substring(end).equals(END + crc(text.substring(0, end)) + "\n")) {
      throw damaged(place, null);
    }
    if (!text.startsWith(HEAD + "\n")) {
      throw new CorruptException(
          place + ": another version of KV Stadium made this backup: restore it with that one");
    }
    try {
      return read(text.substring(HEAD.length() + 1, end).split("\n", -1));
    } catch (IllegalArgumentException
        | DateTimeException
        | IndexOutOfBoundsException
        | BadArgumentException e) {
      throw damaged(place, e);
    }
  }

  private static CorruptException damaged(Path place, @Nullable Exception e) {
    return new CorruptException(
        place + ": the manifest is damaged: delete this backup, and use another one", e);
  }

  private static BackupManifest read(String[] lines) {
    Map<String, String> single = new LinkedHashMap<>();
    Map<String, String> options = new LinkedHashMap<>();
    Map<String, String> origins = new LinkedHashMap<>();
    List<Backup.File> files = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", 5);
      switch (words[0]) {
        case "option" -> options.put(decoded(words[1]), decoded(words[2]));
        case "file" -> {
          if (!SHA256.matcher(words[2]).matches()) {
            throw new IllegalArgumentException(words[2]);
          }
          String name = checkedName(words[4]);
          files.add(new Backup.File(name, Long.parseLong(words[1]), words[2]));
          if (!words[3].equals(UNKNOWN)) {
            origins.put(name, words[3]);
          }
        }
        case "" -> {}
        default -> single.put(words[0], words[1]);
      }
    }
    Backup backup =
        new Backup(
            Long.parseLong(value(single, "id")),
            Instant.parse(value(single, "time")),
            value(single, "engine"),
            decoded(value(single, "version")),
            decoded(value(single, "location")),
            options,
            Backup.Form.valueOf(value(single, "form").toUpperCase(Locale.ROOT)),
            Long.parseLong(value(single, "entries")),
            files,
            Long.parseLong(value(single, "written")));
    String store = single.get("store");
    return new BackupManifest(backup, store == null ? null : decoded(store), origins);
  }

  private static String value(Map<String, String> single, String word) {
    String value = single.get(word);
    if (value == null) {
      throw new IllegalArgumentException(word);
    }
    return value;
  }
}
