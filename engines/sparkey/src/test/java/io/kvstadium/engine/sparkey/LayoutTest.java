package io.kvstadium.engine.sparkey;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutTest {
  @TempDir Path directory;

  private void make(String... names) throws Exception {
    for (String name : names) {
      Files.writeString(directory.resolve(name), "x");
    }
  }

  @Test
  void names_differ_even_where_case_does_not_count_and_come_back() throws Exception {
    Layout layout = new Layout(directory);
    List<String> names = List.of("users", "Users", "USERS", "a.7", ".", "..", "a.1.draft1", "Z-_9");

    for (String name : names) {
      String base = layout.base(name, 3).getName();
      assertThat(base).isLowerCase();
      make(base + ".spl", base + ".spi");
    }

    assertThat(layout.newest()).containsOnlyKeys(names);
    assertThat(layout.newest().get("Users").base()).isEqualTo(layout.base("Users", 3));
  }

  @Test
  void newest_complete_pair_counts_and_leftovers_are_removed() throws Exception {
    Layout layout = new Layout(directory);
    make("t-a.9.spl", "t-a.9.spi", "t-a.10.spl", "t-a.10.spi", "t-a.11.spl", "t-a.12.spi");
    make("t-b.13.draft1.spl", "t-b.13.draft1.spi-tmp0815", "notes.spl", "t-shirts.txt");

    assertThat(layout.newest().values())
        .containsExactly(new Layout.Pair("a", 10, layout.base("a", 10)));
    layout.removeAllBut(layout.newest().values());

    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("t-a.10.spl", "t-a.10.spi", "notes.spl", "t-shirts.txt");
    }
  }
}
