package io.kvstadium.server.command.sortedsets;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.value.Bounds;
import io.kvstadium.server.value.Scored;
import io.kvstadium.server.value.StoredSortedSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request for the members of a sorted set that are in a circle or a box. */
public final class GeoSearch {
  /** The arguments that give the place. */
  public enum Form {
    AROUND_PLACE,
    AROUND_MEMBER,
    SEARCH,
    STORE
  }

  private record Found(Scored entry, GeoCell cell, double metres) {
    static final Comparator<Found> NEAREST = Comparator.comparingDouble(Found::metres);
  }

  private final Call call;
  private final Form form;
  private final boolean mayStore;
  private final boolean options;
  private final @Nullable StoredSortedSet set;
  private @Nullable Double longitude;
  private double latitude;
  private double radius = -1;
  private double width;
  private double height;
  private double unit;
  private boolean shaped;
  private boolean fromMember;
  private boolean fromPlace;
  private byte @Nullable [] target;
  private boolean storesDistance;
  private boolean withDistance;
  private boolean withHash;
  private boolean withPlace;
  private boolean descending;
  private boolean sorted;
  private boolean any;
  private long count;

  /**
   * A request.
   *
   * @param mayStore whether it takes STORE and STOREDIST
   */
  public GeoSearch(Call call, Form form, boolean mayStore) {
    this.call = call;
    this.form = form;
    this.mayStore = mayStore;
    this.options = form == Form.SEARCH || form == Form.STORE;
    this.set = StoredSortedSet.find(call.keys(), call.arg(form == Form.STORE ? 2 : 1));
  }

  public void run() {
    int from = begin();
    for (int i = from; i < call.size(); i++) {
      i += option(i);
    }
    check();
    if (set == null) {
      answer(List.of());
    } else {
      answer(found(set));
    }
  }

  /** Reads the arguments at fixed positions; returns where the options begin. */
  private int begin() {
    return switch (form) {
      case AROUND_PLACE -> {
        around(2);
        circle(4);
        yield 6;
      }
      case AROUND_MEMBER -> {
        if (set != null) {
          aroundMember(2);
          circle(3);
        }
        yield 5;
      }
      case STORE -> {
        target = call.arg(1);
        yield 3;
      }
      default -> 2;
    };
  }

  private void around(int i) {
    GeoCommands.place(call, i);
    longitude = Numbers.real(call.arg(i));
    latitude = Numbers.real(call.arg(i + 1));
  }

  private void aroundMember(int i) {
    if (set == null) {
      longitude = 0.0; // nothing is searched, but all options are checked
      return;
    }
    Double score = set.score(call.arg(i));
    if (score == null) {
      throw ReplyException.error("could not decode requested zset member");
    }
    longitude = GeoCell.of(score).longitude();
    latitude = GeoCell.of(score).latitude();
  }

  private void circle(int i) {
    radius = number(i, "need numeric radius");
    if (radius < 0) {
      throw ReplyException.error("radius cannot be negative");
    }
    unit = GeoCommands.unit(call, i + 1);
    shaped = true;
  }

  private void box(int i) {
    width = number(i, "need numeric width");
    height = number(i + 1, "need numeric height");
    if (width < 0 || height < 0) {
      throw ReplyException.error("height or width cannot be negative");
    }
    unit = GeoCommands.unit(call, i + 2);
    shaped = true;
  }

  private double number(int i, String error) {
    if (!Numbers.isReal(call.arg(i))) {
      throw ReplyException.error(error);
    }
    return Numbers.real(call.arg(i));
  }

