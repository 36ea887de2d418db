package io.kvstadium.server.command.sortedsets;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.value.StoredSortedSet;
import io.kvstadium.transfer.redis.Decimal;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Commands on places, which are members of sorted sets. */
public final class GeoCommands {
  private GeoCommands() {}

  /** A place in two arguments: its longitude and its latitude. */
  static GeoCell place(Call call, int i) {
    double longitude = Numbers.real(call.arg(i));
    double latitude = Numbers.real(call.arg(i + 1));
    if (Math.abs(longitude) > GeoCell.LONGITUDE || Math.abs(latitude) > GeoCell.LATITUDE) {
      throw ReplyException.error(
          "invalid longitude,latitude pair %s,%s", fixed(longitude, 6), fixed(latitude, 6));
    }
    return GeoCell.of(longitude, latitude, GeoCell.FINEST);
  }

  /** A number with this many digits after the point, rounded as in C. */
  static String fixed(double value, int digits) {
    return Double.isInfinite(value)
        ? Numbers.text(value)
        : new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
  }

  /** Metres of a unit. */
  static double unit(Call call, int i) {
    return switch (call.text(i).toLowerCase(Locale.ROOT)) {
      case "m" -> 1;
      case "km" -> 1000;
      case "ft" -> 0.3048;
      case "mi" -> 1609.34;
      default -> throw ReplyException.error("unsupported unit provided. please use M, KM, FT, MI");
    };
  }

  public static void geoadd(Call call) {
    int from = 2;
    List<byte[]> arguments = new ArrayList<>(List.of(Bytes.of("zadd"), call.arg(1)));
    boolean onlyNew = false;
    boolean onlyOld = false;
    while (from < call.size() && List.of("nx", "xx", "ch").contains(call.lowerCase(from))) {
      onlyNew |= call.lowerCase(from).equals("nx");
      onlyOld |= call.lowerCase(from).equals("xx");
      arguments.add(call.arg(from++));
    }
    if ((call.size() - from) % 3 != 0 || (onlyNew && onlyOld)) {
      throw ReplyException.syntax();
    }
    for (int i = from; i < call.size(); i += 3) {
      arguments.add(Decimal.bytes((long) place(call, i).first()));
      arguments.add(call.arg(i + 2));
    }
    SortedSetCommands.zadd(call.with(arguments.toArray(byte[][]::new)));
  }

  private static @Nullable GeoCell member(@Nullable StoredSortedSet set, byte[] member) {
    Double score = set == null ? null : set.score(member);
    return score == null ? null : GeoCell.of(score);
  }

  /** Answers with a longitude and a latitude. */
  static void position(ReplyWriter reply, GeoCell cell) {
    reply.array(2);
    reply.decimal(exact(cell.longitude()));
    reply.decimal(exact(cell.latitude()));
  }

  /** A number with as many digits as an x87 number is shown with. */
  private static String exact(double value) {
    BigDecimal digits = new BigDecimal(value).setScale(17, RoundingMode.HALF_EVEN);
    return digits.signum() == 0 ? "0" : digits.stripTrailingZeros().toPlainString();
  }

  public static void geopos(Call call) {
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    call.reply().array(call.size() - 2);
    for (int i = 2; i < call.size(); i++) {
      GeoCell cell = member(set, call.arg(i));
      if (cell == null) {
        call.reply().nilArray();
      } else {
        position(call.reply(), cell);
      }
    }
  }

  public static void geohash(Call call) {
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    call.reply().array(call.size() - 2);
    for (int i = 2; i < call.size(); i++) {
      GeoCell cell = member(set, call.arg(i));
      if (cell == null) {
        call.reply().nil();
      } else {
        call.reply().bulk(cell.name());
      }
    }
  }

  public static void geodist(Call call) {
    if (call.size() > 5) {
      throw ReplyException.syntax();
    }
    double unit = call.size() == 5 ? unit(call, 4) : 1;
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    GeoCell one = member(set, call.arg(2));
    GeoCell other = member(set, call.arg(3));
    if (one == null || other == null) {
      call.reply().nil();
      return;
    }
    double metres =
        GeoShape.distance(one.longitude(), one.latitude(), other.longitude(), other.latitude());
    call.reply().bulk(fixed(metres / unit, 4));
  }
}
