package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.store.engine.declare.Options;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Numbers that reach the engine, which may end the process if it did not expect them. */
interface OptionTests extends Staged {
  @Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Test
  default void numbersAreTakenWithinTheirRangeAndRefusedOutside() throws Exception {
    Store usual = stage().openAny();
    EngineInfo info = usual.engine();
    usual.close();
    Assumptions.assumeTrue(info.onDisk() && Files.isDirectory(stage().path()), "no directory");
    Path said = stage().path().resolveSibling("child-says");
    int stores = 0;
    try (OtherProcess other = new OtherProcess(said)) {
      for (OptionSpec option : info.options()) {
        OptionSpec.Bounds range = option.range();
        if (range == null) {
          continue;
        }
        for (String value : List.of(below(option, range.min()), above(option, range.max()))) {
          String url = Stage.with(stage().url("outside"), option.name(), value);
          assertThatThrownBy(() -> Stadium.open(url))
              .isInstanceOf(BadArgumentException.class)
              .hasMessageContaining(option.name());
        }
        for (String value : List.of(range.min(), range.max())) {
          String url = Stage.with(stage().url("store" + stores++), option.name(), value);
          if (info.durability().containsKey(Durability.NONE)) {
            url = Stage.with(url, Durability.NONE); // opens sooner
          }
          if (other.ask("write " + url).equals("ok")) { // or refused in words
            other.ask("put a 1");
            other.ask("close"); // each answer says that the process is alive
          }
        }
      }
    }
    assertThat(stage().path().resolveSibling("outside")).doesNotExist();
  }

  private static String below(OptionSpec option, String min) {
    return moved(option, min, -1);
  }

  private static String above(OptionSpec option, String max) {
    return moved(option, max, 1);
  }

  private static String moved(OptionSpec option, String value, int by) {
    return switch (option.type()) {
      case SIZE -> Long.toString(Options.parseSize(value) + by);
      case DURATION -> Options.parseDuration(value).toNanos() + by + "ns";
      case DECIMAL -> new BigDecimal(value).add(new BigDecimal(by).movePointLeft(2)).toString();
      default -> Long.toString(Long.parseLong(value) + by);
    };
  }
}
