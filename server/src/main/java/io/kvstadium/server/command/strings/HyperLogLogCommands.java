package io.kvstadium.server.command.strings;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.value.HyperLogLog;

/** Commands that estimate how many different elements there are. */
public final class HyperLogLogCommands {
  private HyperLogLogCommands() {}

  public static void pfadd(Call call) {
    StoredValue storedValue = StringCommands.string(call, 1);
    HyperLogLog log = HyperLogLog.of(storedValue);
    boolean changed = storedValue == null;
    for (int i = 2; i < call.size(); i++) {
      changed |= log.add(call.arg(i));
    }
    if (changed) {
      StringCommands.replace(call, storedValue, log.bytes());
    }
    call.reply().integer(changed ? 1 : 0);
  }

  private static HyperLogLog merged(Call call) {
    HyperLogLog all = HyperLogLog.of(StringCommands.string(call, 1));
    for (int i = 2; i < call.size(); i++) {
      all.merge(HyperLogLog.of(StringCommands.string(call, i)));
    }
    return all;
  }

  public static void pfcount(Call call) {
    call.reply().integer(merged(call).count());
  }

  public static void pfmerge(Call call) {
    byte[] value = merged(call).bytes();
    StringCommands.replace(call, StringCommands.string(call, 1), value);
    call.reply().ok();
  }
}
