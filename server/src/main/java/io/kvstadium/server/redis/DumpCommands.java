package io.kvstadium.server.redis;

import io.kvstadium.server.redis.Members.Member;
import java.util.List;

/** DUMP and RESTORE. */
final class DumpCommands {
  private DumpCommands() {}

  static void dump(Call call) {
    byte[] key = call.arg(1);
    Keyspace keys = call.keys();
    Held held = keys.find(key);
    if (held == null) {
      call.reply().nil();
      return;
    }
    Rdb out;
    switch (held.kind()) {
      case STRING -> out = new Rdb(Rdb.STRING).string(held.value());
      case LIST -> {
        StoredList list = StoredList.findOrMake(keys, key);
        out = new Rdb(Rdb.LIST).length(list.count());
        list.values(0, list.count() - 1, false).forEach(out::string);
      }
      case ZSET -> {
        List<Scored> all = StoredSortedSet.findOrMake(keys, key).all();
        out = new Rdb(Rdb.SORTED_SET).length(all.size());
        for (Scored each : all.reversed()) { // as Redis does, where adding at the end is quickest
          out.string(each.member()).real(each.score());
        }
      }
      case STREAM -> {
        out = new Rdb(Rdb.STREAM);
        StreamDump.of(StoredStream.findOrMake(keys, key)).write(out);
      }
      default -> {
        boolean hash = held.kind() == Kind.HASH;
        List<Member> all = Members.of(call, 1, held.kind()).all();
        out = new Rdb(hash ? Rdb.HASH : Rdb.SET).length(all.size());
        for (Member each : all) {
          out.string(each.name());
          if (hash) {
            out.string(each.value());
          }
        }
      }
    }
    call.reply().bulk(out.finish());
  }

  static void restore(Call call) {
    boolean replace = false;
    boolean absolute = false;
    String eviction = ""; // the hint given for it, of which there may be one kind
    for (int i = 4; i < call.size(); i++) {
      boolean more = i + 1 < call.size();
      switch (call.word(i)) {
        case "replace" -> replace = true;
        case "absttl" -> absolute = true;
        case "idletime" -> {
          need(more && !eviction.equals("freq"));
          eviction = call.word(i);
          if (call.integer(++i) < 0) {
            throw ReplyException.error("Invalid IDLETIME value, must be >= 0");
          }
        }
        case "freq" -> {
          need(more && !eviction.equals("idletime"));
          eviction = call.word(i);
          long frequency = call.integer(++i);
          if (frequency < 0 || frequency > 255) {
            throw ReplyException.error("Invalid FREQ value, must be >= 0 and <= 255");
          }
        }
        default -> throw ReplyException.syntax();
      }
    }
    if (!replace && call.keys().head(call.arg(1)) != null) {
      throw new ReplyException("BUSYKEY Target key name already exists.");
    }
    long left = call.integer(2);
    if (left < 0) {
      throw ReplyException.error("Invalid TTL value, must be >= 0");
    }
    RdbReader.Value value = RdbReader.read(Rdb.body(call.arg(3)));
    long expiry = left == 0 ? Held.FOREVER : Expiries.at(call, left, 1, absolute ? 0 : call.now());
    call.keys().remove(call.arg(1));
    if (expiry > call.now()) {
      store(call, value);
      Held held = call.keys().find(call.arg(1));
      if (held != null && expiry != Held.FOREVER) {
        call.keys().set(call.arg(1), held.expiring(expiry));
      }
    }
    call.reply().ok();
  }

  private static void need(boolean more) {
    if (!more) {
      throw ReplyException.syntax();
    }
  }

  private static void store(Call call, RdbReader.Value value) {
    Keyspace keys = call.keys();
    byte[] key = call.arg(1);
    List<byte[]> parts = value.parts();
    switch (value.kind()) {
      case STRING -> keys.set(key, Held.string(parts.getFirst()));
      case LIST -> {
        StoredList list = StoredList.findOrMake(keys, key);
        parts.forEach(each -> list.push(each, false));
        list.save();
      }
      case SET -> {
        Members set = Members.of(keys, key, Kind.SET);
        parts.forEach(each -> unique(set.add(each)));
        set.save();
      }
      case HASH -> {
        Members hash = Members.of(keys, key, Kind.HASH);
        for (int i = 0; i < parts.size(); i += 2) {
          unique(hash.put(parts.get(i), parts.get(i + 1)));
        }
        hash.save();
      }
      case ZSET -> {
        StoredSortedSet set = StoredSortedSet.findOrMake(keys, key);
        for (int i = 0; i < parts.size(); i += 2) {
          unique(set.score(parts.get(i)) == null);
          set.put(parts.get(i), RdbReader.score(parts.get(i + 1)));
        }
        set.save();
      }
      case STREAM -> {
        StreamDump stream = value.stream();
        if (stream != null) {
          stream.store(StoredStream.findOrMake(keys, key));
        }
      }
    }
  }

  private static void unique(boolean fresh) {
    if (!fresh) {
      throw ReplyException.error("Bad data format");
    }
  }
}
