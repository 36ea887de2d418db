package io.kvstadium.torture.child;

import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.check.Sessions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a child process reports to its parent. */
public sealed interface Message {
  /** It is about to open the store. */
  record Opening() implements Message {}

  /**
   * The store is open.
   *
   * @param nanos how long the open took
   * @param durability the word of the level in force
   * @param capabilities the store's
   */
  record Opened(long nanos, String durability, List<String> capabilities) implements Message {}

  /** An operation of a writer returned. */
  record Acknowledged(int writer, long number) implements Message {}

  /** A sync returned that began after these counts of operations were acknowledged. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Synced(long[] counts) implements Message {}

  /** A backup returned that began after these counts of operations were acknowledged. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record BackedUp(long id, long[] counts) implements Message {}

  /** It has written again, after the full disk had space. */
  record Resumed() implements Message {}

  /** It is about to close the store. */
  record Closing() implements Message {}

  /** It has done its work. */
  record Done() implements Message {}

  /** Something was found, or went wrong. */
  record Found(Finding finding) implements Message {}

  /** How many operations of each writer are present. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Present(long[] counts) implements Message {}

  /** Writes it, without flushing. */
  default void write(DataOutputStream out) throws IOException {
    switch (this) {
      case Opening _ -> out.writeByte('o');
      case Opened opened -> {
        out.writeByte('O');
        out.writeLong(opened.nanos);
        out.writeUTF(opened.durability);
        out.writeUTF(String.join(" ", opened.capabilities));
      }
      case Acknowledged acknowledged -> {
        out.writeByte('a');
        out.writeByte(acknowledged.writer);
        out.writeLong(acknowledged.number);
      }
      case Synced synced -> {
        out.writeByte('s');
        out.writeUTF(Sessions.text(synced.counts));
      }
      case BackedUp backup -> {
        out.writeByte('b');
        out.writeLong(backup.id);
        out.writeUTF(Sessions.text(backup.counts));
      }
      case Resumed _ -> out.writeByte('r');
      case Closing _ -> out.writeByte('c');
      case Done _ -> out.writeByte('d');
      case Found found -> {
        out.writeByte('f');
        out.writeUTF(found.finding.kind().name());
        out.writeUTF(cut(found.finding.detail()));
      }
      case Present present -> {
        out.writeByte('p');
        out.writeUTF(Sessions.text(present.counts));
      }
    }
  }

  /** Reads the next one; {@code null} at the end, also in the middle of one. */
  static @Nullable Message read(DataInputStream in) throws IOException {
    try {
      int type = in.readUnsignedByte();
      return switch (type) {
        case 'o' -> new Opening();
        case 'O' -> new Opened(in.readLong(), in.readUTF(), words(in.readUTF()));
        case 'a' -> new Acknowledged(in.readUnsignedByte(), in.readLong());
        case 's' -> new Synced(Sessions.counts(in.readUTF()));
        case 'b' -> new BackedUp(in.readLong(), Sessions.counts(in.readUTF()));
        case 'r' -> new Resumed();
        case 'c' -> new Closing();
        case 'd' -> new Done();
        case 'f' -> new Found(new Finding(Finding.Kind.valueOf(in.readUTF()), in.readUTF()));
        case 'p' -> new Present(Sessions.counts(in.readUTF()));
        default -> throw new IOException("a child process sent a message of type " + type);
      };
    } catch (EOFException e) {
      return null;
    }
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Collections.addAll(words, text.split(" ", -1));
    words.removeIf(String::isEmpty);
    return words;
  }

  /** As much as fits into a message. */
  private static String cut(String text) {
    int most = 10_000;
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }
}