  /** Takes an option; returns how many arguments follow it. */
  private int option(int i) {
    int left = call.size() - i - 1;
    switch (call.lowerCase(i)) {
      case "withdist" -> withDistance = true;
      case "withhash" -> withHash = true;
      case "withcoord" -> withPlace = true;
      case "any" -> any = true;
      case "asc" -> order(false);
      case "desc" -> order(true);
      case "count" -> {
        need(left >= 1);
        count = call.integer(i + 1);
        if (count <= 0) {
          throw ReplyException.error("COUNT must be > 0");
        }
        return 1;
      }
      case "store" -> {
        need(left >= 1 && mayStore);
        return store(i + 1, false);
      }
      case "storedist" -> {
        if (form == Form.STORE) {
          storesDistance = true;
        } else {
          need(left >= 1 && mayStore);
          return store(i + 1, true);
        }
      }
      case "frommember" -> {
        need(left >= 1 && options && !fromPlace);
        aroundMember(i + 1);
        fromMember = true;
        return 1;
      }
      case "fromlonlat" -> {
        need(left >= 2 && options && !fromMember);
        around(i + 1);
        fromPlace = true;
        return 2;
      }
      case "byradius" -> {
        need(left >= 2 && options && !(shaped && radius < 0));
        circle(i + 1);
        return 2;
      }
      case "bybox" -> {
        need(left >= 3 && options && radius < 0);
        box(i + 1);
        return 3;
      }
      default -> throw ReplyException.syntax();
    }
    return 0;
  }

  private static void need(boolean allowed) {
    if (!allowed) {
      throw ReplyException.syntax();
    }
  }

  private void order(boolean down) {
    sorted = true;
    descending = down;
  }

  private int store(int i, boolean distances) {
    target = call.arg(i);
    storesDistance = distances;
    return 1;
  }

  private void check() {
    if (target != null && (withDistance || withHash || withPlace)) {
      throw ReplyException.error(
          "%s is not compatible with WITHDIST, WITHHASH and WITHCOORD options",
          form == Form.STORE ? "GEOSEARCHSTORE" : "STORE option in GEORADIUS");
    }
    if (options && longitude == null) {
      throw ReplyException.error(
          "exactly one of FROMMEMBER or FROMLONLAT can be specified for %s", call.text(0));
    }
    if (options && !shaped) {
      throw ReplyException.error(
          "exactly one of BYRADIUS and BYBOX can be specified for %s", call.text(0));
    }
    if (any && count == 0) {
      throw ReplyException.error("the ANY argument requires COUNT argument");
    }
  }

  private List<Found> found(StoredSortedSet of) {
    GeoShape shape =
        new GeoShape(longitude == null ? 0 : longitude, latitude, radius, width, height, unit);
    List<Found> found = new ArrayList<>();
    for (GeoCell each : shape.cells()) {
      Bounds bounds = new Bounds.ByScore(each.first(), false, each.end(), true);
      for (Scored entry : of.within(bounds, false, 0, -1)) {
        GeoCell cell = GeoCell.of(entry.score());
        double metres = shape.distance(cell.longitude(), cell.latitude());
        if (!Double.isNaN(metres) && !(any && found.size() >= count)) {
          found.add(new Found(entry, cell, metres));
        }
      }
    }
    if (sorted || (count > 0 && !any)) {
      found.sort(descending ? Found.NEAREST.reversed() : Found.NEAREST);
    }
    return count == 0 ? found : found.subList(0, (int) Math.min(count, found.size()));
  }

  private void answer(List<Found> found) {
    if (target != null) {
      StoredSortedSet.replace(
          call.keys(),
          target,
          found.stream()
              .map(each ->
                  storesDistance
                      ? new Scored(each.entry().member(), each.metres() / unit)
                      : each.entry())
              .toList());
      call.reply().integer(found.size());
      return;
    }
    ReplyWriter reply = call.reply();
    int more = (withDistance ? 1 : 0) + (withHash ? 1 : 0) + (withPlace ? 1 : 0);
    reply.array(found.size());
    for (Found each : found) {
      if (more > 0) {
        reply.array(1 + more);
      }
      reply.bulk(each.entry().member());
      if (withDistance) {
        reply.bulk(GeoCommands.fixed(each.metres() / unit, 4));
      }
      if (withHash) {
        reply.integer((long) each.entry().score());
      }
      if (withPlace) {
        GeoCommands.position(reply, each.cell());
      }
    }
  }
}
