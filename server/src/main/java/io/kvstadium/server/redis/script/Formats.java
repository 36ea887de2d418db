package io.kvstadium.server.redis.script;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** Numbers and {@code string.format} as in C. */
final class Formats {
  private Formats() {}

  /** A number as {@code %.<digits>g} shows it. */
  static String general(double value, int digits) {
    if (value == Math.rint(value) && Math.abs(value) < 1e14 && digits >= 14) {
      return value == 0 && 1 / value < 0 ? "-0" : Long.toString((long) value);
    }
    return finite(value) ? general(value, digits, false) : special(value);
  }

  private static boolean finite(double value) {
    return !Double.isNaN(value) && !Double.isInfinite(value);
  }

  private static String special(double value) {
    return Double.isNaN(value) ? "-nan" : value > 0 ? "inf" : "-inf";
  }

  private static String general(double value, int digits, boolean keepsZeros) {
    int wanted = Math.max(1, digits);
    BigDecimal rounded = rounded(value, wanted);
    int exponent = value == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
    boolean scientific = exponent < -4 || exponent >= wanted;
    String text =
        scientific
            ? scientific(value, wanted - 1)
            : sign(value) + fixed(rounded.abs(), wanted - 1 - exponent);
    if (keepsZeros || text.indexOf('.') < 0) {
      return text;
    }
    int end = scientific ? text.indexOf('e') : text.length();
    String mantissa = text.substring(0, end).replaceFirst("\\.?0+$", "");
    return mantissa + text.substring(end);
  }

  private static BigDecimal rounded(double value, int digits) {
    return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
  }

  private static String sign(double value) {
    return value < 0 || (value == 0 && 1 / value < 0) ? "-" : "";
  }

