package io.kvstadium.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.help.FileTrees;
import io.kvstadium.store.internal.open.StoreDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupsTest {
  @TempDir private Path temp;
  private Path directory;
  private Backups backups;

  @BeforeEach
  void prepare() {
    directory = temp.resolve("backups");
    backups = Backups.in(directory);
  }

  /** The end of the process, as far as the code after it is concerned. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private static void noKill() {}

  private static Runnable killAt(int step) {
    AtomicInteger steps = new AtomicInteger();
    return () -> {
      if (steps.getAndIncrement() == step) {
        throw new Killed();
      }
    };
  }

  private Backup backUp(Runnable step, ToLongFunction<BackupTarget> filling) {
    return new BackupRepository(directory, step).create(source(filling), RateLimiter.free());
  }

  private BackupSource source(ToLongFunction<BackupTarget> filling) {
    return source(temp.resolve("store"), "id", filling);
  }

  private static BackupSource source(
      Path store, @Nullable String id, ToLongFunction<BackupTarget> filling) {
    return new BackupSource("fake", "1", id, store, Map.of("cache", "1m"), filling);
  }

  private Backup backUp(Map<String, String> files) {
    return backUp(BackupsTest::noKill, writing(files));
  }

  private static ToLongFunction<BackupTarget> writing(Map<String, String> files) {
    return target -> {
      files.forEach((name, text) -> write(target.directory().resolve(name), text));
      return -1;
    };
  }

  private static ToLongFunction<BackupTarget> adding(Path file) {
    return target -> {
      target.addImmutable(file, file.getFileName().toString());
      return -1;
    };
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was restored, beside the mark that makes it a store of this library. */
  private static Map<String, String> read(Path place) throws IOException {
    Map<String, String> all = new TreeMap<>();
    for (Path file : BackupFiles.list(place)) {
      all.put(file.getFileName().toString(), Files.readString(file));
    }
    all.remove(StoreDirectory.LOCK_FILE);
    return all;
  }

  private Path stored(Backup backup, String name) {
    return new BackupRepository(directory)
        .stored(
            backup.files().stream()
                .filter(file -> file.name().equals(name))
                .findFirst()
                .orElseThrow()
                .sha256());
  }

  @Test
  void aBackupIsListedVerifiedAndRestoredWithTheOptionsOfItsStore() throws IOException {
    Map<String, String> files = Map.of("a", "one", "b", "");
    Backup made = backUp(files);

    String url = backups.restore(made.id(), temp.resolve("again"));

    assertThat(backups.list()).containsExactly(made);
    assertThat(made.location()).isEqualTo(temp.resolve("store").toString());
    assertThat(made.toString())
        .hasSizeLessThan(200)
        .doesNotContain(made.files().getFirst().sha256());
    assertThat(made.bytes()).isEqualTo(3);
    assertThat(backups.verify(made.id())).isEmpty();
    assertThat(read(temp.resolve("again"))).isEqualTo(files);
    assertThat(url).isEqualTo("fake:" + temp.resolve("again") + "?cache=1m");
    assertThat(BackupFiles.list(temp)).hasSize(2); // nothing unfinished beside it
  }

  @Test
  void whatTwoBackupsHaveIsStoredOnceAndGoesWithTheLast() throws IOException {
    Backup one = backUp(Map.of("a", "same", "b", "one"));
    Backup two = backUp(Map.of("a", "same", "b", "two"));

    assertThat(two.written()).isEqualTo(3);
    assertThat(two.shared()).isEqualTo(4);
    assertThat(BackupFiles.list(directory.resolve("files"))).hasSize(3);
    backups.delete(one.id());
    assertThat(BackupFiles.list(directory.resolve("files"))).hasSize(2);
    assertThat(backups.verify(two.id())).isEmpty();
  }

  @Test
  void anImmutableFileIsCopiedAgainOnlyIfItIsAnother() throws IOException {
    Path file = temp.resolve("1.sst");
    write(file, "one");
    Backup one = backUp(BackupsTest::noKill, adding(file));
    Object copy = identity(stored(one, "1.sst"));

    Backup two = backUp(BackupsTest::noKill, adding(file));
    assertThat(identity(stored(two, "1.sst"))).isEqualTo(copy);
    assertThat(two.written()).isZero();

    Files.delete(file);
    write(file, "two"); // of the same name and length
    Backup three = backUp(BackupsTest::noKill, adding(file));
    assertThat(Files.readString(stored(three, "1.sst"))).isEqualTo("two");
    assertThat(Files.readString(stored(one, "1.sst"))).isEqualTo("one");
  }

  @Test
  void whatIsCopiedIsHeldToARate() {
    Path file = temp.resolve("1.sst");
    write(file, "three");
    List<Long> waits = new ArrayList<>();
    RateLimiter limiter = new RateLimiter(100, () -> 0, waits::add); // bytes a second

    new BackupRepository(directory).create(source(adding(file)), limiter);

    assertThat(waits).containsExactly(50_000_000L);
  }

  private static Object identity(Path file) throws IOException {
    return Files.getAttribute(file, "lastModifiedTime").toString()
        + Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  @Test
  void killedAtAnyStepABackupLeavesTheEarlierOnesAndNothingForGood() throws IOException {
    Map<String, String> first = Map.of("a", "same", "b", "one");
    Map<String, String> second = Map.of("a", "same", "b", "two", "c", "three");
    int step = 0;
    for (boolean killed = true; killed; step++) {
      FileTrees.remove(directory);
      backUp(first);
      killed = isKilled(killAt(step), second);

      Path again = temp.resolve("again" + step);
      backups.restore(1, again);
      assertThat(read(again)).isEqualTo(first);
      assertThat(backups.ids()).isEqualTo(killed ? List.of(1L) : List.of(1L, 2L));
      assertThat(backUp(second).id()).isEqualTo(killed ? 2 : 3);
      assertThat(backups.list())
          .allSatisfy(each -> assertThat(backups.verify(each.id())).isEmpty());
      assertThat(read(directory.resolve("files")).values())
          .containsExactlyInAnyOrder("same", "one", "two", "three");
      assertThat(directory.resolve("unfinished")).doesNotExist();
    }
    assertThat(step).isGreaterThan(4);
  }

  private boolean isKilled(Runnable step, Map<String, String> files) {
    try {
      backUp(step, writing(files));
      return false;
    } catch (Killed e) {
      return true;
    }
  }

  @Test
  void killedAtAnyStepARemovalLeavesWhatItKeeps() throws IOException {
    int step = 0;
    for (boolean killed = true; killed; step++) {
      FileTrees.remove(directory);
      backUp(Map.of("a", "same", "b", "one"));
      backUp(Map.of("a", "same", "b", "two"));
      killed = false;
      try {
        new BackupRepository(directory, killAt(step)).delete(List.of(1L));
      } catch (Killed e) {
        killed = true;
      }

      assertThat(backups.ids()).contains(2L);
      assertThat(backups.verify(2)).isEmpty();
    }
    assertThat(step).isGreaterThan(1);
  }

  @Test
  void aBackupThatFailsLeavesNothing() {
    assertThatThrownBy(() ->
            backUp(
                BackupsTest::noKill,
                target -> {
                  write(target.directory().resolve("a"), "half");
                  throw new StoreIoException("broken");
                }))
        .hasMessage("broken");

    assertThat(directory.resolve("unfinished")).doesNotExist();
    assertThat(backups.list()).isEmpty();
  }

  @Test
  void damageIsFoundAndNothingIsRestoredOfIt() throws IOException {
    Backup made = backUp(Map.of("a", "one", "b", "two", "c", "three"));
    write(stored(made, "a"), "eno");
    write(stored(made, "b"), "tw");
    Files.delete(stored(made, "c"));
    Path again = temp.resolve("again");

    assertThat(backups.verify(made.id()))
        .hasSize(3)
        .anySatisfy(text -> assertThat(text).contains("file a").contains("has changed"))
        .anySatisfy(text -> assertThat(text).contains("file b").contains("2 bytes instead of 3"))
        .anySatisfy(text -> assertThat(text).contains("file c").contains("missing"));
    assertThatThrownBy(() -> backups.restore(made.id(), again))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("nothing was restored");
    assertThat(BackupFiles.list(temp)).containsExactly(directory);
    backUp(Map.of("a", "one")); // has the content again
    assertThat(backups.verify(made.id())).hasSize(2);
  }

  @Test
  void aDamagedManifestIsNamedAndKeepsOthersFromNothing() throws IOException {
    backUp(Map.of("a", "one"));
    Path manifest = directory.resolve("manifests").resolve("1");
    write(manifest, Files.readString(manifest).replace("engine fake", "engine lake"));

    assertThatThrownBy(backups::list)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(manifest.toString());
    assertThat(backups.verify(1)).singleElement().asString().contains("manifest is damaged");
    assertThat(backUp(Map.of("a", "two")).id()).isEqualTo(2);
    assertThat(read(directory.resolve("files")).values()).containsExactlyInAnyOrder("one", "two");
    backups.delete(1);
    assertThat(read(directory.resolve("files")).values()).containsExactly("two");
    assertThat(backups.verify(2)).isEmpty();
  }

  @Test
  void restoringOverwritesNothing() {
    Backup made = backUp(Map.of("a", "one"));
    write(temp.resolve("precious"), "mine");

    assertThatThrownBy(() -> backups.restore(made.id(), temp))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("holds files already");
    assertThat(temp.resolve("precious")).hasContent("mine");
    assertThatThrownBy(() -> backups.restore(7, temp.resolve("again")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("no backup 7")
        .hasMessageContaining("there are: 1");
  }

  @Test
  void filesOfOneEngineAreNotRestoredForAnother() {
    Backup made = backUp(Map.of("a", "one"));

    assertThatThrownBy(() -> backups.restore(made.id(), "memory:"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("fake:DIRECTORY");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../a", "/etc/a", "a/b", "..", ".", "", "a\0b", "a b", ".hidden"})
  void aNameOfAFileCannotLeadOutOfADirectory(String name) throws IOException {
    Path file = temp.resolve("file");
    write(file, "one");

    assertThatThrownBy(() ->
            backUp(
                BackupsTest::noKill,
                target -> {
                  target.addImmutable(file, name);
                  return -1;
                }))
        .isInstanceOf(BadArgumentException.class);
    Backup forged =
        new Backup(
            1,
            Instant.EPOCH,
            "fake",
            "1",
            "",
            Map.of(),
            Backup.Form.FILES,
            -1,
            List.of(new Backup.File(name, 1, "0".repeat(64))),
            1);
    Files.createDirectories(directory.resolve("manifests"));
    write(
        directory.resolve("manifests").resolve("1"),
        new BackupManifest(forged, null, Map.of()).text());
    assertThatThrownBy(() -> backups.restore(1, temp.resolve("again")))
        .isInstanceOf(CorruptException.class);
  }

  @Test
  void symbolicLinksAreNotFollowedToFiles() throws IOException {
    Backup made = backUp(Map.of("a", "one"));
    Path stored = stored(made, "a");
    write(temp.resolve("outside"), "one");
    Files.delete(stored);
    Files.createSymbolicLink(stored, temp.resolve("outside"));

    assertThat(backups.verify(made.id())).hasSize(1);
    assertThatThrownBy(() -> backups.restore(made.id(), temp.resolve("again")))
        .isInstanceOf(CorruptException.class);
  }

  @Test
  void aDirectoryOfSomethingElseIsRefusedAndLeftAsItIs() throws IOException {
    Files.createDirectories(directory);
    write(directory.resolve("letter"), "dear");

    assertThatThrownBy(() -> backUp(Map.of("a", "one")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("holds files that are not backups");
    assertThatThrownBy(backups::list).isInstanceOf(BadArgumentException.class);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()))
          .containsExactly("letter");
    }
  }

  @Test
  void theStoresOwnDirectoryIsNoPlaceForItsBackups() {
    directory = temp.resolve("store").resolve("backups");

    assertThatThrownBy(() -> backUp(Map.of("a", "one")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("in the directory of the store itself");
    assertThat(directory).doesNotExist();
  }

  @Test
  void noStoreIsPutAmongTheBackups() {
    Backup made = backUp(Map.of("a", "one"));

    for (String place : List.of("unfinished", "files/a", "../" + directory.getFileName() + "/x")) {
      assertThatThrownBy(() -> backups.restore(made.id(), directory.resolve(place)))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("in the directory of the backups");
    }
  }

  @Test
  void oneDirectoryTakesTheBackupsOfOneStore() throws IOException {
    backUp(Map.of("a", "one"));
    Path moved = Files.createDirectories(temp.resolve("moved"));
    Path original = temp.resolve("store");

    assertThatThrownBy(() -> backUp(original, "another")) // made anew in the same place
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("backups of another store");
    assertThatThrownBy(() -> backUp(moved, null)).isInstanceOf(BadArgumentException.class);
    assertThat(backUp(original, null).id()).isEqualTo(2); // as far as can be told
    assertThat(backUp(original, "id").id()).isEqualTo(3);
    assertThat(backUp(moved, "id").id()).isEqualTo(4); // it is gone from its first place

    Files.createDirectories(original);
    backUp(original, "id"); // it is back
    write(original.resolve(StoreDirectory.ID_FILE), "id\n");
    assertThatThrownBy(() -> backUp(moved, "id")) // there are two of them
        .isInstanceOf(BadArgumentException.class);
  }

  private Backup backUp(Path store, @Nullable String id) {
    return new BackupRepository(directory)
        .create(source(store, id, writing(Map.of("a", "two"))), RateLimiter.free());
  }

  @Test
  void aSecondBackupAtTheSameTimeIsRefused() {
    backUp(
        BackupsTest::noKill,
        target -> {
          assertThatThrownBy(() -> backUp(Map.of("a", "one")))
              .isInstanceOf(LockedException.class)
              .hasMessageContaining("wait for it to end");
          return writing(Map.of("a", "two")).applyAsLong(target);
        });

    assertThat(backups.list()).hasSize(1);
  }

  @Test
  void oneAtLeastIsKept() {
    for (int i = 0; i < 3; i++) {
      backUp(Map.of("a", "" + i));
    }

    assertThatThrownBy(() -> backups.prune(0)).isInstanceOf(BadArgumentException.class);
    assertThat(backups.prune(5)).isEmpty();
    assertThat(backups.prune(2)).containsExactly(1L);
    assertThat(backups.ids()).containsExactly(2L, 3L);
  }

  @Test
  void snapshotThatACompactionHasMadeUselessIsTakenAgain() throws IOException {
    Path file = temp.resolve("entries");
    AtomicInteger left = new AtomicInteger(2);
    try (Store store = Stadium.open("memory:");
        Store copy = Stadium.open("memory:")) {
      store.table().put(new byte[] {1}, new byte[] {2});
      store.table("empty");
      Store compacting = compacting(store, left);

      assertThat(BackupEntries.write(compacting, file, RateLimiter.free())).isEqualTo(1);

      assertThat(BackupEntries.load(file, copy)).isEqualTo(1);
      assertThat(copy.table().get(new byte[] {1})).isEqualTo(new byte[] {2});
      assertThat(copy.tables()).contains("empty");
      left.set(Integer.MAX_VALUE);
      assertThatThrownBy(() -> BackupEntries.write(compacting, file, RateLimiter.free()))
          .isInstanceOf(ConflictException.class);
      assertThat(Integer.MAX_VALUE - left.get()).isEqualTo(5);
    }
  }

  /** The same store, whose snapshots become useless this many times. */
  private static Store compacting(Store store, AtomicInteger left) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (method.getName().equals("snapshot") && left.getAndDecrement() > 0) {
                throw new ConflictException("the table was compacted after this snapshot");
              }
              return method.invoke(store, arguments);
            });
  }
}
