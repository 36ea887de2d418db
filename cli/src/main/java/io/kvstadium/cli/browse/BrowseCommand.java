package io.kvstadium.cli.browse;

import io.kvstadium.browse.Browse;
import io.kvstadium.browse.place.Opened;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jline.utils.Signals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium browse}: shows what is in a store in the user's browser. */
@Command(
    name = "browse",
    description = {
      FirstSentences.BROWSE,
      "Finds out what is at the path: a store of KV Stadium or of another program, a dump, a"
          + " recording. Two of them are compared.",
      "Everything is opened read-only unless --write is given, beside a running application where"
          + " the engine allows that.",
      "The page is on this machine only, and its URL has a token. Ctrl-C ends it."
    })
public final class BrowseCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(
      paramLabel = "PATH|URL",
      arity = "1..2",
      description = "Path or URL of a store or file; a second one is compared with the first.")
  private List<String> places;

  @Option(names = "--no-open", description = "Opens no browser: prints the URL only.")
  private boolean noOpen;

  @Option(names = "--write", description = "Lets the page change the first store.")
  private boolean write;

  @Option(
      names = "--port",
      defaultValue = "0",
      paramLabel = "PORT",
      description = "Port on this machine. Default: any that is free.")
  private int port;

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > 65_535) {
      throw new BadArgumentException("--port " + port + " is no port: give 0 to 65535");
    }
    Engines engines = installed.engines();
    PrintWriter err = spec.commandLine().getErr();
    List<Opened> stores = new ArrayList<>();
    try {
      for (String place : places) {
        boolean first = stores.isEmpty();
        stores.add(
            Opened.open(
                place,
                engines,
                write && first,
                step -> {
                  err.println(step);
                  err.flush();
                }));
      }
      CountDownLatch end = new CountDownLatch(1);
      for (String signal : List.of("INT", "TERM")) {
        Signals.register(signal, end::countDown);
      }
      try (Browse page = Browse.start(stores, port, write)) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(page.url());
        out.flush();
        if (!noOpen) {
          open(page.url(), err);
        }
        end.await();
      }
    } finally {
      stores.reversed().forEach(Opened::close);
    }
    return 0;
  }

  /** Opens the user's browser; without one, the URL that was printed is enough. */
  private static void open(String url, PrintWriter err) {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    List<String> command =
        system.contains("mac")
            ? List.of("open", url)
            : system.contains("windows")
                ? List.of("rundll32", "url.dll,FileProtocolHandler", url)
                : List.of("xdg-open", url);
    try {
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      err.println("no browser could be opened (" + command.getFirst() + "): open the URL yourself");
      err.flush();
    }
  }
}
