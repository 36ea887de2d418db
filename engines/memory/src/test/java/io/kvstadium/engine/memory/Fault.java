package io.kvstadium.engine.memory;

import java.util.List;
import java.util.Locale;

/** A way in which {@link FaultyEngine} is wrong, and the conformance tests that must detect it. */
enum Fault {
  NONE,
  SIGNED_ORDER(Tests.MODEL),
  IGNORES_EXCLUSIVE_BOUNDS(Tests.MODEL),
  SEEKS_BEHIND_THE_KEY(Tests.MODEL),
  SEEKS_OUT_OF_ITS_RANGE(Tests.MODEL),
  LEAVES_ITS_RANGE_BESIDE_A_WRITER(Tests.MODEL),
  LIVE_CURSOR(Tests.MODEL),
  LOSES_DELETES(Tests.MODEL),
  EMPTY_VALUE_IS_MISSING(Tests.MODEL),
  CUTS_LONG_VALUES(Tests.MODEL, "valuesOfAnySizeComeBack"),
  TAKES_THE_HEAD_FOR_ALL(Tests.MODEL, "valuesOfAnySizeComeBack"),
  GIVES_EACH_OF_MANY_ONCE(Tests.MODEL),
  MISCOUNTS_LARGE_TABLES(Tests.MODEL),
  GIVES_ITS_OWN_ARRAYS(Tests.MODEL),
  KEEPS_CALLERS_ARRAYS(Tests.MODEL),
  WRITABLE_ZERO_COPY_VALUES(Tests.MODEL),
  SPLITS_BATCHES("noSnapshotSeesHalfABatch"),
  REVERSES_BATCHES(Tests.MODEL),
  KEEPS_THE_FIRST_OF_A_BATCH(Tests.MODEL),
  DELETES_RANGES_INCLUSIVELY(Tests.MODEL),
  DELETES_RANGES_LAST(Tests.MODEL),
  COUNTS_DELETED_RANGES_AS_ONE(Tests.MODEL),
  LIVE_SNAPSHOT(Tests.MODEL),
  LIVE_SNAPSHOT_OF_OTHER_TABLES(Tests.MODEL),
  COMMITS_WITHOUT_CHECK(
      Tests.ISOLATION, "noUpdateIsLost", "optimisticBlockRunsAgainAfterAConflict"),
  CHECKS_ONLY_WRITES(Tests.ISOLATION),
  FORGETS_SCANS(Tests.ISOLATION),
  CLASSIFIES_CONFLICTS_WRONGLY("optimisticBlockRunsAgainAfterAConflict", "noUpdateIsLost"),
  LOCKS_NOTHING("noUpdateIsLost", "pessimisticLockIsWaitedForNoLongerThanAsked"),
  BLIND_TO_OWN_WRITES(Tests.MODEL),
  SCANS_BLIND_TO_OWN_DELETES(Tests.MODEL),
  COMMITS_WHAT_WAS_ROLLED_BACK(Tests.MODEL),
  MIXES_TABLES_UP(Tests.MODEL),
  KEEPS_DROPPED_TABLES(Tests.MODEL, "fiftyTablesAreMadeListedDroppedAndMadeAgain"),
  FORGETS_DROPS_AT_CLOSE(Tests.MODEL),
  LOSES_THE_LAST_WRITE_AT_CLOSE(Tests.MODEL),
  SWALLOWS_INTERRUPTS("anInterruptedThreadCallsLikeAnyOther"),
  BACKS_UP_TABLES_ONE_AFTER_THE_OTHER("backupWhileOthersWriteIsAPrefixOfWholeBatches"),
  BUFFERS_WHAT_IT_ACKNOWLEDGED("nothingAcknowledgedIsLostToAKill"),
  TEARS_BATCHES_AT_A_KILL("nothingAcknowledgedIsLostToAKill");

  /** Tests that find many of them. */
  private static final class Tests {
    static final String MODEL = "storeBehavesLikeSortedMaps";
    static final String ISOLATION = "isolationPreventsTheAnomaly";
  }

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> convictedBy;

  Fault(String... convictedBy) {
    this.convictedBy = List.of(convictedBy);
  }

  List<String> convictedBy() {
    return convictedBy;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
