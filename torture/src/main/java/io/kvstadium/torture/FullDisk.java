package io.kvstadium.torture;

import io.kvstadium.torture.Child.Stage;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** A disk of its own that fills up while the store is written, and has room again afterwards. */
record FullDisk(LoopDisk disk) implements Ground {
  /** How long is waited until a write fails; not every store needs room for what it overwrites. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final int MOST_LEFT = 2 << 20;

  @Override
  public Path directory() {
    return disk.mountPoint();
  }

  @Override
  public List<String> prefix() {
    return disk.namespace().prefix();
  }

  @Override
  public void strike(Child worker, SplittableRandom random)
      throws IOException, InterruptedException {
    FileStore files = Files.getFileStore(disk.namespace().seen(disk.mountPoint()));
    Path ballast = disk.mountPoint().resolve("ballast");
    long length = files.getUsableSpace() - random.nextInt(MOST_LEFT);
    disk.namespace().run("fallocate", "-l", Long.toString(Math.max(1, length)), ballast.toString());
    worker.await(Stage.CLOSING, PATIENCE);
    worker.kill();
    Files.delete(disk.namespace().seen(ballast));
  }

  @Override
  public boolean acknowledgesToTheEnd() {
    return true;
  }

  @Override
  public void close() throws IOException {
    disk.close();
  }
}
