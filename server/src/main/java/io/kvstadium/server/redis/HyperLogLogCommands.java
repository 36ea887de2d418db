package io.kvstadium.server.redis;

/** Commands that estimate how many different elements there are. */
final class HyperLogLogCommands {
  private HyperLogLogCommands() {}

  static void register(Commands commands) {
    commands
        .group("hyperloglog")
        .key("pfadd", -2, "write fast", "2.8.9", "Adds elements.", HyperLogLogCommands::pfadd)
        .add(
            "pfcount",
            -2,
            "readonly whole",
            1,
            -1,
            1,
            "2.8.9",
            "Estimates how many different elements there were.",
            HyperLogLogCommands::pfcount)
        .add(
            "pfmerge",
            -2,
            "write",
            1,
            -1,
            1,
            "2.8.9",
            "Merges several estimators into one.",
            HyperLogLogCommands::pfmerge);
  }

  private static void pfadd(Call call) {
    Held held = StringCommands.string(call, 1);
    HyperLogLog log = HyperLogLog.of(held);
    boolean changed = held == null;
    for (int i = 2; i < call.size(); i++) {
      changed |= log.add(call.arg(i));
    }
    if (changed) {
      StringCommands.replace(call, held, log.bytes());
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

  private static void pfcount(Call call) {
    call.reply().integer(merged(call).count());
  }

  private static void pfmerge(Call call) {
    byte[] value = merged(call).bytes();
    StringCommands.replace(call, StringCommands.string(call, 1), value);
    call.reply().ok();
  }
}
