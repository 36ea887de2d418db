package io.kvstadium.cli.io;

import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;

/** The values of an option that takes several, separated by commas. */
public final class ValueList {
  private ValueList() {}

  /**
   * Returns the values, without the spaces around them.
   *
   * @param given what the option was given, each time that it was
   * @throws BadArgumentException if a value is empty: what a shell variable that is not set leaves,
   *     or a space after a comma
   */
  public static List<String> of(String option, List<String> given) {
    List<String> values = new ArrayList<>();
    for (String list : given) {
      if (list.isBlank()) {
        throw new BadArgumentException(
            option + " \"\" names nothing: give a value, or leave the option out");
      }
      for (String value : list.split(",", -1)) {
        if (value.isBlank()) {
          throw new BadArgumentException(
              option
                  + " "
                  + list
                  + ": there is nothing "
                  + (list.endsWith(",") ? "after the last comma" : "between two commas")
                  + "; write a,b without a space, or put quotes around the list");
        }
        values.add(value.strip());
      }
    }
    return values;
  }
}
