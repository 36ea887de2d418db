package io.kvstadium.server.command.keys;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.Expiries;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.ReplyException;
import java.util.HashSet;
import java.util.Set;

/** When keys expire. */
final class ExpiryCommands {
  private ExpiryCommands() {}

  static void expire(Call call, int unit, long base) {
    Set<String> conditions = new HashSet<>();
    for (int i = 3; i < call.size(); i++) {
      if (!Expiries.CONDITIONS.contains(call.lowerCase(i))) {
        throw ReplyException.error("Unsupported option %s", call.text(i));
      }
      conditions.add(call.lowerCase(i));
    }
    if (conditions.contains("nx") && conditions.size() > 1) {
      throw ReplyException.error("NX and XX, GT or LT options at the same time are not compatible");
    }
    if (conditions.contains("gt") && conditions.contains("lt")) {
      throw ReplyException.error("GT and LT options at the same time are not compatible");
    }
    long when = Expiries.at(call, call.integer(2), unit, base);
    StoredValue storedValue = call.keys().entry(call.arg(1));
    if (storedValue == null || !Expiries.allows(conditions, storedValue.expiry(), when)) {
      call.reply().integer(0);
      return;
    }
    if (when <= call.now()) {
      call.keys().remove(call.arg(1));
    } else {
      call.keys().set(call.arg(1), storedValue.expiring(when));
    }
    call.reply().integer(1);
  }

  static void left(Call call, int unit, long base) {
    StoredValue storedValue = call.keys().head(call.arg(1));
    if (storedValue == null) {
      call.reply().integer(-2);
    } else if (storedValue.expiry() == StoredValue.FOREVER) {
      call.reply().integer(-1);
    } else {
      long millis = storedValue.expiry() - base;
      call.reply().integer(unit == 1 ? millis : millis / 1_000 + millis % 1_000 / 500);
    }
  }

  static void persist(Call call) {
    StoredValue storedValue = call.keys().entry(call.arg(1));
    if (storedValue == null || storedValue.expiry() == StoredValue.FOREVER) {
      call.reply().integer(0);
      return;
    }
    call.keys().set(call.arg(1), storedValue.expiring(StoredValue.FOREVER));
    call.reply().integer(1);
  }
}
