package io.kvstadium.transfer;

import io.kvstadium.store.Range;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What {@link Export} writes, and how.
 *
 * @param tables the tables to write and the names that they get; empty for all, by their own names
 * @param range the keys to write, in each table; only its bounds count
 * @param live whether a store without snapshots may be read although others may write to it
 *     meanwhile
 * @param bytes how JSON Lines and CSV represent keys and values: {@code auto}, as strings where
 *     they are valid UTF-8 and otherwise in base64; {@code hex}; {@code base64}
 * @param progress receives the progress now and then
 */
public record ExportOptions(
    Map<String, String> tables,
    Range<byte[]> range,
    boolean live,
    String bytes,
    Consumer<CopyProgress> progress) {
  /** Everything, under its own name. */
  public static final ExportOptions DEFAULT =
      new ExportOptions(Map.of(), Range.all(), false, "auto", _ -> {});
}
