package io.kvstadium.torture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RegistersTest {
  private final Registers registers = new Registers(2);

  private void written(int key) {
    registers.acknowledged(key, registers.attempt(key));
  }

  @Test
  void whatWasAcknowledgedIsRead() {
    written(0);
    written(0);
    written(1);

    assertThat(registers.judge(0, registers.least(0), 2)).isNull();
    assertThat(registers.judge(1, registers.least(1), 1)).isNull();
  }

  @Test
  void anOlderNumberIsAFinding() {
    written(0);
    written(0);

    assertThat(registers.judge(0, registers.least(0), 1))
        .isEqualTo("key 0: read 1 after 2 was acknowledged");
    assertThat(registers.judge(0, registers.least(0), 0)).contains("read 0 after 2");
  }

  @Test
  void aWriteWithoutAnAnswerMayBeThereOrNot() {
    written(0);
    registers.attempt(0);

    assertThat(registers.judge(0, registers.least(0), 1)).isNull();
    assertThat(registers.judge(0, registers.least(0), 2)).isNull();
    assertThat(registers.judge(0, registers.least(0), 3))
        .isEqualTo("key 0: read 3, and only 2 were written");
  }

  @Test
  void theNextAcknowledgedWriteEndsTheDoubt() {
    registers.attempt(0);
    written(0);

    assertThat(registers.judge(0, registers.least(0), 1)).contains("read 1 after 2");
  }

  @Test
  void aReadMayMissWhatIsAcknowledgedWhileItRuns() {
    written(0);
    long begun = registers.least(0);
    written(0);

    assertThat(registers.judge(0, begun, 1)).isNull();
    assertThat(registers.judge(0, begun, 2)).isNull();
  }
}
