package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.spi.Engine;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnginesTest {
  private static final Engines ONLY_FAKE = Engines.of(List.<Engine>of(new FakeEngine()));

  @Test
  void anEngineThatIsNotThereIsNamedByItsArtifact() {
    assertThatThrownBy(() -> ONLY_FAKE.engine("sqlite"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("unknown engine 'sqlite'")
        .hasMessageContaining("kv-stadium-engine-sqlite")
        .hasMessageContaining("there are: fake");
  }

  @Test
  void aTypoIsGuessedFromWhatThereIsOrElseFromWhatThereCouldBe() {
    assertThatThrownBy(() -> ONLY_FAKE.engine("fakke")).hasMessageContaining("did you mean 'fake'");
    assertThatThrownBy(() -> Engines.of(List.of()).engine("sqlite"))
        .hasMessageStartingWith("unknown engine 'sqlite'; there are: none");
    assertThatThrownBy(() -> Engines.of(List.of()).engine("sqlit"))
        .hasMessageContaining("did you mean 'sqlite'")
        .hasMessageContaining("there are: none");
  }
}
