package io.kvstadium.engine.mapdb;

import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.help.LibraryVersion;
import io.kvstadium.store.engine.help.TableFiles;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.mapdb.DBException;
import org.mapdb.DBMaker;

/** MapDB, version 3. */
public final class MapDbEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          MapDbEngine.class::getResourceAsStream, LibraryVersion.of(() -> DBMaker.class, "mapdb"));

  /** For {@link java.util.ServiceLoader}. */
  public MapDbEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) throws IOException {
    return !files(config).tables().isEmpty();
  }

  static TableFiles files(StoreConfig config) {
    return new TableFiles(config.directory(), ".mapdb");
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new MapDbStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return classify(thrown);
  }

  /** On damaged files MapDB throws whatever exception it happens to run into. */
  static @Nullable Failure classify(Throwable thrown) {
    return switch (thrown) {
      case DBException.FileLocked _ ->
          new Failure(Kind.LOCKED, "another process has it open", "close it there");
      case DBException.WrongConfiguration _ ->
          new Failure(Kind.ARGUMENT, "it was made with other options", "open it with those");
      case DBException.VolumeIOError e
          when e instanceof DBException.VolumeEOF || e.getCause() instanceof EOFException ->
          new Failure(Kind.CORRUPT, "a file is cut off", "restore a backup");
      case DBException.VolumeIOError e when e.getCause() instanceof IOException cause ->
          Failure.ofFiles(cause);
      case RuntimeException _, AssertionError _ ->
          new Failure(
              Kind.CORRUPT, "damaged, or not closed before the process ended", "restore a backup");
      default -> null;
    };
  }
}
