package io.kvstadium.engine.h2file;

import static io.kvstadium.engine.h2file.Header.BLOCK;

import io.kvstadium.engine.h2file.Pointers.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An MVStore file whose newest commit is found after a crash. MVStore writes each commit as a
 * chunk. After a crash it continues with the newest chunk that it finds whose two ends are there,
 * whatever is between them, or with an older one.
 *
 * <p>Here each chunk gets a checksum in its last bytes, behind those that MVStore reads, and {@link
 * Pointers} tell where it is. After a crash they are used to find the newest chunk that is whole.
 * Until MVStore writes the next one, it reads a header that leads to this chunk, and a file that
 * ends with it, so that it finds no other. Without pointers it searches, and a torn chunk is hidden
 * from it.
 *
 * <p>If there is never more than one unsynced chunk, only the newest can be torn. So before a chunk
 * is written the previous one is synced; for the same reason, no chunk that a fallback needs has
 * been overwritten by then. At the open, chunks older than one that was found whole are not read.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // calls at a position are concurrent
class ChunkFile extends UninterruptibleFile {
  private static final int FOOTER = 128;
  private static final int PORTION = 1 << 20;

  /** The footer as {@code org.h2.mvstore.Chunk} writes it, in hexadecimal, perhaps with our sum. */
  private static final Pattern FORM =
      Pattern.compile(
          "(?<own>chunk:(?<id>[0-9a-f]+),len:(?<blocks>[0-9a-f]+),version:(?<version>[0-9a-f]+)"
              + ",fletcher:[0-9a-f]+)(,crc32c:(?<sum>[0-9a-f]+))?\\s*");

  private final boolean writable;
  private final boolean synced;
  private final Pointers pointers = new Pointers();

  /** Whether the file's header was read; guarded by this, like all fields below. */
  private boolean looked;

  /** Whether the header says that MVStore closed the file properly. */
  private boolean closed;

  /** Whether the file was found after a crash. */
  private boolean recovered;

  /** The header that MVStore reads after a crash, until it writes; otherwise {@code null}. */
  private @Nullable Header leading;

  /** Where the file seems to end until then. */
  private long end;

  /** The newest chunk that was written or found whole. */
  private long newest = -1;

  /** Whether there may be a chunk that is not synced. */
  private boolean unsynced = true; // perhaps left by a killed process

  /**
   * Opens the file.
   *
   * @param mode as for {@link java.io.RandomAccessFile}
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
    if (at == 0 && length == Header.COPIES * BLOCK) {
      return writeHeader(from);
    }
    Matcher footer = length > 0 && length % BLOCK == 0 ? footer(from, from.limit() - FOOTER) : null;
    return footer == null ? put(from, at) : write(from, at, footer);
  }

  /** Writes to the file; tests override it to notice writes. */
  protected int put(ByteBuffer from, long at) throws IOException {
    return super.write(from, at);
  }

  private synchronized int writeHeader(ByteBuffer blocks) throws IOException {
    look();
    byte[] first = new byte[BLOCK];
    blocks.get(blocks.position(), first);
    Header given = Header.of(first);
    closed = given != null && given.isClean();
    if (closed && synced && unsynced) {
      force(false); // otherwise a chunk torn by a power cut would be taken for whole
    }
    leading = null;
    if (given != null && closed && recovered) {
      // A chunk also names unused chunks, and some of these are overwritten. MVStore tolerates that
      // after a crash, but not in a file that was closed: there it continues with an older chunk.
      blocks.put(blocks.position(), given.ended().blocks().array());
    }
    return put(pointers.in(blocks), 0);
  }

  /** Before the first chunk: the file is no longer closed, and its newest chunk is settled. */
  private void beginWriting() throws IOException {
    Header present = leading == null ? header(0) : leading;
    if (present != null) {
      pointers.settle();
      put(pointers.in(present.opened().blocks()), 0);
      if (synced) {
        force(false);
      }
    }
    leading = null;
    closed = false;
  }

  /** Writes a chunk. If it is only moved, it has its old version, and nothing refers to it yet. */
  private synchronized int write(ByteBuffer chunk, long at, Matcher footer) throws IOException {
    look();
    if (closed || leading != null) {
      beginWriting();
    }
    long version = hex(footer, "version");
    if (synced && unsynced && version > newest) {
      force(false);
    }
    CRC32C sum = new CRC32C();
    sum.update(chunk.duplicate().limit(chunk.limit() - FOOTER));
    String text = "%s,crc32c:%08x".formatted(footer.group("own"), sum.getValue());
    chunk.put(chunk.limit() - FOOTER, text.getBytes(StandardCharsets.US_ASCII));
    unsynced = true;
    int written = put(chunk, at);
    if (version >= newest) {
      newest = version;
      int slot =
          pointers.add(
              new Pointer(
                  version,
                  hex(footer, "id"),
                  at / BLOCK,
                  hex(footer, "blocks"),
                  (int) sum.getValue()));
      put(ByteBuffer.wrap(pointers.bytes(slot)), (long) slot * BLOCK + Pointers.AT);
    }
    return written;
  }

