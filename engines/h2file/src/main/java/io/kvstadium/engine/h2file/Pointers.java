package io.kvstadium.engine.h2file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Where the newest chunk is, and the one before, since MVStore does not always note it. Each of the
 * two blocks of the file's header has room for such a pair, in one sector, behind what MVStore
 * reads. A pair is written with each chunk, alternately into one block and the other, so that the
 * pair of a synced chunk stays while the next chunk is not synced.
 */
final class Pointers {
  /** In a block of the header: the first byte of a sector that MVStore fills with zeros. */
  static final int AT = 2048;

  private static final int SLOTS = Header.COPIES;
  private static final int POINTER = 4 * Long.BYTES + Integer.BYTES;
  private static final int PAIR = 2 * POINTER + Integer.BYTES;

  /** How many bytes a pair takes in the file: two for each byte. */
  static final int LENGTH = 2 * PAIR;

  private static final long NO_VERSION = -1;

  /**
   * A chunk.
   *
   * @param version the store's version; -1 for none
   * @param id the id by which pages refer to it
   * @param block where it begins
   * @param blocks how many blocks it has
   * @param sum its CRC32C without the footer
   */
  record Pointer(long version, long id, long block, long blocks, int sum) {
    static final Pointer NONE = new Pointer(NO_VERSION, 0, 0, 0, 0);
  }

  /** The newest chunk, and the one before it. */
  private record Pair(Pointer newest, Pointer before) {}

  private final @Nullable Pair[] slots = new @Nullable Pair[SLOTS];
  private Pointer newest = Pointer.NONE;
  private int next;

  /** Reads the slot in a block of the header; it may be empty. */
  void read(int slot, ByteBuffer block) {
    slots[slot] = decoded(block.slice(AT, LENGTH));
  }

  /** Puts the pairs in their places in the blocks of a header. */
  ByteBuffer in(ByteBuffer blocks) {
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slots[slot] != null) {
        blocks.put(blocks.position() + slot * Header.BLOCK + AT, bytes(slot));
      }
    }
    return blocks;
  }

  /** Returns all chunks that were found, the newest first. */
  List<Pointer> found() {
    List<Pointer> all = new ArrayList<>();
    for (Pair pair : slots) {
      if (pair != null) {
        all.add(pair.newest);
        all.add(pair.before);
      }
    }
    all.removeIf(each -> each.version == NO_VERSION);
    all.sort(Comparator.comparingLong(Pointer::version).reversed());
    return all;
  }

  /** Continues after this chunk; the slot that points to it is not written next. */
  void goOn(Pointer chunk) {
    newest = chunk;
    next = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      Pair pair = slots[slot];
      if (pair != null && pair.newest.equals(chunk)) {
        next = 1 - slot;
        return;
      }
      if (pair != null && pair.before.equals(chunk)) {
        next = 1 - slot;
      }
    }
  }

  /** Makes the newest the only one: no other that was found may be found again. */
  void settle() {
    Arrays.fill(slots, newest.equals(Pointer.NONE) ? null : new Pair(newest, newest));
  }

  /** Forgets what was found, since it does not belong to the present file. */
  void forget() {
    Arrays.fill(slots, null);
  }

  /**
   * Notes a chunk after the newest, or where that one was moved to; returns the slot that must be
   * written.
   */
  int add(Pointer chunk) {
    int slot = chunk.version == newest.version ? 1 - next : next;
    slots[slot] = new Pair(chunk, newest);
    newest = chunk;
    next = 1 - slot;
    return slot;
  }

  /** Returns a slot that was set, as it is in the file. */
  byte[] bytes(int slot) {
    Pair pair = Objects.requireNonNull(slots[slot]);
    ByteBuffer plain = ByteBuffer.allocate(PAIR);
    for (Pointer each : List.of(pair.newest, pair.before)) {
      plain.putLong(each.version).putLong(each.id).putLong(each.block).putLong(each.blocks);
      plain.putInt(each.sum);
    }
    plain.putInt(sum(plain));
    byte[] bytes = new byte[LENGTH];
    for (int i = 0; i < PAIR; i++) { // MVStore cuts off bytes above 127 at the end of a block
      bytes[2 * i] = (byte) (0x80 | (plain.get(i) >> 4 & 0xf));
      bytes[2 * i + 1] = (byte) (0x80 | (plain.get(i) & 0xf));
    }
    return bytes;
  }

  private static @Nullable Pair decoded(ByteBuffer from) {
    ByteBuffer plain = ByteBuffer.allocate(PAIR);
    while (plain.hasRemaining()) {
      int high = from.get();
      int low = from.get();
      if ((high & 0xf0) != 0x80 || (low & 0xf0) != 0x80) {
        return null;
      }
      plain.put((byte) (high << 4 | (low & 0xf)));
    }
    plain.position(2 * POINTER);
    if (plain.getInt() != sum(plain)) {
      return null;
    }
    plain.rewind();
    return new Pair(pointer(plain), pointer(plain));
  }

  private static Pointer pointer(ByteBuffer from) {
    return new Pointer(
        from.getLong(), from.getLong(), from.getLong(), from.getLong(), from.getInt());
  }

  private static int sum(ByteBuffer pair) {
    CRC32C sum = new CRC32C();
    sum.update(pair.slice(0, 2 * POINTER));
    return (int) sum.getValue();
  }
}
