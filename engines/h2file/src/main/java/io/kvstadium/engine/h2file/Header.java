package io.kvstadium.engine.h2file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.h2.mvstore.DataUtils;
import org.jspecify.annotations.Nullable;

/**
 * The header of an MVStore file: one line, at the beginning of each of the first two blocks.
 *
 * @param entries names and values, in order, without the checksum
 */
record Header(Map<String, String> entries) {
  static final int BLOCK = 4096;

  /** How many blocks have it. */
  static final int COPIES = 2;

  /** What MVStore notes when it closes the file properly. */
  private static final String CLEAN = "clean";

  /** Noted instead where {@link #CLEAN} would make MVStore continue with another chunk. */
  private static final String ENDED = "ended";

  private static final String SUM = ",fletcher:";

  /** Returns the header that a block begins with, or {@code null} if there is none. */
  static @Nullable Header of(byte[] block) {
    String line = new String(block, StandardCharsets.ISO_8859_1).split("\n", 2)[0];
    int end = line.lastIndexOf(SUM);
    if (end < 0 || !line.substring(end).equals(SUM + sum(line.substring(0, end)))) {
      return null;
    }
    Map<String, String> entries = new LinkedHashMap<>();
    for (String entry : line.substring(0, end).split(",")) {
      int colon = entry.indexOf(':');
      entries.put(entry.substring(0, colon), entry.substring(colon + 1));
    }
    return new Header(entries);
  }

  /** Whether the file was closed properly. */
  boolean isClosed() {
    return isClean() || "1".equals(entries.get(ENDED));
  }

  /** Whether MVStore sees that. */
  boolean isClean() {
    return "1".equals(entries.get(CLEAN));
  }

  boolean leadsTo(Pointers.Pointer chunk) {
    return Long.toHexString(chunk.version()).equals(entries.get("version"))
        && Long.toHexString(chunk.block()).equals(entries.get("block"));
  }

  /** Returns the header that MVStore would have written with this chunk. */
  Header with(Pointers.Pointer chunk) {
    Map<String, String> changed = new LinkedHashMap<>(entries);
    changed.put("block", Long.toHexString(chunk.block()));
    changed.put("chunk", Long.toHexString(chunk.id()));
    changed.put("version", Long.toHexString(chunk.version()));
    return new Header(changed).opened();
  }

  /** Returns this header for a file that is not closed. */
  Header opened() {
    Map<String, String> changed = new LinkedHashMap<>(entries);
    changed.remove(CLEAN);
    changed.remove(ENDED);
    return new Header(changed);
  }

  /** Returns this header for a file that is closed, which MVStore does not notice. */
  Header ended() {
    Map<String, String> changed = new LinkedHashMap<>(opened().entries);
    changed.put(ENDED, "1");
    return new Header(changed);
  }

  /** Returns the blocks with this header. */
  ByteBuffer blocks() {
    String text =
        entries.entrySet().stream()
            .map(entry -> entry.getKey() + ":" + entry.getValue())
            .collect(Collectors.joining(","));
    byte[] line = (text + SUM + sum(text) + "\n").getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer blocks = ByteBuffer.allocate(COPIES * BLOCK);
    for (int copy = 0; copy < COPIES; copy++) {
      blocks.put(copy * BLOCK, line);
    }
    return blocks;
  }

  private static String sum(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return Integer.toHexString(DataUtils.getFletcher32(bytes, 0, bytes.length));
  }
}
