package app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VisitsTest {
  @Test
  void eachPageIsCountedByItself() {
    try (Store store = Stadium.open("memory:")) { // of this test alone; gone when it is closed
      Visits visits = new Visits(store);

      visits.count("home");
      visits.count("about");

      assertEquals(2, visits.count("home"));
    }
  }

  @Test
  void countsOutliveTheProgram(@TempDir Path directory) {
    String url = "sqlite:" + directory.resolve("visits");
    try (Store store = Stadium.open(url)) {
      new Visits(store).count("home");
    }

    try (Store store = Stadium.open(url)) {
      assertEquals(2, new Visits(store).count("home"));
    }
  }
}
