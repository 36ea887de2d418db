package io.kvstadium.torture.fault;

import io.kvstadium.torture.child.FaultedProcess;
import io.kvstadium.torture.fault.Linux.Descriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A power cut for one file system: it is shut down without a flush, so that all that was not
 * flushed is gone. Before that, some of it is written out at random, since the system might have
 * written out anything in any order.
 *
 * <p>Shutting down the wrong file system could take the machine's root away. So the very descriptor
 * that is used for it is checked against the table of mounts first: it must belong to a mount whose
 * source is a loop device over the image that this run made, and whose device is not that of the
 * file system around it.
 */
public final class PowerCut {
  private PowerCut() {}

  /**
   * Cuts the power.
   *
   * @throws IOException if the mount point is not the disk's, or the system refuses; nothing is
   *     shut down then
   */
  static void cut(LoopDisk disk) throws IOException {
    try (Descriptor descriptor = Descriptor.of(disk.namespace().seen(disk.mountPoint()))) {
      demandOwn(descriptor, disk.namespace().mountInfo(), disk.mountPoint(), disk.image());
      descriptor.shutDownFileSystem();
    }
  }

  /**
   * Checks that a descriptor belongs to the mount of a loop device over an image.
   *
   * @param mountInfo the mounts of the namespace that the descriptor is in
   * @throws IOException if it does not; the message says what it is instead
   */
  static void demandOwn(Descriptor descriptor, List<String> mountInfo, Path mountPoint, Path image)
      throws IOException {
    String id =
        Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor.number())).stream()
            .filter(line -> line.startsWith("mnt_id:"))
            .map(line -> line.substring("mnt_id:".length()).strip())
            .findFirst()
            .orElseThrow(() -> new IOException("this system does not report a descriptor's mount"));
    String[] own = mount(mountInfo, id);
    String device = own[2];
    String around = mount(mountInfo, own[1])[2];
    String source = own[own.length - 2];
    require(own[3].equals("/"), "it is a part of a file system, " + own[3]);
    require(own[4].equals(mountPoint.toString()), "it is mounted at " + own[4]);
    require(!device.equals(around), "it is the same device as what is around it, " + device);
    require(source.matches("/dev/loop\\d+"), "its source is " + source);
    Path backing =
        Path.of("/sys/block", Path.of(source).getFileName().toString(), "loop/backing_file");
    String file = Files.readString(backing).strip();
    require(file.equals(image.toRealPath().toString()), "its image is " + file);
    String number =
        Files.readString(Path.of("/sys/block", Path.of(source).getFileName().toString(), "dev"));
    require(number.strip().equals(device), source + " is device " + number.strip());
  }

  /** The fields of {@code proc_pid_mountinfo(5)}: id, parent, device, root, mount point … */
  private static String[] mount(List<String> mountInfo, String id) throws IOException {
    List<String[]> found =
        mountInfo.stream()
            .map(line -> line.split(" ", -1))
            .filter(fields -> fields[0].equals(id))
            .toList();
    require(found.size() == 1, "mount " + id + " is " + found.size() + " times in its table");
    return found.getFirst();
  }

  private static void require(boolean holds, String otherwise) throws IOException {
    if (!holds) {
      throw new IOException("this is not the disk to be shut down: " + otherwise);
    }
  }

  /** Makes the system write out some of what it holds, in random order. */
  static void writeOutSome(LoopDisk disk, SplittableRandom random) throws IOException {
    Path root = disk.namespace().seen(disk.mountPoint());
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(root)) {
      all.filter(Files::isRegularFile).forEach(files::add);
    } catch (java.io.UncheckedIOException e) {
      // a file vanished meanwhile: those seen so far are enough
    }
    for (Path file : files) {
      if (random.nextBoolean()) {
        continue;
      }
      try (Descriptor descriptor = Descriptor.of(file)) {
        long size = Files.size(file);
        for (int i = random.nextInt(1, 4); i > 0 && size > 0; i--) {
          long from = random.nextLong(size);
          descriptor.writeOut(from & -4096L, random.nextLong(1, size - from + 1));
        }
      } catch (NoSuchFileException _) {
        // it is gone, and another one may have taken its place
      }
    }
    if (random.nextInt(4) > 0) { // the journal commits: sizes and names are there, bytes may not be
      try (FileChannel other =
          FileChannel.open(
              root.resolve("unrelated"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        other.write(java.nio.ByteBuffer.wrap(new byte[] {(byte) random.nextInt()}));
        other.force(true);
      }
    }
  }

  /** A separate disk for a sequence. */
  public record Injector(LoopDisk disk) implements FaultInjector {
    @Override
    public Path directory() {
      return disk.mountPoint();
    }

    @Override
    public List<String> prefix() {
      return disk.namespace().prefix();
    }

    @Override
    public String fileSystem() {
      return disk.format().word();
    }

    @Override
    public void inject(FaultedProcess process, SplittableRandom random)
        throws IOException, InterruptedException {
      writeOutSome(disk, random);
      cut(disk);
      process.kill();
      disk.unmount();
      disk.mount();
    }

    @Override
    public boolean acknowledgesToTheEnd() {
      return false;
    }

    @Override
    public void close() throws IOException {
      disk.close();
    }
  }
}
