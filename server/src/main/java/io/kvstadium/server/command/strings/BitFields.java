package io.kvstadium.server.command.strings;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.transfer.redis.Decimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
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

    BigInteger read(byte[] bytes) {
      long value = 0;
      for (int i = 0; i < bits; i++) {
        value = value << 1 | BitCommands.bit(bytes, at + i);
      }
      return BigInteger.valueOf(signed ? value << (64 - bits) >> (64 - bits) : value);
    }

    void write(byte[] bytes, BigInteger value) {
      for (int i = 0; i < bits; i++) {
        BitCommands.set(bytes, at + i, value.testBit(bits - 1 - i) ? 1 : 0);
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
    StoredValue before = StringCommands.string(call, 1);
    byte[] value = StringCommands.value(before);
    for (Step step : steps) {
      if (step.action() != Action.GET) {
        int needed = (int) ((step.at() + step.bits() - 1) >> 3) + 1;
        value = Arrays.copyOf(value, Math.max(value.length, needed));
      }
    }
    boolean changes = value.length > (before == null ? 0 : before.length());
    call.reply().array(steps.size());
    for (Step step : steps) {
      BigInteger old = step.read(value);
      BigInteger changed = step.action() == Action.GET ? old : step.changed(old);
      if (changed == null) {
        call.reply().nil();
        continue;
      }
      if (step.action() != Action.GET) {
        step.write(value, changed);
        changes |= !changed.equals(old);
      }
      call.reply().integer((step.action() == Action.INCRBY ? changed : old).longValue());
    }
    if (changes) {
      StringCommands.replace(call, before, value);
    }
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
