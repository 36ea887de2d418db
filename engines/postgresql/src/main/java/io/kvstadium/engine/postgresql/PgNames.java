package io.kvstadium.engine.postgresql;

import java.math.BigInteger;

/**
 * Names of tables on the server, which has room for 63 characters. One of 64 is stored as a number
 * with more digits to choose from, behind a sign that no name has.
 */
final class PgNames {
  private static final int LONGEST = 63;
  private static final String NAMES =
      "_.-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String STORED = NAMES + "!#$%&()*+,/:;<>?@[]^{|}~";
  private static final String MARK = "=";

  private PgNames() {}

  static String stored(String name) {
    return name.length() <= LONGEST ? name : MARK + written(number("-" + name, NAMES), STORED);
  }

  static String read(String stored) {
    return stored.startsWith(MARK)
        ? written(number(stored.substring(1), STORED), NAMES).substring(1)
        : stored;
  }

  private static BigInteger number(String text, String digits) {
    BigInteger number = BigInteger.ZERO;
    for (int i = 0; i < text.length(); i++) {
      number =
          number
              .multiply(BigInteger.valueOf(digits.length()))
              .add(BigInteger.valueOf(digits.indexOf(text.charAt(i))));
    }
    return number;
  }

  private static String written(BigInteger number, String digits) {
    StringBuilder text = new StringBuilder();
    BigInteger base = BigInteger.valueOf(digits.length());
    for (BigInteger rest = number; rest.signum() > 0; rest = rest.divide(base)) {
      text.insert(0, digits.charAt(rest.mod(base).intValue()));
    }
    return text.toString();
  }
}