  private static long hex(Matcher footer, String group) {
    return Long.parseLong(footer.group(group), 16);
  }

  @Override
  public synchronized void force(boolean metaData) throws IOException {
    super.force(metaData);
    unsynced = false;
  }

  /** Returns the end of the newest chunk after a crash, until MVStore writes. */
  @Override
  public synchronized long size() throws IOException {
    look();
    return leading == null ? super.size() : end;
  }

  @Override
  public int read(ByteBuffer to, long at) throws IOException {
    int start = to.position();
    int read = super.read(to, at);
    if (at == 0 && read == Header.COPIES * BLOCK) {
      readHeader(to, start);
    }
    if (read == FOOTER && (at + FOOTER) % BLOCK == 0) { // MVStore reads so when it opens a file
      Matcher footer = footer(to, start);
      if (footer != null && footer.group("sum") == null) {
        noteForeign(hex(footer, "version"));
      } else if (footer != null && isTorn(footer, at)) {
        to.put(start, new byte[FOOTER]);
      }
    }
    return read;
  }

  /** A chunk that H2 itself wrote is not checked, but an older one that is moved is not newest. */
  private synchronized void noteForeign(long version) {
    newest = Math.max(newest, version);
  }

  private synchronized void readHeader(ByteBuffer to, int start) throws IOException {
    look();
    if (leading != null) {
      to.put(start, pointers.in(leading.blocks()).array());
    }
  }

  /** Finds, once, the newest chunk that is whole. */
  private void look() throws IOException {
    if (looked) {
      return;
    }
    looked = true;
    Header first = header(0);
    Header second = header(1);
    closed = first != null && first.isClosed() && first.equals(second);
    Header either = first == null ? second : first;
    for (int slot = 0; slot < Header.COPIES; slot++) {
      pointers.read(slot, block(slot));
    }
    for (Pointer each : pointers.found()) {
      if (either != null && (closed ? either.leadsTo(each) : isWhole(each))) {
        pointers.goOn(each);
        if (!either.isClean() || !closed) {
          recovered = true;
          leading = either.with(each);
          end = (each.block() + each.blocks()) * BLOCK;
          newest = each.version();
        }
        return;
      }
    }
    pointers.forget();
  }

  private boolean isWhole(Pointer chunk) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(FOOTER);
    long at = (chunk.block() + chunk.blocks()) * BLOCK - FOOTER;
    if (super.read(bytes, at) < FOOTER) {
      return false;
    }
    Matcher footer = footer(bytes, 0);
    return footer != null
        && footer.group("sum") != null
        && hex(footer, "version") == chunk.version()
        && (int) hex(footer, "sum") == chunk.sum()
        && isSum(chunk.sum(), chunk.block() * BLOCK, at);
  }

  private synchronized boolean isTorn(Matcher footer, long at) throws IOException {
    look();
    long version = hex(footer, "version");
    long from = at + FOOTER - hex(footer, "blocks") * BLOCK;
    if (version < newest || from < 0) {
      return false;
    }
    if (leading != null && version > newest) {
      return true; // it was never acknowledged
    }
    if (isSum((int) hex(footer, "sum"), from, at)) {
      newest = version;
      return false;
    }
    if (closed) {
      return false; // not torn by a power cut: if MVStore notices the damage, it should report it
    }
    if (writable) { // its space is free now: it must not be found once it is not the newest
      put(ByteBuffer.allocate(FOOTER), at);
    }
    return true;
  }

  private boolean isSum(int expected, long from, long to) throws IOException {
    CRC32C sum = new CRC32C();
    ByteBuffer portion = ByteBuffer.allocate((int) Math.min(PORTION, to - from));
    for (long next = from; next < to; next += portion.limit()) {
      portion.clear().limit((int) Math.min(PORTION, to - next));
      if (super.read(portion, next) < portion.limit()) {
        return false;
      }
      sum.update(portion.flip());
    }
    return (int) sum.getValue() == expected;
  }

  private @Nullable Header header(int copy) throws IOException {
    return Header.of(block(copy).array());
  }

  private ByteBuffer block(int number) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    super.read(block, (long) number * BLOCK);
    return block;
  }

  private static @Nullable Matcher footer(ByteBuffer in, int at) {
    byte[] bytes = new byte[FOOTER];
    in.get(at, bytes);
    Matcher matcher = FORM.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    return matcher.matches() ? matcher : null;
  }
}
