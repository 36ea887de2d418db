package io.kvstadium.server.command.sortedsets;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.Keys;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.Scored;
import io.kvstadium.server.value.StoredSortedSet;
import io.kvstadium.transfer.redis.Decimal;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Unions, intersections and differences of sorted sets; sets count as such with scores of 1. */
public final class SortedSetAlgebra {
  public enum Operation {
    UNION,
    INTERSECTION,
    DIFFERENCE
  }

  private SortedSetAlgebra() {}

  /** A set or sorted set as an input; {@code null} is empty. */
  private record Input(
      Keyspace keys, @Nullable StoredValue storedValue, @Nullable StoredSortedSet sorted) {
    static Input of(Keyspace keys, byte[] key) {
      StoredValue storedValue = keys.head(key);
      if (storedValue != null && storedValue.kind() == Kind.SET) {
        return new Input(keys, storedValue, null);
      }
      return new Input(keys, storedValue, StoredSortedSet.find(keys, key));
    }

    long count() {
      return storedValue == null ? 0 : storedValue.elements().count();
    }

    @Nullable Double score(byte[] member) {
      if (sorted != null) {
        return sorted.score(member);
      }
      return storedValue == null || keys.elements().get(storedValue.elements(), member) == null
          ? null
          : 1.0;
    }

    List<Scored> all() {
      if (sorted != null) {
        return sorted.all();
      }
      List<Scored> members = new ArrayList<>();
      if (storedValue != null) {
        try (Walk walk =
            keys.elements().walk(Keys.elements(storedValue.elements().generation()).keysOnly())) {
          while (walk.next()) {
            members.add(new Scored(Keys.rest(walk.key()), 1));
          }
        }
      }
      return members;
    }
  }

  /** The arguments of a request. */
  private static final class Wanted {
    private final List<Input> inputs = new ArrayList<>();
    private final double[] weights;
    private DoubleBinaryOperator aggregate = SortedSetAlgebra::sum;
    private boolean scored;
    private long limit;

    /**
     * Reads the request.
     *
     * @param at the position of the number of keys
     * @param shown whether the members are the answer
     */
    Wanted(Call call, int at, boolean weighed, boolean shown, boolean counted) {
      long count = call.integer(at);
      if (count < 1) {
        throw ReplyException.error(
            "at least 1 input key is needed for '%s' command", call.command().name());
      }
      if (count > call.size() - at - 1) {
        throw ReplyException.syntax();
      }
      int keys = (int) count;
      for (int i = 0; i < keys; i++) {
        inputs.add(Input.of(call.keys(), call.arg(at + 1 + i)));
      }
      weights = new double[keys];
      java.util.Arrays.fill(weights, 1);
      for (int i = at + 1 + keys; i < call.size(); i++) {
        String option = call.lowerCase(i);
        int left = call.size() - i - 1;
        if (weighed && option.equals("weights") && left >= keys) {
          for (int j = 0; j < keys; j++) {
            weights[j] = weight(call.arg(++i));
          }
        } else if (weighed && option.equals("aggregate") && left >= 1) {
          aggregate = aggregate(call.lowerCase(++i));
        } else if (shown && option.equals("withscores")) {
          scored = true;
        } else if (counted && option.equals("limit") && left >= 1) {
          limit = Decimal.integer(call.arg(++i), -1);
          if (limit < 0) {
            throw ReplyException.error("LIMIT can't be negative");
          }
        } else {
          throw ReplyException.syntax();
        }
      }
    }

    private static double weight(byte[] text) {
      try {
        return Numbers.real(text);
      } catch (ReplyException e) {
        throw ReplyException.error("weight value is not a float");
      }
    }

    private static DoubleBinaryOperator aggregate(String option) {
      return switch (option) {
        case "sum" -> SortedSetAlgebra::sum;
        case "min" -> Math::min;
        case "max" -> Math::max;
        default -> throw ReplyException.syntax();
      };
    }

    private double weighed(int input, double score) {
      return number(weights[input] * score);
    }

    private List<Scored> union() {
      Map<Bytes, Double> scores = new HashMap<>();
      for (int i = 0; i < inputs.size(); i++) {
        for (Scored entry : inputs.get(i).all()) {
          scores.merge(
              new Bytes(entry.member()), weighed(i, entry.score()), aggregate::applyAsDouble);
        }
      }
      List<Scored> found = new ArrayList<>(scores.size());
      scores.forEach((member, score) -> found.add(new Scored(member.value(), score)));
      return found;
    }

    /** Looks for the members of the smallest in all. */
    private List<Scored> intersection(long max) {
      Input smallest = inputs.getFirst();
      for (Input each : inputs) {
        smallest = each.count() < smallest.count() ? each : smallest;
      }
      List<Scored> found = new ArrayList<>();
      for (Scored entry : smallest.all()) {
        Double score = inAll(entry.member());
        if (score != null) {
          found.add(new Scored(entry.member(), score));
          if (found.size() == max) {
            break;
          }
        }
      }
      return found;
    }

    private @Nullable Double inAll(byte[] member) {
      Double all = null;
      for (int i = 0; i < inputs.size(); i++) {
        Double score = inputs.get(i).score(member);
        if (score == null) {
          return null;
        }
        double own = weighed(i, score);
        all = all == null ? own : aggregate.applyAsDouble(all, own);
      }
      return all;
    }

    private List<Scored> difference() {
      List<Input> others = inputs.subList(1, inputs.size());
      return inputs.getFirst().all().stream()
          .filter(entry -> others.stream().allMatch(other -> other.score(entry.member()) == null))
          .toList();
    }

    List<Scored> result(Operation operation) {
      return switch (operation) {
        case UNION -> union();
        case INTERSECTION -> intersection(Long.MAX_VALUE);
        case DIFFERENCE -> difference();
      };
    }
  }

  private static double number(double value) {
    return Double.isNaN(value) ? 0 : value + 0.0;
  }

  private static double sum(double a, double b) {
    return number(a + b); // of both infinities: 0, as in Redis
  }

  public static void show(Call call, Operation operation) {
    Wanted wanted = new Wanted(call, 1, operation != Operation.DIFFERENCE, true, false);
    List<Scored> found = wanted.result(operation).stream().sorted().toList();
    if (wanted.scored) {
      Scored.pairs(call.reply(), found, false);
    } else {
      Scored.members(call.reply(), found);
    }
  }

  public static void store(Call call, Operation operation) {
    List<Scored> found =
        new Wanted(call, 2, operation != Operation.DIFFERENCE, false, false).result(operation);
    StoredSortedSet.replace(call.keys(), call.arg(1), found);
    call.reply().integer(found.size());
  }

  public static void zintercard(Call call) {
    Wanted wanted = new Wanted(call, 1, false, false, true);
    call.reply()
        .integer(wanted.intersection(wanted.limit == 0 ? Long.MAX_VALUE : wanted.limit).size());
  }
}
