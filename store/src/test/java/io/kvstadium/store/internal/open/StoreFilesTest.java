package io.kvstadium.store.internal.open;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is the same place and what is not, by its files and not by its name. */
class StoreFilesTest {
  @TempDir private Path temp;
  private Path store;

  @BeforeEach
  void make() throws IOException {
    store = Files.createDirectories(temp.resolve("store"));
    Files.writeString(store.resolve("data"), "entries");
    Files.writeString(store.resolve("1.sst"), "entries for ever");
  }

  @Test
  void aStoreIsFoundUnderEveryName() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("link"), store);
    Path hard = Files.createDirectories(temp.resolve("hard"));
    Files.createLink(hard.resolve("other"), store.resolve("data"));
    Path soft = Files.createDirectories(temp.resolve("soft"));
    Files.createSymbolicLink(soft.resolve("other"), store.resolve("data"));

    for (Path place :
        List.of(
            store,
            temp.resolve("missing/../store"),
            link,
            link.resolve("new/export.csv"),
            store.resolve("data"),
            hard,
            hard.resolve("other"),
            soft,
            temp)) {
      assertThatThrownBy(() -> StoreFiles.checkApart("fake:store", store, place))
          .as("%s", place)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("fake:store");
    }
  }

  @Test
  void anotherPlaceIsLeftAlone() throws IOException {
    Path checkpoint = Files.createDirectories(temp.resolve("checkpoint"));
    Files.createLink(checkpoint.resolve("1.sst"), store.resolve("1.sst"));

    for (Path place : List.of(checkpoint, temp.resolve("missing/store"), temp.resolve("store2"))) {
      StoreFiles.checkApart("fake:store", store, place);
    }
  }
}
