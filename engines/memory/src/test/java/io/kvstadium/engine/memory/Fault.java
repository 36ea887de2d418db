package io.kvstadium.engine.memory;

import java.util.List;
import java.util.Locale;

/** A way in which {@link FaultyEngine} is wrong, and the tests of the kit that must detect it. */
enum Fault {
  NONE,
  SIGNED_ORDER("orderIsThatOfUnsignedBytesInBothDirections", "storeBehavesLikeSortedMaps"),
  IGNORES_EXCLUSIVE_BOUNDS(
      "boundsHoldWhereverTheyLie", "prefixSelectsWhatStartsWithIt", "storeBehavesLikeSortedMaps"),
  SEEKS_BEHIND_THE_KEY("seekFindsTheNearestEntryInBothDirections"),
  LIVE_CURSOR("cursorSeesTheStateAtItsBeginning"),
  LOSES_DELETES("deletedEntryIsGoneAndCanBePutAgain", "batchIsAppliedInItsOrder"),
  EMPTY_VALUE_IS_MISSING("emptyValueIsNotAMissingOne"),
  DENIES_WHAT_IS_THERE("existsTellsWhatIsThere"),
  GIVES_ITS_OWN_ARRAYS("returnedArraysBelongToTheCaller"),
  KEEPS_CALLERS_ARRAYS("arraysMayBeChangedAfterPutReturned"),
  LENDS_WRITABLE_VALUES("lentValueIsTheSameBytesAndReadOnly"),
  SPLITS_BATCHES("noSnapshotSeesHalfABatch"),
  REVERSES_BATCHES("batchIsAppliedInItsOrder", "storeBehavesLikeSortedMaps"),
  DELETES_RANGES_INCLUSIVELY("rangeDeleteRemovesExactlyTheRange"),
  DELETES_RANGES_LAST("rangeDeletesOfABatchKeepItsOrder"),
  COUNTS_DELETED_RANGES_AS_ONE("rangeDeleteRemovesExactlyTheRange"),
  LIVE_SNAPSHOT("snapshotKeepsWhatWasOverwrittenDeletedAndCleared", "storeBehavesLikeSortedMaps"),
  COMMITS_WITHOUT_CHECK(
      "noUpdateIsLost", "optimisticBlockRunsAgainAfterAConflict", "optimisticAttemptsAreBounded"),
  CHECKS_ONLY_WRITES("optimisticConflictOfWhatWasOnlyRead"),
  FORGETS_SCANS("whatIsAddedToAScannedRangeIsAConflict", "whatWasOnlyScannedIsProtectedToo"),
  CLASSIFIES_CONFLICTS_WRONGLY("optimisticBlockRunsAgainAfterAConflict", "noUpdateIsLost"),
  LOCKS_NOTHING(
      "noUpdateIsLost", "noConditionalWriteIsLost", "pessimisticLockIsWaitedForNoLongerThanAsked"),
  BLIND_TO_OWN_WRITES(
      "readsSeeTheTransactionsOwnWrites",
      "scansSeeTheTransactionsOwnWrites",
      "storeBehavesLikeSortedMaps"),
  COMMITS_WHAT_WAS_ROLLED_BACK("nothingIsWrittenAfterRollback", "nothingIsWrittenIfTheBlockThrows"),
  MIXES_TABLES_UP("tablesAreIndependent"),
  KEEPS_DROPPED_TABLES("fiftyTablesAreMadeListedDroppedAndMadeAgain"),
  LOSES_THE_LAST_WRITE_AT_CLOSE("everythingIsThereAfterReopening"),
  BACKS_UP_TABLES_ONE_AFTER_THE_OTHER("backupWhileOthersWriteIsAPrefixOfWholeBatches"),
  BUFFERS_WHAT_IT_ACKNOWLEDGED("nothingAcknowledgedIsLostToAKill"),
  TEARS_BATCHES_AT_A_KILL("nothingAcknowledgedIsLostToAKill"),
  GIVES_LESS_DURABILITY("durabilityIsAsAskedOrStronger");

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
