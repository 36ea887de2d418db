package io.kvstadium.store.engine.declare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.store.BadArgumentException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
  private static final List<OptionSpec> SPECS =
      specs(
          "cache | size 4k..1g | store | 8m | Cache.",
          "direct_io | bool | store | false | Direct.",
          "threads | integer -8..8 | store | 2 | Threads.",
          "ratio | decimal -1.5..1 | table | 0.5 | Ratio.",
          "timeout | duration 1ms..1h | store | 5s | Timeout.",
          "compression | choice none,lz4 | table | lz4 | How.",
          "log_dir | text | store | | Where.");

  private static List<OptionSpec> specs(String... lines) {
    return Stream.of(lines).map(Declarations::option).toList();
  }

  @Test
  void aDefaultOnTheHeapFitsIntoAnyAndWhatIsAskedForMustFit() {
    List<OptionSpec> specs = specs("cache | size 4k..1g | store | 128m | Cache.");
    long heap = 64 << 20;

    Options unset = Options.of("engine", specs, Map.of());
    assertThat(unset.heapSize("cache", heap)).isEqualTo(heap / 4);
    assertThat(unset.heapSize("cache", 32 * heap)).isEqualTo(128 << 20);
    Options large = Options.of("engine", specs, Map.of("cache", "65m"));
    assertThat(large.heapSize("cache", 2 * heap)).isEqualTo(65 << 20);
    assertThatThrownBy(() -> large.heapSize("cache", heap))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContainingAll("cache", "-Xmx");
  }

  @Test
  void budgetIsDividedOverWhatIsNotGivenAndLimitsWhatIs() {
    List<OptionSpec> specs =
        specs(
            "cache | size 4k..1g | store | 8m | Cache.",
            "buffer | size 4k..1g | table | | Buffer.",
            "files | integer -1..1000 | store | | Files.",
            "memory | budget 40m..1t 20m cache=50%,buffer=25%,files=100 | store | | All.");

    Options options = Options.of("fake", specs, Map.of("memory", "120m", "cache", "1m"));
    assertThat(options.size("cache")).isEqualTo(1 << 20);
    assertThat(options.size("buffer")).isCloseTo(25 << 20, within(100L));
    assertThat(options.integer("files")).isEqualTo(100);
    assertThat(options.given()).containsKeys("buffer", "files");

    assertThatThrownBy(() -> Options.of("fake", specs, Map.of("memory", "120m", "cache", "51m")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("cache=51m");
    assertThatThrownBy(() -> Options.of("fake", specs, Map.of("memory", "39m")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("40m");
  }

  @Test
  void whatIsNotGivenHasItsDefault() {
    Options options = Options.of("fake", SPECS, Map.of());

    assertThat(options.size("cache")).isEqualTo(8L << 20);
    assertThat(options.bool("direct_io")).isFalse();
    assertThat(options.integer("threads")).isEqualTo(2);
    assertThat(options.decimal("ratio")).isEqualTo(0.5);
    assertThat(options.duration("timeout")).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.text("compression")).isEqualTo("lz4");
    assertThat(options.has("compression")).isTrue();
    assertThat(options.has("log_dir")).isFalse();
    assertThat(options.given()).isEmpty();
  }

  @Test
  void whatIsGivenCounts() {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("timeout", "250ms");
    given.put("cache", "1g");
    given.put("direct_io", "true");
    given.put("threads", "-3");
    given.put("ratio", "-1.25");
    given.put("log_dir", "/a b");

    Options options = Options.of("fake", SPECS, given);
    given.clear();

    assertThat(options.duration("timeout")).isEqualTo(Duration.ofMillis(250));
    assertThat(options.size("cache")).isEqualTo(1L << 30);
    assertThat(options.bool("direct_io")).isTrue();
    assertThat(options.integer("threads")).isEqualTo(-3);
    assertThat(options.decimal("ratio")).isEqualTo(-1.25);
    assertThat(options.text("log_dir")).isEqualTo("/a b");
    assertThat(options.given().keySet())
        .containsExactly("timeout", "cache", "direct_io", "threads", "ratio", "log_dir");
  }

  @ParameterizedTest
  @CsvSource({
    "cache, 8 PB, a size such as",
    "cache, -1, a size such as",
    "direct_io, yes, true or false",
    "threads, 1.5, a whole number",
    "ratio, half, a number",
    "timeout, 5, a duration such as",
    "cache, 4095, 'a size such as 4096, 64k, 512m or 2g, from 4k to 1g'",
    "cache, 1025m, a size such as",
    "threads, 9, 'a whole number, from -8 to 8'",
    "threads, 999999999999999999, a whole number",
    "ratio, -1.6, a number",
    "timeout, 999us, a duration such as",
    "timeout, 999999999999999h, a duration such as",
    "compression, lz5, 'one of none, lz4'"
  })
  void aValueOfTheWrongFormIsRefusedWithWhatItTakes(String name, String value, String takes) {
    assertThatThrownBy(() -> Options.of("fake", SPECS, Map.of(name, value)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(
            "option " + name + " of engine fake cannot be '" + value + "': it takes " + takes);
  }

  @Test
  void anUnknownOptionIsRefusedWithTheNearestAndAll() {
    assertThatThrownBy(() -> Options.of("fake", SPECS, Map.of("cashe", "1m")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessage(
            "engine fake has no option 'cashe' (did you mean 'cache'?); it has: cache, direct_io,"
                + " threads, ratio, timeout, compression, log_dir");
    assertThatThrownBy(() -> Options.of("bare", List.of(), Map.of("a", "b")))
        .hasMessage("engine bare has no option 'a'; it has: none");
  }

  @Test
  void anEngineThatAsksForWhatItDidNotDeclareIsAtFault() {
    Options options = Options.of("fake", SPECS, Map.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.text("unheard_of"))
        .withMessageContaining("engine fake declares no option unheard_of");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "512b, 512",
    "64k, 65536",
    "64kb, 65536",
    "64M, 67108864",
    "64 MB, 67108864",
    "64MiB, 67108864",
    "512m, 536870912",
    "2g, 2147483648",
    "3t, 3298534883328"
  })
  void sizesAreInPowersOf1024(String text, long bytes) {
    assertThat(Options.parseSize(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "1.5g", "-1", "1ib", "1  k", "1e3", "9999999999999999999"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatThrownBy(() -> Options.parseSize(text))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("'" + text + "' is not a valid size");
  }

  @Test
  void aSizeThatCannotBeCountedIsRefused() {
    assertThatThrownBy(() -> Options.parseSize("9000000000t"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("more bytes than can be counted");
  }

  @ParameterizedTest
  @CsvSource({
    "7ns, PT0.000000007S",
    "7us, PT0.000007S",
    "250ms, PT0.25S",
    "2s, PT2S",
    "3m, PT3M",
    "4h, PT4H"
  })
  void durationsHaveAUnit(String text, Duration duration) {
    assertThat(Options.parseDuration(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "5", "-1s", "1.5s", "1d", "1 s"})
  void whatIsNoDurationIsRefused(String text) {
    assertThatThrownBy(() -> Options.parseDuration(text))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("'" + text + "' is not a valid duration");
  }
}
