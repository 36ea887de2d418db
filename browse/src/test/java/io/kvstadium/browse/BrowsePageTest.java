package io.kvstadium.browse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.browse.place.Opened;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.testsupport.Chromium;
import io.kvstadium.testsupport.Needs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in a real browser, by what is seen and read out. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrowsePageTest {
  private static final Engines ENGINES = Engines.installed();

  private Chromium chromium;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  void browser(@TempDir Path folder) throws Exception {
    Needs.that(Chromium.program().isPresent(), "a browser", "chromium");
    chromium = Chromium.start(Chromium.program().orElseThrow(), folder.resolve("profile"));
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    open.clear();
  }

  @AfterAll
  void end() throws Exception {
    if (chromium != null) {
      chromium.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "400, dark"})
  void everyViewFitsAndNothingComesFromElsewhere(int width, String scheme, @TempDir Path folder)
      throws Exception {
    Path data =
        store(
            folder,
            table -> {
              for (int i = 0; i < 3000; i++) {
                table.put(
                    bytes("user:%04d:%s".formatted(i, "x".repeat(i % 90))),
                    bytes("{\"n\":" + i + "}"));
              }
              assertThat(table.compact()).isTrue();
            });
    chromium.show(width, 900, scheme);
    show(false, data);

    for (String view : List.of("Prefixes", "Search", "What is it made of?", "Engine", "Entries")) {
      chromium.evaluate(
          "[...document.querySelectorAll('#views a')].find(a => a.textContent === '%s').click()"
              .formatted(view));
      chromium.await(
          "document.querySelector('#views a[aria-current]').textContent === '%s' && document.querySelector('main').children.length > 0"
              .formatted(view));
      if (view.equals("Engine")) {
        chromium.await(
            "document.querySelector('[aria-label=Picture]')?.innerText.includes('default: bytes by level')");
      }
      assertThat(chromium.evaluate("document.documentElement.scrollWidth").asInt())
          .as(view)
          .isLessThanOrEqualTo(width);
    }
    assertThat(chromium.events("Network.requestWillBeSent"))
        .allSatisfy(event ->
            assertThat(event.at("/params/request/url").asText())
                .matches("(http://127\\.0\\.0\\.1:|data:|about:|chrome).*"));
  }

  @Test
  void everythingIsReachedByTheKeyboardAlone(@TempDir Path folder) throws Exception {
    Path data =
        store(
            folder,
            table -> {
              for (int i = 0; i < 1000; i++) {
                table.put(bytes("user:%04d".formatted(i)), bytes("{\"number\":" + i + "}"));
              }
            });
    chromium.show(1280, 900, "light");
    show(false, data);

    // from the first entry to the second, and into it
    chromium.await("%s === 'user:0000'".formatted(FIRST));
    chromium.press("j");
    chromium.press("j");
    chromium.press("Enter");
    chromium.await(
        "document.querySelector('[aria-label=Value]')?.textContent.includes('\"number\": 1\\n')");

    // out of it, to another key
    chromium.press("Escape");
    chromium.await("!document.querySelector('[aria-label=Value]')");
    chromium.press("/");
    type("user:0500");
    chromium.press("Enter");
    chromium.await("firstKey() === 'user:0500'".replace("firstKey()", FIRST));

    // to the last entries, and back before them without end
    chromium.press("End");
    chromium.await("%s === 'user:0950'".formatted(FIRST));
    for (int i = 0; i < 51; i++) {
      chromium.press("k");
    }
    chromium.await("%s < 'user:0950'".formatted(FIRST));

    // the search, and an entry that it found
    chromium.press("3");
    chromium.await(
        "document.querySelector('#views a[aria-current]').textContent === 'Search' && document.querySelector('input[type=search]')");
    chromium.press("/");
    type("777");
    chromium.press("Enter");
    chromium.await("document.querySelector('[role=status].small')?.textContent.startsWith('Done')");
    assertThat(
            chromium.evaluate("document.querySelectorAll('[aria-label=Found] tr').length").asInt())
        .isEqualTo(1);
  }

  @Test
  void aLinkShowsThePlaceAgain(@TempDir Path folder) throws Exception {
    Path data =
        store(
            folder,
            table -> {
              for (int i = 0; i < 500; i++) {
                table.put(bytes("user:%04d".formatted(i)), bytes("value " + i));
              }
            });
    chromium.show(1280, 900, "light");
    Browse browse = start(false, data);

    chromium.open(
        URI.create(
            browse.url()
                + "#/entries?table=default&from=757365723a30333030&key=757365723a30333031"));

    chromium.await("document.querySelector('[aria-label=Value]')?.textContent === 'value 301'");
    chromium.await("%s === 'user:0300'".formatted(FIRST));
  }

  @Test
  void thePlaceThatWasAskedForLastIsShownWhicheverAnswerComesFirst(@TempDir Path folder)
      throws Exception {
    // given: entries whose answer comes later than those of the next place
    Path data = store(folder, table -> table.put(bytes("a"), bytes("value of a")));
    show(false, data);
    chromium.await("%s === 'a'".formatted(FIRST));
    chromium.evaluate(
        """
        const asked = window.fetch;
        window.fetch = (url, options) => {
          if (!String(url).includes('/entries?')) return asked(url, options);
          window.fetch = asked;
          return asked(url, options).then(answer => new Promise(done => window.late = () => done(answer)));
        };
        location.hash = '#/entries?table=default&from=61'\
        """);
    chromium.await("window.late");
    // when
    chromium.evaluate(
        """
        const shown = entries.after;
        entries.after = () => { entries.after = shown; late(); setTimeout(() => entries.after(), 50); };
        location.hash = '#/entries?table=default&key=61'\
        """);
    // then
    chromium.await(
        "document.querySelector('[aria-label=Value]')?.textContent.includes('value of a')");
  }

  @Test
  void nothingInAStoreRunsOrLooksLikeSomethingElse(@TempDir Path folder) throws Exception {
    String markup = "<img src=x onerror=\"window.broken=1\"><script>window.broken=1</script>";
    Path data =
        store(
            folder,
            table -> {
              table.put(bytes("a " + markup), bytes(markup));
              table.put(
                  bytes("b \u202egpj.exe"),
                  bytes("right to left \u202e, control \u0007, \u001b[31m"));
              table.put(
                  bytes("c json"),
                  bytes(
                      "{\""
                          + markup.replace("\"", "'")
                          + "\": \"</pre>"
                          + markup.replace("\"", "'")
                          + "\"}"));
              table.put(bytes("d deep"), bytes("[".repeat(200_000)));
              table.put(bytes("e deeper"), bytes("{\"a\":".repeat(50_000)));
              table.put(bytes("f large"), large(100 << 20));
              table.put(bytes("g bomb"), bomb(1 << 30));
              table.put(
                  new byte[] {'h', (byte) 0xff, 0}, new byte[] {(byte) 0xdd, 127, -1, -1, -1});
              table.put(
                  bytes("i cbor"), new byte[] {(byte) 0x9b, 127, -1, -1, -1, -1, -1, -1, -1, 1});
              table.put(
                  bytes("j java"),
                  new byte[] {(byte) 0xac, (byte) 0xed, 0, 5, 0x73, 0x72, 0, 3, 'E', 'v', 'l'});
              table.put(bytes("k javascript:alert(1)"), bytes("javascript:alert(1)"));
            });
    chromium.show(1280, 900, "light");
    show(false, data);

    chromium.await("document.querySelectorAll('main tbody tr').length === 11");
    int rows = 11;
    for (int i = 0; i < rows; i++) {
      chromium.evaluate("document.querySelectorAll('main tbody tr a')[%d].click()".formatted(i));
      chromium.await(
          "document.querySelectorAll('main tbody tr').length === 11 && document.querySelectorAll('main tbody tr')[%d].getAttribute('aria-selected') === 'true' && document.querySelector('[aria-label=Value]')"
              .formatted(i));
    }
    for (String view : List.of("Prefixes", "What is it made of?")) {
      chromium.evaluate(
          "[...document.querySelectorAll('#views a')].find(a => a.textContent === '%s').click()"
              .formatted(view));
      chromium.await("document.querySelector('main .tree li, main .map button')");
    }

    assertThat(chromium.evaluate("window.broken === undefined").asBoolean()).isTrue();
    assertThat(
            chromium
                .evaluate(
                    "document.querySelectorAll('main img, main script, a[href^=javascript]').length")
                .asInt())
        .isZero();
    assertThat(chromium.evaluate("document.body.innerText.includes('\\u202e')").asBoolean())
        .as("a mark that turns the direction of writing")
        .isFalse();
  }

  @Test
  void changesAreReviewedWrittenAndUndone(@TempDir Path folder) throws Exception {
    Path data = store(folder, table -> table.put(bytes("greeting"), bytes("hello")));
    chromium.show(1280, 900, "light");
    Opened opened = show(true, data);
    Table<byte[], byte[]> table = opened.store().table();

    chromium.await("document.querySelector('main tbody tr a')");
    chromium.evaluate("document.querySelector('main tbody tr a').click()");
    click("Edit");
    chromium.evaluate("document.querySelector('textarea').value = 'good bye'");
    click("Review");
    chromium.await(
        "document.querySelector('[aria-label=Difference] del')?.textContent === 'hello'");
    assertThat(table.get(bytes("greeting")))
        .as("nothing is written before")
        .isEqualTo(bytes("hello"));
    click("Write");
    chromium.await(
        "document.querySelector('main tbody td:nth-child(3)')?.textContent === 'good bye'");
    assertThat(table.get(bytes("greeting"))).isEqualTo(bytes("good bye"));

    chromium.evaluate(
        "[...document.querySelectorAll('#views a')].find(a => a.textContent === 'Changes').click()");
    click("Undo");
    chromium.await("document.querySelectorAll('main section').length === 2");
    assertThat(table.get(bytes("greeting"))).isEqualTo(bytes("hello"));
  }

  @Test
  void twoStoresAreComparedByKey(@TempDir Path folder) throws Exception {
    Path left =
        store(
            folder.resolve("left"),
            table -> {
              for (int i = 0; i < 10_000; i++) {
                table.put(bytes("key:%05d".formatted(i)), bytes("value " + i));
              }
            });
    Path right =
        store(
            folder.resolve("right"),
            table -> {
              for (int i = 0; i < 10_001; i++) {
                if (i != 4711) {
                  table.put(
                      bytes("key:%05d".formatted(i)), bytes(i == 8000 ? "other" : "value " + i));
                }
              }
            });
    chromium.show(1280, 900, "light");
    show(false, left, right);

    chromium.await("document.querySelector('#views')?.textContent.includes('Compare')");
    chromium.evaluate(
        "[...document.querySelectorAll('#views a')].find(a => a.textContent === 'Compare').click()");
    chromium.await("document.querySelector('main [role=status]')?.textContent.startsWith('Done')");

    assertThat(
            chromium
                .evaluate(
                    "[...document.querySelectorAll('[aria-label=Differences] tbody tr')].map(r => [...r.cells].map(c => c.textContent).join(' ')).join('; ')")
                .asText())
        .isEqualTo(
            "key:04711 value 4711 missing; key:08000 value 8000 other; key:10000 missing value 10000");
  }

  private static final String FIRST = "document.querySelector('main tbody td.key')?.textContent";

  private void click(String button) throws Exception {
    String found =
        "[...document.querySelectorAll('main button')].find(b => b.textContent === '%s')"
            .formatted(button);
    chromium.await(found);
    chromium.evaluate(found + ".click()");
  }

  private void type(String text) throws Exception {
    for (int i = 0; i < text.length(); i++) {
      chromium.press(text.substring(i, i + 1));
    }
  }

  private Opened show(boolean write, Path... places) throws Exception {
    Browse browse = start(write, places);
    chromium.open(URI.create(browse.url()));
    chromium.await("document.querySelector('#views a')");
    return (Opened) open.getFirst();
  }

  private Browse start(boolean write, Path... places) {
    List<Opened> stores = new ArrayList<>();
    for (Path place : places) {
      stores.add(Opened.open(place.toString(), ENGINES, write && stores.isEmpty(), _ -> {}));
    }
    open.addAll(stores);
    Browse browse = Browse.start(stores, 0, write);
    open.add(browse);
    return browse;
  }

  private interface Fill {
    void into(Table<byte[], byte[]> table);
  }

  private static Path store(Path folder, Fill fill) {
    Path place = folder.resolve("store");
    try (Store store = ENGINES.open("rocksdb:" + place, OpenOptions.DEFAULT)) {
      fill.into(store.table());
    }
    return place;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] large(int length) {
    byte[] json = new byte[length];
    Arrays.fill(json, (byte) '1');
    json[0] = '[';
    for (int i = 2; i < length - 1; i += 2) {
      json[i] = ',';
    }
    json[length - 1] = ']';
    return json;
  }

  private static byte[] bomb(int length) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < length; i += zeros.length) {
        out.write(zeros);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return packed.toByteArray();
  }
}
