package io.kvstadium.torture;

import io.kvstadium.cluster.LocalCluster;
import io.kvstadium.cluster.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Separate disks for the nodes of a cluster, whose power can be cut. They hide the nodes' data, but
 * only in a mount namespace: nodes that are started in it begin with nothing, and their other data
 * is not touched.
 */
public final class ClusterDisks implements AutoCloseable {
  private static final long BYTES = 1L << 30; // of a sparse file

  private final Home home;
  private final MountNamespace namespace;
  private final Map<Node, LoopDisk> disks = new LinkedHashMap<>();

  /** Why such disks are not available here, or {@code null}. */
  public static @Nullable String unavailable() {
    return DiskFormat.EXT4.unavailable();
  }

  /** Makes disks for a cluster with no running node. */
  public ClusterDisks(LocalCluster cluster) throws IOException {
    home = Home.at(null);
    try {
      namespace = new MountNamespace();
    } catch (IOException | RuntimeException e) {
      home.close();
      throw e;
    }
    try {
      for (Node node : cluster.nodes()) {
        Files.createDirectories(node.data());
        disks.put(
            node, new LoopDisk(namespace, home.directory(), node.data(), DiskFormat.EXT4, BYTES));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Words before a command that must see the disks. */
  public List<String> prefix() {
    return namespace.prefix();
  }

  /** Cuts the power of some nodes' disks: what was not flushed is gone. */
  void cut(List<Node> nodes, SplittableRandom random) throws IOException {
    List<LoopDisk> cut = new ArrayList<>();
    for (Node node : nodes) {
      LoopDisk disk = disks.get(node);
      if (disk == null) {
        throw new IllegalArgumentException("node " + node.number() + " has no disk here");
      }
      PowerCut.writeOutSome(disk, random);
      cut.add(disk);
    }
    for (LoopDisk disk : cut) {
      PowerCut.cut(disk);
    }
  }

  /** Mounts the cut disks again, after their nodes have ended. */
  void mountAgain(List<Node> nodes) throws IOException {
    for (Node node : nodes) {
      LoopDisk disk = disks.get(node);
      if (disk != null) {
        disk.unmount();
        disk.mount();
      }
    }
  }

  /**
   * Removes the hints that a node keeps for others until they are back. Cassandra does not sync
   * them, and does not start with what a power cut leaves of them.
   */
  void removeHints(Node node) throws IOException {
    Path hints = namespace.seen(node.data().resolve("hints"));
    if (Files.isDirectory(hints)) {
      try (Stream<Path> files = Files.list(hints)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Removes the disks; no node may be running on them. */
  @Override
  public void close() throws IOException {
    try {
      for (LoopDisk disk : disks.values()) {
        disk.close();
      }
    } finally {
      namespace.close();
      home.close();
    }
  }
}
