package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.cli.engines.PlayerOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the committed results of torture mean for what players declare. */
class LevelsOfPlayersTest {
  private static PlayerProgram player(
      String language, String name, String version, Map<String, String> levels) {
    EngineDeclaration engine =
        new EngineDeclaration(
            name,
            name,
            version,
            null,
            null,
            null,
            List.of("persistent", "write"),
            List.of("single"),
            levels,
            Map.of(),
            null,
            false,
            null,
            null);
    return new PlayerProgram(
        List.of(),
        new Message.Hello(Message.PROTOCOL, language, language, Set.of(), List.of(engine)));
  }

  private static Set<String> offered(PlayerProgram player) {
    return PlayerOptions.withoutBroken(player).hello().engines().getFirst().durability().keySet();
  }

  @Test
  void aLevelThatAPowerCutBrokeIsNotOfferedInThatVersion() {
    Map<String, String> levels = Map.of("none", "", "power", "flush() after each write");

    assertThat(offered(player("rust", "sled", "0.34.7", levels))).containsExactly("none");
    assertThat(offered(player("rust", "sled", "0.99.9", levels))).containsExactly("none", "power");
    assertThat(offered(player("rust", "redb", "4.6.0", levels))).containsExactly("none", "power");
  }

  @Test
  void aLevelThatBrokeOnlyWhereNothingButSyncedSectorsSurviveIsOffered() {
    Map<String, String> levels = Map.of("process", "", "power", "Sync");

    assertThat(offered(player("rust", "fjall", "3.1.13", levels)))
        .containsExactly("power", "process");
    assertThat(offered(player("go", "goleveldb", "1.0.0", levels))).containsExactly("process");
  }

  @Test
  void aStoreOfWhichAKillBrokeAllLevelsIsOffered() {
    Map<String, String> levels = Map.of("process", "", "power", "Sync");

    assertThat(offered(player("go", "badger", "4.9.6", levels)))
        .containsExactlyInAnyOrder("power", "process");
  }
}
