package io.kvstadium.engine.h2file;

import io.kvstadium.store.spi.UninterruptibleFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file of MVStore's that notices torn chunks. MVStore writes each commit as a chunk, and after a
 * crash goes on with the newest whose two ends are there, whatever is between them. Here each chunk
 * gets a checksum into its last bytes, behind what MVStore reads of them, and one that does not
 * match when the file is opened is not there: then MVStore falls back to the chunk before, which
 * holds all that was acknowledged.
 *
 * <p>Only the newest chunk can be torn, where there is never more than one that is not synced. So
 * before a chunk is written the one before is synced; that is also why none of those that a
 * fallback needs was overwritten by then. At opening, a chunk that is older than one that was found
 * whole is not read.
 */
final class ChunkFile extends UninterruptibleFile {
  private static final int BLOCK = 4096;
  private static final int FOOTER = 128;
  private static final int PORTION = 1 << 20;

  /** As {@code org.h2.mvstore.Chunk} writes it, in hexadecimal, and perhaps our sum. */
  private static final Pattern FORM =
      Pattern.compile(
          "(?<own>chunk:[0-9a-f]+,len:(?<blocks>[0-9a-f]+),version:(?<version>[0-9a-f]+)"
              + ",fletcher:[0-9a-f]+)(,crc32c:(?<sum>[0-9a-f]+))?\\s*");

  private final boolean writable;
  private final boolean synced;

  /** The newest chunk that was written or found whole; guarded by this. */
  private long newest = -1;

  /** Whether there may be a chunk that is not synced; guarded by this. */
  private boolean unsynced = true; // by one who was killed

  /**
   * Opens it.
   *
   * @param mode as of {@link java.io.RandomAccessFile}
   * @param synced whether a chunk is synced before the next one is written
   */
  ChunkFile(Path path, String mode, boolean synced) throws IOException {
    super(path, mode);
    this.writable = mode.startsWith("rw");
    this.synced = synced;
  }

  @Override
  public int write(ByteBuffer from, long at) throws IOException {
    int length = from.remaining();
    Matcher footer = length > 0 && length % BLOCK == 0 ? footer(from, from.limit() - FOOTER) : null;
    return footer == null ? super.write(from, at) : write(from, at, footer);
  }

  /** A chunk that is only moved has its old version, and nothing refers to its copy yet. */
  private synchronized int write(ByteBuffer chunk, long at, Matcher footer) throws IOException {
    long version = Long.parseLong(footer.group("version"), 16);
    if (synced && unsynced && version > newest) {
      force(false);
    }
    CRC32C sum = new CRC32C();
    sum.update(chunk.duplicate().limit(chunk.limit() - FOOTER));
    String text = "%s,crc32c:%08x".formatted(footer.group("own"), sum.getValue());
    chunk.put(chunk.limit() - FOOTER, text.getBytes(StandardCharsets.US_ASCII));
    newest = Math.max(newest, version);
    unsynced = true;
    return super.write(chunk, at);
  }

  @Override
  public synchronized void force(boolean metaData) throws IOException {
    super.force(metaData);
    unsynced = false;
  }

  @Override
  public int read(ByteBuffer to, long at) throws IOException {
    int start = to.position();
    int read = super.read(to, at);
    if (read == FOOTER && (at + FOOTER) % BLOCK == 0) { // MVStore reads so when it opens a file
      Matcher footer = footer(to, start);
      if (footer != null && footer.group("sum") != null && isTorn(footer, at)) {
        to.put(start, new byte[FOOTER]);
      }
    }
    return read;
  }

  private synchronized boolean isTorn(Matcher footer, long at) throws IOException {
    long version = Long.parseLong(footer.group("version"), 16);
    long from = at + FOOTER - Long.parseLong(footer.group("blocks"), 16) * BLOCK;
    if (version < newest || from < 0) {
      return false;
    }
    CRC32C sum = new CRC32C();
    ByteBuffer portion = ByteBuffer.allocate((int) Math.min(PORTION, at - from));
    for (long next = from; next < at; next += portion.limit()) {
      portion.clear().limit((int) Math.min(PORTION, at - next));
      if (super.read(portion, next) < portion.limit()) {
        return true;
      }
      sum.update(portion.flip());
    }
    if (sum.getValue() == Long.parseLong(footer.group("sum"), 16)) {
      newest = version;
      return false;
    }
    if (isClosed()) {
      return false; // no cut has torn it: if MVStore notices the damage, it is to be told
    }
    if (writable) { // its space is free now: nobody is to find it there once it is not the newest
      super.write(ByteBuffer.allocate(FOOTER), at);
    }
    return true;
  }

  /** Whether MVStore has closed it in order, by both copies of the file's header. */
  private boolean isClosed() throws IOException {
    String first = header(0);
    return first.contains(",clean:1,") && first.equals(header(BLOCK));
  }

  private String header(long at) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    super.read(block, at);
    return new String(block.array(), StandardCharsets.ISO_8859_1).split("\n", 2)[0];
  }

  private static @Nullable Matcher footer(ByteBuffer in, int at) {
    byte[] bytes = new byte[FOOTER];
    in.get(at, bytes);
    Matcher matcher = FORM.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    return matcher.matches() ? matcher : null;
  }
}
