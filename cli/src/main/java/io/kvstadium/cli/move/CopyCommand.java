package io.kvstadium.cli.move;

import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.engines.Incomplete;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.engines.ReadOnly;
import io.kvstadium.cli.entries.Selection;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.transfer.Copy;
import io.kvstadium.transfer.CopyOptions;
import io.kvstadium.transfer.CopyResult;
import io.kvstadium.transfer.CopyResult.CopiedTable;
import io.kvstadium.transfer.Oversized;
import io.kvstadium.transfer.format.ContentSum;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium copy}: copies a store to another engine or place. */
@Command(
    name = "copy",
    description = {
      "Copies a store to another engine or place, and compares the two.",
      "An interrupted copy is resumed by the same command. Exit code 0 if the copy is complete, 1"
          + " if the two differ at the end, 2 if it failed."
    })
public final class CopyCommand implements Callable<Integer> {
  private static final double NANOS = 1e9;

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;
  @Mixin private Selection selection;
  @Mixin private ExistingOption existing;

  @Parameters(index = "0", paramLabel = "FROM", description = "URL of the store to read.")
  private String from;

  @Parameters(
      index = "1",
      paramLabel = "TO",
      description = "URL of the store to write; created if missing.")
  private String to;

  @Option(
      names = "--table",
      paramLabel = "NAME[=NEW]",
      description = "Only this table, under a new name if one is given; may be repeated.")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--live",
      description =
          "Copies a store without snapshots even if others may write to it meanwhile; the copy may"
              + " then hold only part of their changes.")
  private boolean live;

  @Option(
      names = "--skip-oversized",
      description =
          "Leaves out entries that the target cannot hold; otherwise nothing is copied if there are"
              + " any.")
  private boolean skipOversized;

  @Option(names = "--no-verify", description = "Does not read the target back at the end.")
  private boolean noVerify;

  @Override
  public Integer call() {
    Engines engines = installed.engines();
    CopyOptions options = options();
    return Incomplete.admitting(
        to,
        target -> {
          try (Store source = ReadOnly.open(engines, from)) {
            Path place = engines.config(target).path();
            if (place != null) {
              Stores.checkApart(source, place); // before it is opened for writing
            }
            return Incomplete.filling(
                engines,
                target,
                store -> copy(source, store, options.live(live || ReadOnly.isAlone(source))));
          }
        });
  }

  private CopyOptions options() {
    CopyOptions options =
        CopyOptions.DEFAULT
            .range(selection.range())
            .existing(existing.get())
            .skipOversized(skipOversized)
            .verify(!noVerify);
    for (var table : Selection.tables(tables).entrySet()) {
      options = options.table(table.getKey(), table.getValue());
    }
    return options;
  }

  private int copy(Store source, Store target, CopyOptions options) {
    long begun = System.nanoTime();
    CopyResult result;
    try (ProgressLine line = new ProgressLine()) {
      result = Copy.run(source, target, options.progress(line));
    } catch (BadArgumentException | UnsupportedException e) {
      throw e;
    } catch (StadiumException e) {
      if (Stores.incomplete(target) == null && Stores.isEmpty(target)) {
        throw e; // and there is nothing to explain
      }
      throw new StadiumException(e.getMessage() + ". " + state(target, options), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    boolean identical = options.verify() && result.identical();
    Lines.say(out, summary(result, (System.nanoTime() - begun) / NANOS));
    if (result.oversized().entries() > 0) {
      Lines.say(out, leftOut(result.oversized()));
    }
    if (identical) {
      Lines.say(out, "Identical: both have the sum " + result.source().hex() + ".");
    } else if (options.verify()) {
      result.tables().stream()
          .filter(table -> !table.source().equals(table.target()))
          .forEach(table -> Lines.say(out, difference(table)));
      Lines.say(
          out,
          "They differ"
              + (Stores.incomplete(target) == null
                  ? ""
                  : ", and " + to + " stays marked as incomplete")
              + ": one of the two was changed meanwhile, or since an interruption. Copy to a new"
              + " place while nobody writes to either.");
    }
    out.flush();
    return identical || !options.verify() ? 0 : 1;
  }

  /** What a failed copy left, and how to go on. */
  private String state(Store target, CopyOptions options) {
    boolean again = options.existing() == CopyOptions.Existing.REPLACE;
    if (Stores.incomplete(target) != null) {
      return to
          + " is marked as incomplete: the same command "
          + (again ? "starts over" : "resumes");
    }
    return to
        + " may have a part of the source now: the same command "
        + (again ? "starts over" : "with --merge completes it, and what else it held stays");
  }

  private String summary(CopyResult result, double seconds) {
    ContentSum sum = result.source();
    return String.format(
            Locale.ROOT,
            "%s %s (%s) of %s in %s, %s/s",
            result.resumed() ? "Resumed the copy; copied in all" : "Copied",
            Quantities.entries(sum.entries()),
            Units.bytes(sum.bytes()),
            Quantities.tables(result.tables().size()),
            Quantities.duration(seconds),
            Units.bytes(sum.bytes() / seconds))
        + (noVerify ? "; not verified." : ", including verification.");
  }

  public static String leftOut(Oversized oversized) {
    return String.format(
        Locale.ROOT,
        "Left out %s that the target cannot hold (%,d because of the key, %,d because of the"
            + " value); the first: %s.",
        Quantities.entries(oversized.entries()),
        oversized.keys(),
        oversized.values(),
        oversized.example());
  }

  private static String difference(CopiedTable table) {
    return "Table "
        + table.from()
        + ": "
        + of(table.source())
        + " read, "
        + of(table.target())
        + " found in "
        + table.to()
        + ".";
  }

  private static String of(@Nullable ContentSum sum) {
    return sum == null ? "nothing" : Quantities.entries(sum.entries()) + " with sum " + sum.hex();
  }
}
