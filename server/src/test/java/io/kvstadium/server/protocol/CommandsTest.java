package io.kvstadium.server.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.protocol.Command.Flag;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of commands, which has a line for each of them, and something that runs it. */
class CommandsTest {
  private static final List<Command> ALL = new CommandTable().withSubcommands();

  @Test
  void everyCommandWithKeysSaysWhatItDoesToEachOfThem() {
    byte[][] request = new byte[9][0];
    for (Command each : ALL) {
      boolean hasKeys = // of shards' channels there are positions, too
          (each.first() > 0 && !each.group().equals("pubsub")) || each.is(Flag.MOVABLEKEYS);
      assertThat(each.uses().equals("-")).as(each.name()).isNotEqualTo(hasKeys);
      for (int i = 0; hasKeys && i < 4; i++) {
        KeyUse use = KeyUse.of(each, request, i);
        boolean changes = each.is(Flag.WRITE) || each.is(Flag.SCRIPT);
        assertThat(changes || !use.writes()).as(each.name()).isTrue();
      }
    }
  }

  @Test
  void aCommandThatReadsDoesNotWrite() {
    for (Command each : ALL) {
      assertThat(each.is(Flag.READONLY) && each.is(Flag.WRITE)).as(each.name()).isFalse();
      assertThat(each.is(Flag.REMOVES) && !each.is(Flag.WRITE)).as(each.name()).isFalse();
      assertThat(!each.event().equals("-") && !each.is(Flag.WRITE)).as(each.name()).isFalse();
    }
  }
}
