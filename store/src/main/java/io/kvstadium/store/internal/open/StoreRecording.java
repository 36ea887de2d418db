package io.kvstadium.store.internal.open;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Recording;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.view.Listening;
import io.kvstadium.store.record.CallRecorder;
import io.kvstadium.store.record.RecorderProvider;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;

/** The recording of an open store. */
final class StoreRecording implements Recording {
  private final Path file;
  private final Listening listening;
  private final CallRecorder recorder;

  private StoreRecording(Path file, Listening listening, CallRecorder recorder) {
    this.file = file;
    this.listening = listening;
    this.recorder = recorder;
  }

  /** Refuses what cannot be recorded, before anything is made. */
  static void check(String url, Recording.Options options) {
    provider(url).check(options);
  }

  static StoreRecording start(OpenStore<?> store, Listening listening, Recording.Options options) {
    CallRecorder recorder = provider(store.url()).start(options, header(store));
    listening.record(recorder);
    return new StoreRecording(recorder.file(), listening, recorder);
  }

  private static RecorderProvider provider(String url) {
    return ServiceLoader.load(RecorderProvider.class, RecorderProvider.class.getClassLoader())
        .findFirst()
        .or(() -> ServiceLoader.load(RecorderProvider.class).findFirst()) // of the context
        .orElseThrow(() ->
            new UnsupportedException(
                url + ": to record a store, add kv-stadium-trace to the class path"));
  }

  /** What there was when the recording began; see {@code docs/internals/trace-format.md}. */
  private static Map<String, String> header(OpenStore<?> store) {
    Map<String, String> header = new LinkedHashMap<>();
    header.put("engine", store.engine().name());
    header.put("engine_version", store.engine().version());
    header.put("durability", store.durability().word());
    store.options().forEach((name, value) -> header.put("option." + name, value));
    if (store.capabilities().contains(Capability.ESTIMATED_COUNT)) {
      for (String table : store.tables()) {
        header.put("table." + table, Long.toString(store.table(table).estimateCount()));
      }
    }
    header.put("disk_bytes", Long.toString(store.sizeOnDisk()));
    return header;
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public boolean isRecording() {
    return recorder.isRecording();
  }

  @Override
  public long dropped() {
    return recorder.dropped();
  }

  @Override
  public void close() {
    listening.record(null);
    recorder.close();
  }
}
