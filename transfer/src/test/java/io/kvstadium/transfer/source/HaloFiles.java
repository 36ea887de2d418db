package io.kvstadium.transfer.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;

/** Writes files as HaloDB does, following what is known of their layout. */
final class HaloFiles {
  private final Path directory;
  private final int version;

  /**
   * @param version of the layout: 0, or 1 with key lengths of 4 bytes
   */
  HaloFiles(Path directory, int version) {
    this.directory = directory;
    this.version = version;
  }

  /** A file being written. */
  final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Writer put(long sequence, String key, String value) {
      ByteBuffer body = ByteBuffer.allocate(1 + width() + 4 + 8 + key.length() + value.length());
      body.put((byte) version);
      length(body, key);
      body.putInt(value.length()).putLong(sequence).put(key.getBytes(UTF_8));
      body.put(value.getBytes(UTF_8));
      return add(body.flip());
    }

    Writer delete(long sequence, String key) {
      ByteBuffer body = ByteBuffer.allocate(1 + 8 + width() + key.length());
      body.put((byte) version).putLong(sequence);
      length(body, key);
      body.put(key.getBytes(UTF_8));
      return add(body.flip());
    }

    private int width() {
      return version == 0 ? 1 : 4;
    }

    private void length(ByteBuffer body, String key) {
      if (version == 0) {
        body.put((byte) key.length());
      } else {
        body.putInt(key.length());
      }
    }

    private Writer add(ByteBuffer buffer) {
      byte[] body = new byte[buffer.remaining()];
      buffer.get(body);
      CRC32 crc = new CRC32();
      crc.update(body);
      bytes.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
      bytes.writeBytes(body);
      return this;
    }

    /** Bytes that are not a record. */
    Writer raw(byte... some) {
      bytes.writeBytes(some);
      return this;
    }

    int size() {
      return bytes.size();
    }

    /**
     * Writes the file without its last bytes.
     *
     * @param less how many bytes are missing
     */
    void write(String name, int less) throws IOException {
      byte[] all = bytes.toByteArray();
      Files.write(directory.resolve(name), Arrays.copyOf(all, all.length - less));
    }

    void write(String name) throws IOException {
      write(name, 0);
    }
  }

  Writer file() {
    return new Writer();
  }

  /** Changes a byte of a file. */
  void flip(String name, int at) throws IOException {
    Path file = directory.resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 0x10;
    Files.write(file, bytes);
  }
}
