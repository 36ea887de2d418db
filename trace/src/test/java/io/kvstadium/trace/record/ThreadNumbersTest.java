package io.kvstadium.trace.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.trace.Kind;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ThreadNumbersTest {
  private final ThreadNumbers numbers = new ThreadNumbers();

  private static int virtual(int number) {
    return number << 1 | 1;
  }

  private static int platform(int number) {
    return number << 1;
  }

  @Test
  void virtualThreadsHaveAsManyNumbersAsTheirCallsAtOnce() {
    Set<Integer> used = new HashSet<>();

    // each call has a thread of its own, and begins while the one before it is running
    for (int call = 0; call < 100_000; call++) {
      used.add(numbers.number(virtual(call), Kind.GET, 10L * call, 10L * call + 15));
    }

    assertThat(used).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void nobodyTakesTheNumberOfATransaction() {
    int transaction = numbers.number(virtual(1), Kind.BEGIN, 0, 1);

    assertThat(numbers.number(virtual(2), Kind.PUT, 2, 3)).isNotEqualTo(transaction);
    assertThat(numbers.number(virtual(1), Kind.PUT, 4, 5)).isEqualTo(transaction);
    assertThat(numbers.number(virtual(3), Kind.PUT, 6, 7)).isNotEqualTo(transaction);
    assertThat(numbers.number(virtual(1), Kind.COMMIT, 8, 9)).isEqualTo(transaction);
    numbers.number(virtual(3), Kind.PUT, 10, 11);
    assertThat(numbers.number(virtual(4), Kind.PUT, 12, 13)).isEqualTo(transaction);
  }

  @ParameterizedTest
  @EnumSource(names = {"COMMIT", "ROLLBACK"})
  void aTransactionLastsUntilItsEnd(Kind end) {
    int transaction = numbers.number(virtual(1), Kind.BEGIN, 0, 1);
    numbers.number(virtual(1), Kind.PUT, 2, 3);

    assertThat(numbers.number(virtual(2), Kind.PUT, 4, 5)).isNotEqualTo(transaction);
    assertThat(numbers.number(virtual(1), end, 6, 7)).isEqualTo(transaction);
    numbers.number(virtual(2), Kind.PUT, 8, 9);
    assertThat(numbers.number(virtual(3), Kind.PUT, 10, 11)).isEqualTo(transaction);
  }

  @Test
  void platformThreadsHaveNumbersOfTheirOwnUnlessThereAreVeryMany() {
    for (int thread = 0; thread < ThreadNumbers.MAX_PLATFORM; thread++) {
      assertThat(numbers.number(platform(thread), Kind.GET, thread, thread)).isEqualTo(thread);
    }

    int again = numbers.number(platform(5), Kind.GET, 5_000, 5_001);
    int another = numbers.number(platform(10_000), Kind.GET, 5_002, 5_003);
    int virtual = numbers.number(virtual(1), Kind.GET, 5_004, 5_005);

    assertThat(again).isEqualTo(5);
    assertThat(another).isZero(); // which has been idle longest
    assertThat(virtual).as("none of theirs").isEqualTo(ThreadNumbers.MAX_PLATFORM);
  }
}
