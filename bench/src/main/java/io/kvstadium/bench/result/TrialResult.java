package io.kvstadium.bench.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of one configuration in a fresh process on a fresh directory.
 *
 * @param number from 1
 * @param seed what its keys and values were made from
 * @param failure why it has no figures, or {@code null}
 * @param phases in order; those before a failure may be there and are not figures
 * @param diskBytes allocated blocks of the store's files after the last write and before deletes,
 *     or -1 if unknown
 * @param liveBytes bytes of the keys and values that were live then, or -1
 * @param peakAnonymousBytes anonymous memory of the process at the end, or with a memory limit that
 *     of its control group, the most that was seen; or -1
 * @param peakFileBytes file-backed memory likewise, of a control group its page cache; or -1
 */
public record TrialResult(
    int number,
    long seed,
    @Nullable String failure,
    List<PhaseResult> phases,
    long diskBytes,
    long liveBytes,
    long peakAnonymousBytes,
    long peakFileBytes) {
  public TrialResult {
    phases = List.copyOf(phases);
  }
}
