package io.kvstadium.trace.record;

import io.kvstadium.store.Recording;
import io.kvstadium.store.record.CallRecorder;
import io.kvstadium.store.record.RecorderProvider;
import java.util.Map;

/** Records into traces; found by the library. */
public final class TraceRecorders implements RecorderProvider {
  @Override
  public void check(Recording.Options options) {
    Recorder.check(options);
  }

  @Override
  public CallRecorder start(Recording.Options options, Map<String, String> header) {
    return Recorder.start(options, header);
  }
}
