package io.kvstadium.transfer.source;

import io.kvstadium.store.LockedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * HaloDB's files, read without HaloDB: every record once at the open, with its checksum. Of the
 * records of a key the one with the highest sequence counts, unless a deletion has a higher one.
 * Keys are on the heap meanwhile, values stay in the files. Index files, which HaloDB itself does
 * not check, and leftovers of a repair ({@code .repair}) are ignored.
 */
final class RecordFiles implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.(datac?|tombstone)");

  /** Where the newest record of a key is. */
  record Place(int file, long offset, long sequence) {}

  private final Arena arena = Arena.ofShared();
  private final @Nullable FileChannel lock;
  private final List<RecordFile> files = new ArrayList<>();
  private final List<Place> places;
  private final List<String> damaged = new ArrayList<>();
  private final List<String> torn = new ArrayList<>();
  private final CRC32 crc = new CRC32();

  /** Reads all files. */
  RecordFiles(Path directory) throws IOException {
    this.lock = lock(directory.resolve("LOCK"));
    try {
      List<Path> paths = list(directory);
      Map<String, Path> newest = new HashMap<>();
      paths.forEach(path -> newest.put(name(path).group(2), path));
      Map<ByteBuffer, Place> found = new HashMap<>();
      for (Path path : paths) { // deletions come last
        RecordFile file = RecordFile.map(path, arena);
        files.add(file);
        read(file, newest.containsValue(path), found);
      }
      places =
          found.values().stream()
              .sorted(Comparator.comparingInt(Place::file).thenComparingLong(Place::offset))
              .toList();
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Whether a directory has files with HaloDB's names. */
  static boolean areIn(Path directory) {
    try {
      return !list(directory).isEmpty();
    } catch (IOException _) {
      return false; // whoever reads it says why
    }
  }

  /** Keeps HaloDB out, or finds that it is there. */
  private static @Nullable FileChannel lock(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true);
      if (shared != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw inUse(file, e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw inUse(file, null);
  }

  private static LockedException inUse(Path file, @Nullable Exception cause) {
    return new LockedException(file.getParent() + " is open in HaloDB: close it there", cause);
  }

  /** Files of entries before those of deletions, each in the order of their numbers. */
  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> NAME.matcher(file.getFileName().toString()).matches())
          .sorted(
              Comparator.comparing((Path file) -> name(file).group(2).equals("tombstone"))
                  .thenComparingLong(file -> Long.parseLong(name(file).group(1))))
          .toList();
    }
  }

  private static Matcher name(Path file) {
    Matcher matcher = NAME.matcher(file.getFileName().toString());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(file.toString());
    }
    return matcher;
  }

  private void read(RecordFile file, boolean newest, Map<ByteBuffer, Place> found) {
    long at = 0;
    while (at < file.size()) {
      RecordFile.Found record = file.sound(at, crc);
      if (record != null) {
        take(file, at, record, found);
        at = record.end();
        continue;
      }
      long next = file.nextSound(at + 1, crc);
      boolean isEnd = newest && next == file.size();
      (isEnd ? torn : damaged)
          .add("%s at byte %d (%d bytes)".formatted(file.path().getFileName(), at, next - at));
      at = next;
    }
  }

  private void take(
      RecordFile file, long at, RecordFile.Found record, Map<ByteBuffer, Place> found) {
    ByteBuffer key = ByteBuffer.wrap(file.key(record).toArray(ValueLayout.JAVA_BYTE));
    Place place = new Place(files.size() - 1, at, record.sequence());
    if (file.deletions()) {
      found.computeIfPresent(
          key, (_, present) -> present.sequence() < place.sequence() ? null : present);
    } else {
      found.merge(
          key, place, (present, next) -> present.sequence() <= next.sequence() ? next : present);
    }
  }

  RecordFile file(int number) {
    return files.get(number);
  }

  /** Where the entries are, file by file. */
  List<Place> places() {
    return places;
  }

  /** The damaged places, other than {@link #torn}. */
  List<String> damaged() {
    return damaged;
  }

  /** Torn ends of the newest file of its kind, which an abnormal end leaves. */
  List<String> torn() {
    return torn;
  }

  @Override
  public void close() throws IOException {
    arena.close();
    if (lock != null) {
      lock.close();
    }
  }
}
