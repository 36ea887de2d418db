package io.kvstadium.torture.check;

import io.kvstadium.torture.check.Finding.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was read from a store: what is at each place of each writer. */
public final class Reading {
  /** In place of an operation's number: nothing is there. */
  static final long ABSENT = -1;

  /** In place of an operation's number: something is there that the plan does not know. */
  static final long WRONG = -2;

  private final Plan plan;
  private final @Nullable Content[][] contents;
  private final long[][] numbers;
  private final List<Finding> findings = new ArrayList<>();

  public Reading(Plan plan) {
    this.plan = plan;
    contents = new Content[plan.writers()][plan.slots()];
    numbers = new long[plan.writers()][plan.slots()];
    Arrays.stream(numbers).forEach(each -> Arrays.fill(each, ABSENT));
  }

  /** A value was read at a place. */
  public void add(int writer, int slot, byte[] value, Sessions sessions) {
    Content content = Content.of(value, plan, writer, slot);
    String where = place(writer, slot);
    if (content == null) {
      numbers[writer][slot] = WRONG;
      findings.add(
          new Finding(
              Kind.WRONG_BYTES,
              where + " holds " + value.length + " bytes that no operation wrote there"));
    } else if (!sessions.mayHold(content.session(), writer, content.number())) {
      numbers[writer][slot] = WRONG;
      findings.add(
          new Finding(
              Kind.GHOST,
              where
                  + " holds operation "
                  + content.number()
                  + " of session "
                  + content.session()
                  + ", which was gone"));
    } else {
      contents[writer][slot] = content;
      numbers[writer][slot] = content.number();
    }
  }

  public void found(Kind kind, String detail) {
    findings.add(new Finding(kind, detail));
  }

  /** By slot: the number of the operation that is there, {@link #ABSENT} or {@link #WRONG}. */
  long[] numbers(int writer) {
    return numbers[writer];
  }

  /** By slot: what is there, if the plan knows it. */
  @Nullable Content[] contents(int writer) {
    return contents[writer];
  }

  List<Finding> findings() {
    return findings;
  }

  static String place(int writer, int slot) {
    return "writer "
        + writer
        + "'s key "
        + slot % Plan.KEYS
        + " of table "
        + Plan.tableName(Plan.table(slot));
  }
}
