package io.kvstadium.cli.verify;

import io.kvstadium.backup.Verification;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.engines.ReadOnly;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.StatusLine;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium verify}: reads a whole store. */
@Command(
    name = "verify",
    description = {
      FirstSentences.VERIFY,
      "Forwards, by key and backwards; checksums as far as the engine and the store have them. It"
          + " writes nothing.",
      "Exit code 0 if all is well, 1 if something is not, 2 if it cannot be read at all."
    })
public final class VerifyCommand implements Callable<Integer> {
  @Mixin private Installed installed;

  @Parameters(paramLabel = "ENGINE-URL", description = "Such as rocksdb:DIR.")
  private String url;

  @Option(
      names = "--writable",
      description =
          "Opens the store for writing, as an application does, for engines without a read-only"
              + " mode. The engine may then recover or tidy up.")
  private boolean writable;

  @Override
  public Integer call() {
    Engines engines = installed.engines();
    String engine = StoreUrl.parse(url).engine();
    boolean readOnly = ReadOnly.can(engines, url) && !writable;
    if (!readOnly && !writable) {
      throw new BadArgumentException(
          "engine "
              + engine
              + " cannot open a store read-only: give --writable, which also lets it recover or"
              + " tidy up");
    }
    long problems = 0;
    try (Store store = ReadOnly.open(engines, url, readOnly);
        StatusLine status = new StatusLine()) {
      List<Verification.Result> results =
          Verification.of(
              store,
              (table, entries) ->
                  status.draw(String.format(Locale.ROOT, "%s: %,d entries", table, entries)));
      status.close();
      for (Verification.Result result : results) {
        problems += result.problems();
        System.out.printf(
            Locale.ROOT,
            "%s: %s, %,d bytes, %s%n",
            result.table(),
            Quantities.entries(result.entries()),
            result.bytes(),
            result.problems() == 0 ? "no problem" : "problems: " + result.problems());
        result.told().forEach(line -> Lines.wrap("  ", line).forEach(System.out::println));
      }
      if (!store.capabilities().contains(Capability.CHECKSUMS)) {
        Lines.wrap(
                "",
                "Damage to values cannot be seen for certain: "
                    + engine
                    + " has no checksums that every read checks.")
            .forEach(System.out::println);
      }
    }
    return problems == 0 ? 0 : 1;
  }
}