  private static String fixed(BigDecimal value, int decimals) {
    return value.setScale(Math.max(0, decimals), RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String scientific(double value, int decimals) {
    BigDecimal rounded = rounded(value, decimals + 1).abs();
    int exponent = value == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
    String mantissa = fixed(rounded.scaleByPowerOfTen(-exponent), decimals);
    return "%s%se%s%02d"
        .formatted(sign(value), mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  /** {@code string.format}. */
  static LuaValue format(Varargs args) {
    LuaString format = args.checkstring(1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int next = 2;
    for (int i = 0; i < format.m_length; i++) {
      int c = format.luaByte(i);
      if (c != '%') {
        out.write(c);
      } else if (i + 1 < format.m_length && format.luaByte(i + 1) == '%') {
        out.write('%');
        i++;
      } else {
        Spec spec = new Spec(format, i + 1);
        i = spec.end;
        byte[] text = spec.apply(args, next++);
        out.write(text, 0, text.length);
      }
    }
    return LuaString.valueUsing(out.toByteArray());
  }

  /** One conversion. */
  private static final class Spec {
    private final String flags;
    private final int width;
    private final int precision;
    private final char kind;

    /** The position of its last character. */
    private final int end;

    Spec(LuaString format, int begin) {
      int i = begin;
      while (i < format.m_length && "-+ #0".indexOf(format.luaByte(i)) >= 0) {
        i++;
      }
      flags = format.substring(begin, i).tojstring();
      if (flags.length() > 5) {
        throw new LuaError("invalid format (repeated flags)");
      }
      int at = i;
      i = digits(format, i);
      width = i == at ? 0 : Integer.parseInt(format.substring(at, i).tojstring());
      int given = -1;
      if (i < format.m_length && format.luaByte(i) == '.') {
        int from = i + 1;
        i = digits(format, from);
        given = i == from ? 0 : Integer.parseInt(format.substring(from, i).tojstring());
      }
      precision = given;
      kind = i < format.m_length ? (char) format.luaByte(i) : 0;
      if (kind >= '0' && kind <= '9') {
        throw new LuaError("invalid format (width or precision too long)");
      }
      end = i;
    }

    private static int digits(LuaString format, int from) {
      int i = from;
      while (i < format.m_length && i < from + 2 && Character.isDigit(format.luaByte(i))) {
        i++;
      }
      return i;
    }

    private boolean has(char flag) {
      return flags.indexOf(flag) >= 0;
    }

    byte[] apply(Varargs args, int n) {
      return switch (kind) {
        case 'c' -> new byte[] {(byte) args.checkint(n)};
        case 'q' -> quoted(args.checkstring(n));
        case 's' -> padded(text(args.arg(n)));
        case 'd', 'i' -> {
          long value = (long) args.checkdouble(n);
          yield number(value < 0 ? "-" : plus(), Long.toString(value).replace("-", ""), true);
        }
        case 'u' -> number("", Long.toUnsignedString((long) args.checkdouble(n)), true);
        case 'o' -> number("", Long.toOctalString((long) args.checkdouble(n)), true);
        case 'x', 'X' -> {
          String hex = Long.toHexString((long) args.checkdouble(n));
          yield number(has('#') && !hex.equals("0") ? "0" + kind : "", cased(hex), true);
        }
        case 'e', 'E', 'f', 'g', 'G' -> real(args.checkdouble(n));
        default -> throw new LuaError("invalid option '%" + kind + "' to 'format'");
      };
    }

    private String plus() {
      return has('+') ? "+" : has(' ') ? " " : "";
    }

    private String cased(String text) {
      return Character.isUpperCase(kind) ? text.toUpperCase(Locale.ROOT) : text;
    }

    private byte[] text(LuaValue value) {
      LuaString string = value.checkstring();
      int length = string.m_length;
      return string.substring(0, precision < 0 ? length : Math.min(length, precision)).m_length
              == length
          ? bytes(string)
          : bytes(string.substring(0, precision));
    }

    private byte[] real(double value) {
      if (!finite(value)) {
        String word = special(value);
        return number(value < 0 ? "-" : plus(), cased(word.replace("-", "")), false);
      }
      int digits = precision < 0 ? 6 : precision;
      String text =
          switch (kind) {
            case 'f' -> sign(value) + fixed(new BigDecimal(value).abs(), digits);
            case 'e', 'E' -> scientific(value, digits);
            default -> general(value, digits, has('#'));
          };
      boolean negative = text.startsWith("-");
      return number(negative ? "-" : plus(), cased(negative ? text.substring(1) : text), false);
    }

    private byte[] number(String sign, String digits, boolean integer) {
      String filled = digits;
      if (integer && precision >= 0) {
        filled = "0".repeat(Math.max(0, precision - digits.length())) + digits;
      } else if (has('0') && !has('-')) {
        filled = "0".repeat(Math.max(0, width - sign.length() - digits.length())) + digits;
      }
      return padded((sign + filled).getBytes(StandardCharsets.ISO_8859_1));
    }

    private byte[] padded(byte[] text) {
      int missing = width - text.length;
      if (missing <= 0) {
        return text;
      }
      byte[] all = new byte[width];
      java.util.Arrays.fill(all, (byte) ' ');
      System.arraycopy(text, 0, all, has('-') ? 0 : missing, text.length);
      return all;
    }

    private static byte[] quoted(LuaString text) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write('"');
      for (int i = 0; i < text.m_length; i++) {
        int c = text.luaByte(i);
        switch (c) {
          case '"', '\\', '\n' -> {
            out.write('\\');
            out.write(c);
          }
          case '\r' -> out.writeBytes("\\r".getBytes(StandardCharsets.US_ASCII));
          case 0 -> out.writeBytes("\\000".getBytes(StandardCharsets.US_ASCII));
          default -> out.write(c);
        }
      }
      out.write('"');
      return out.toByteArray();
    }
  }

  /** The bytes of a string. */
  static byte[] bytes(LuaString text) {
    byte[] copy = new byte[text.m_length];
    System.arraycopy(text.m_bytes, text.m_offset, copy, 0, copy.length);
    return copy;
  }
}
