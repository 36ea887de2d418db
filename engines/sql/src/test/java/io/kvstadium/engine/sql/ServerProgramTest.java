package io.kvstadium.engine.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnsupportedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProgramTest {
  private static final String PROGRAM = "#!/bin/sh\necho program\n";
  private static final ServerArtifact ARTIFACT = artifact();

  @TempDir Path directory;

  /** An artifact that is nothing but the program. */
  private static ServerArtifact artifact() {
    return new ServerArtifact(
        "x",
        "X",
        "1.2",
        "program.jar",
        "bin/x",
        (artifact, into) -> {
          if (!Files.readString(artifact).equals(PROGRAM)) {
            throw new IOException(artifact + " is damaged");
          }
          Files.createDirectories(into.resolve("bin"));
          Files.copy(artifact, into.resolve("bin/x"));
        },
        "apt install x");
  }

  private Path local() throws IOException {
    return Files.writeString(directory.resolve("artifact.jar"), PROGRAM);
  }

  private Path cache() {
    return directory.resolve("a cache");
  }

  private List<String> cached() throws IOException {
    try (Stream<Path> files = Files.list(cache())) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private Path script(String folder, String name, String says) throws IOException {
    Path script = Files.createDirectories(directory.resolve(folder)).resolve(name);
    Files.writeString(script, "#!/bin/sh\necho '" + says + "'\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script;
  }

  @Test
  void artifactIsUnpackedOnceByWhoeverComesFirst() throws Exception {
    Path local = local();
    Callable<ServerProgram> use = () -> ServerProgram.of(ARTIFACT, local, cache(), () -> null);
    try (var threads = Executors.newFixedThreadPool(2)) {
      for (var used : threads.invokeAll(List.of(use, use))) {
        assertThat(used.get().file()).hasContent(PROGRAM).isExecutable();
        assertThat(used.get().file().getParent().getParent()).isEqualTo(used.get().home());
      }
    }
    assertThat(cached()).containsExactly("x-1.2");

    Files.delete(local);
    assertThat(use.call().file()).startsWith(cache());
  }

  @Test
  void installedProgramIsTakenWithoutTheArtifactAndOthersOfThatNameAreNot() throws Exception {
    Path none = directory.resolve("none.jar");
    script("a", "mysqld", "mysqld  Ver 8.4.0 for Linux (MySQL Community Server - GPL)");
    Path maria = script("b", "mysqld", "mysqld  Ver 10.3.1-MariaDB");
    List<String> folders =
        List.of(directory.resolve("a").toString(), directory.resolve("b").toString());

    Path found = ServerProgram.find(List.of("mariadbd", "mysqld"), folders, "MariaDB");
    assertThat(found).isEqualTo(maria);
    assertThat(ServerProgram.of(ARTIFACT, none, cache(), () -> maria).file()).isEqualTo(maria);
    assertThatThrownBy(() -> ServerProgram.of(ARTIFACT, none, cache(), () -> null))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("apt install x");
    assertThat(cache()).doesNotExist();
  }

  @Test
  void whatCannotBeUnpackedSaysWhatToDo() throws Exception {
    Path damaged = Files.write(directory.resolve("damaged.jar"), new byte[100]);
    assertThatThrownBy(() -> ServerProgram.of(ARTIFACT, damaged, cache(), () -> null))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining(damaged.toString());

    Path local = local();
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> ServerProgram.of(ARTIFACT, local, file.resolve("cache"), () -> null))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("XDG_CACHE_HOME");
  }
}
