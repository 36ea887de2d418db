package io.kvstadium.store.engine.help;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibraryVersionTest {
  @ParameterizedTest
  @CsvSource({
    "jar:file:/older/rocksdb/rocksdbjni-9.10.0.jar!/org/rocksdb/RocksDB.class, rocksdbjni, 9.10.0",
    "jar:file:/x/rocksdbjni-9.1.0-linux64.jar!/org/rocksdb/RocksDB.class,      rocksdbjni, 9.1.0",
    "jar:nested:/app.jar/!BOOT-INF/lib/je-18.3.12.jar!/com/sleepycat/E.class,  je,         18.3.12",
    "jar:file:/x/native-0.9.33-5.jar!/org/lmdbjava/native/l.so,                native,   0.9.33-5",
    "jar:file:/x/elsa-3.0.0-M5.jar!/E.class,                                   elsa,     3.0.0-M5",
    "jar:file:/x/h2-2.5.0-SNAPSHOT.jar!/H.class,                         h2,       2.5.0-SNAPSHOT",
    "jar:file:/x/shaded-1.0.jar!/org/rocksdb/RocksDB.class,                    rocksdbjni, unknown",
    "jar:file:/h2-1.0.jar/my-h2-3.jar!/H.class,                                h2,         unknown",
    "file:/classes/org/rocksdb/RocksDB.class,                                  rocksdbjni, unknown",
    "null,                                                                     rocksdbjni, unknown"
  })
  void theJarThatIsLoadedTellsTheVersion(String location, String artifact, String version) {
    assertThat(LibraryVersion.inLocation(location, artifact)).isEqualTo(version);
  }

  @Test
  void aClassIsFoundInItsJar() {
    assertThat(LibraryVersion.of(() -> Test.class, "junit-jupiter-api"))
        .isNotEqualTo(LibraryVersion.UNKNOWN);
  }

  @Test
  void aLibraryThatIsMissingHasNone() {
    Supplier<Class<?>> missing =
        () -> {
          throw new NoClassDefFoundError("org/lmdbjava/Env");
        };
    assertThat(LibraryVersion.of(missing, "lmdbjava")).isEqualTo(LibraryVersion.UNKNOWN);
    assertThat(LibraryVersion.of(missing, "/native.so", "native"))
        .isEqualTo(LibraryVersion.UNKNOWN);
  }
}
