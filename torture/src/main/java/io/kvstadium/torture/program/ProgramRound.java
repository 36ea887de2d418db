package io.kvstadium.torture.program;

import io.kvstadium.torture.check.Finding;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run of the program, its fault, and what the check said.
 *
 * @param acknowledged how many lines the program printed in this round before the fault
 * @param refused whether the program ended by itself with a failure, as it may under {@code eio}
 *     and {@code full}
 * @param finding what is wrong, or {@code null}
 * @param evidence what the fault found that was not durable, where the fault can know that
 * @param outside files outside of the directory that the program had open for writing
 */
public record ProgramRound(
    long acknowledged,
    boolean refused,
    @Nullable Finding finding,
    List<String> evidence,
    Set<String> outside) {
  public ProgramRound {
    evidence = List.copyOf(evidence);
    outside = Set.copyOf(outside);
  }
}
