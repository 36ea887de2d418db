package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;
import static io.kvstadium.conformance.Bytes.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Capability;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Reading what another process, or another handle of this one, has open for writing. */
interface ReadBesideTests extends Staged {
  private Store openWriter() {
    return stage().openWith(Capability.PERSISTENT, Capability.CONCURRENT_READ_ONLY);
  }

  private Path said() {
    return stage().path().resolveSibling("child-says");
  }

  private OtherProcess start() throws IOException {
    return new OtherProcess(said());
  }

  /** See {@link EngineConformance#readersSeeEachCommit()}. */
  boolean readersSeeEachCommit();

  private void assertSees(OtherProcess reader, String key, String value) throws IOException {
    String seen = reader.ask("get " + key);
    if (readersSeeEachCommit()) {
      assertThat(seen).isEqualTo(text(bytes(value)));
    } else {
      assertThat(seen).isIn(text(bytes(value)), Bytes.ABSENT); // or as of the open
    }
  }

  @Test
  default void anotherProcessReadsBesideTheWriter() throws Exception {
    Store store = openWriter();
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("a"), bytes("1"));
    Stage.sync(store);
    OtherProcess reader = OtherProcess.shared();
    assertThat(reader.ask("read " + stage().url())).isEqualTo("ok");
    assertThat(reader.ask("get a")).isEqualTo(text(bytes("1")));

    table.put(bytes("b"), bytes("2"));
    Stage.sync(store);
    assertSees(reader, "b", "2");
    assertThat(reader.ask("put c 3")).startsWith("!");

    assertThat(reader.ask("close")).isEqualTo("ok");
    table.put(bytes("d"), bytes("4"));
    Stage.sync(store);
    assertThat(reader.ask("read " + stage().url())).isEqualTo("ok");
    assertThat(reader.ask("get b")).isEqualTo(text(bytes("2")));
    assertThat(reader.ask("get c")).isEqualTo(Bytes.ABSENT);
    assertThat(reader.ask("get d")).isEqualTo(text(bytes("4")));
    assertThat(reader.ask("close")).isEqualTo("ok");
    assertThat(table.contains(bytes("d"))).isTrue();
  }

  @Test
  default void aReaderThatIsKilledHarmsNobody() throws Exception {
    Store store = openWriter();
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("a"), bytes("1"));
    Stage.sync(store);
    try (OtherProcess reader = start()) {
      assertThat(reader.ask("read " + stage().url())).isEqualTo("ok");
      assertThat(reader.ask("scan")).isEqualTo(text(bytes("a")));
      reader.kill();
    }

    for (int i = 0; i < 100; i++) {
      table.put(Bytes.key(i), Bytes.value(100, i));
    }
    if (Files.isDirectory(stage().path())) { // it may be elsewhere, where others may write
      assertThat(OtherProcess.shared().isLockedOut(stage().url())).isTrue();
    }
    store.close();
    Table<byte[], byte[]> again = stage().open().table();
    for (int i = 0; i < 100; i++) {
      assertThat(again.get(Bytes.key(i))).isEqualTo(Bytes.value(100, i));
    }
  }

  @Test
  default void aReaderOutlivesTheWriter() throws Exception {
    openWriter().close();
    try (OtherProcess writer = start();
        OtherProcess second = start()) {
      assertThat(writer.ask("write " + stage().url())).isEqualTo("ok");
      assertThat(writer.ask("put a 1")).isEqualTo("ok");
      Store reader = stage().open(OpenOptions.DEFAULT.readOnly(true));
      assertThat(text(reader.table().get(bytes("a")))).isEqualTo(text(bytes("1")));
      assertThat(writer.ask("put b 2")).isEqualTo("ok");
      writer.kill();

      assertThat(text(reader.table().get(bytes("a")))).isEqualTo(text(bytes("1")));
      assertThat(second.ask("write " + stage().url())).isEqualTo("ok");
      assertThat(second.ask("get b")).isEqualTo(text(bytes("2")));
      assertThat(second.ask("put c 3")).isEqualTo("ok");
      assertThat(text(reader.table().get(bytes("a")))).isEqualTo(text(bytes("1")));
      reader.close();
      assertThat(second.ask("put d 4")).isEqualTo("ok");
      assertThat(second.ask("close")).isEqualTo("ok");
    }
    Table<byte[], byte[]> table = stage().open().table();
    assertThat(text(table.get(bytes("c")))).isEqualTo(text(bytes("3")));
    assertThat(text(table.get(bytes("d")))).isEqualTo(text(bytes("4")));
  }

  @Test
  default void aReaderInTheSameProcessIsRefusedOrElsewhere() throws Exception {
    Store store = openWriter();
    Table<byte[], byte[]> table = store.table();
    table.put(bytes("a"), bytes("1"));
    Stage.sync(store);

    if (!Files.isDirectory(stage().path())) { // a server, which has many clients
      Store reader = stage().open(OpenOptions.DEFAULT.readOnly(true));
      table.put(bytes("b"), bytes("2"));
      assertThat(text(reader.table().get(bytes("a")))).isEqualTo(text(bytes("1")));
      reader.close();
      table.put(bytes("c"), bytes("3"));
      assertThat(table.contains(bytes("b"))).isTrue();
      return;
    }
    assertThatThrownBy(() -> stage().open(OpenOptions.DEFAULT.readOnly(true)))
        .isInstanceOf(LockedException.class)
        .hasMessageContaining("this process")
        .hasMessageContaining("share");
    table.put(bytes("b"), bytes("2"));
    assertThat(OtherProcess.shared().isLockedOut(stage().url())).isTrue();
  }
}
