package io.kvstadium.server.command.strings;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredString;
import io.kvstadium.transfer.redis.Decimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** BITFIELD: integers of any number of bits within a string. */
public final class BitFields {
  private enum Action {
    GET,
    SET,
    INCRBY
  }

  private enum Overflow {
    WRAP,
    SAT,
    FAIL
  }

  /** One step of a request. */
  private record Step(
      Action action, boolean signed, int bits, long at, long value, Overflow overflow) {
    BigInteger min() {
      return signed ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
    }

    BigInteger max() {
      return BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
    }

    /** The first byte that has some of its bits. */
    long from() {
      return at >> 3;
    }

    /** How many bytes have some of its bits. */
    int count() {
      return (int) (((at + bits - 1) >> 3) - from()) + 1;
    }

    BigInteger read(byte[] part) {
      long read = 0;
      for (int i = 0; i < bits; i++) {
        read = read << 1 | BitCommands.bit(part, (at & 7) + i);
      }
      return BigInteger.valueOf(signed ? read << (64 - bits) >> (64 - bits) : read);
    }

    void write(byte[] part, BigInteger number) {
      for (int i = 0; i < bits; i++) {
        BitCommands.set(part, (at & 7) + i, number.testBit(bits - 1 - i) ? 1 : 0);
      }
    }

    /** What to write, or {@code null} if it does not fit and must not be changed. */
    @Nullable BigInteger changed(BigInteger old) {
      BigInteger wanted = BigInteger.valueOf(value);
      if (action == Action.INCRBY) {
        wanted = old.add(wanted);
      } else if (!signed && value < 0) {
        wanted = wanted.add(BigInteger.ONE.shiftLeft(64));
      }
      boolean tooMuch = wanted.compareTo(max()) > 0;
      if (!tooMuch && wanted.compareTo(min()) >= 0) {
        return wanted;
      }
      return switch (overflow) {
        case FAIL -> null;
        case SAT -> tooMuch ? max() : min();
        case WRAP -> {
          BigInteger size = BigInteger.ONE.shiftLeft(bits);
          BigInteger rest = wanted.mod(size);
          yield rest.compareTo(max()) > 0 ? rest.subtract(size) : rest;
        }
      };
    }
  }

  private BitFields() {}

  public static void run(Call call, boolean readOnly) {
    List<Step> steps = steps(call);
    boolean writes = steps.stream().anyMatch(each -> each.action() != Action.GET);
    if (writes && readOnly) {
      throw ReplyException.error("BITFIELD_RO only supports the GET subcommand");
    }
    if (!writes) {
      long needed = steps.stream().mapToLong(step -> step.from() + step.count()).max().orElse(0);
      StoredString.read(call.keys(), call.arg(1), needed, string -> run(call, steps, string));
      return;
    }
    StoredString string = StoredString.of(call.keys(), call.arg(1));
    for (Step step : steps) {
      long last = step.from() + step.count() - 1;
      if (step.action() != Action.GET && string.length() <= last) {
        string.put(last, new byte[1]);
      }
    }
    run(call, steps, string);
  }

  private static StoredString run(Call call, List<Step> steps, StoredString string) {
    call.reply().array(steps.size());
    for (Step step : steps) {
      byte[] part = string.part(step.from(), step.count());
      BigInteger old = step.read(part);
      BigInteger changed = step.action() == Action.GET ? old : step.changed(old);
      if (changed == null) {
        call.reply().nil();
        continue;
      }
      if (!changed.equals(old)) {
        step.write(part, changed);
        string.put(step.from(), part);
      }
      call.reply().integer((step.action() == Action.INCRBY ? changed : old).longValue());
    }
    return string;
  }

  private static List<Step> steps(Call call) {
    List<Step> steps = new ArrayList<>();
    Overflow overflow = Overflow.WRAP;
    int i = 2;
    while (i < call.size()) {
      String option = call.lowerCase(i);
      int left = call.size() - i - 1;
      if (option.equals("overflow") && left >= 1) {
        overflow = overflow(call.lowerCase(i + 1));
        i += 2;
        continue;
      }
      Action action =
          switch (option) {
            case "get" -> Action.GET;
            case "set" -> Action.SET;
            case "incrby" -> Action.INCRBY;
            default -> throw ReplyException.syntax();
          };
      int arguments = action == Action.GET ? 2 : 3;
      if (left < arguments) {
        throw ReplyException.syntax();
      }
      String type = call.lowerCase(i + 1);
      boolean signed = type.startsWith("i");
      int bits = bits(type, signed);
      long at = BitCommands.offset(call, call.arg(i + 2), bits);
      long value = action == Action.GET ? 0 : call.integer(i + 3);
      steps.add(new Step(action, signed, bits, at, value, overflow));
      i += 1 + arguments;
    }
    return steps;
  }

  private static Overflow overflow(String option) {
    return switch (option) {
      case "wrap" -> Overflow.WRAP;
      case "sat" -> Overflow.SAT;
      case "fail" -> Overflow.FAIL;
      default -> throw ReplyException.error("Invalid OVERFLOW type specified");
    };
  }

  private static int bits(String type, boolean signed) {
    long bits = type.isEmpty() ? 0 : Decimal.integer(Bytes.of(type.substring(1)), 0);
    if ((!signed && !type.startsWith("u")) || bits < 1 || bits > (signed ? 64 : 63)) {
      throw ReplyException.error(
          "Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64"
              + " is.");
    }
    return (int) bits;
  }
}
