package delaying;

import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.StoreConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * LMDB with each call taking {@code factor} times as long, to check verdicts against a known truth.
 * The delay is proportional to each call, so it has the noise of a real engine. One call in a
 * hundred, at random, takes {@code rare} microseconds longer.
 */
public final class Delaying implements Engine {
  private static final Set<String> TIMED =
      Set.of("get", "multiGet", "put", "delete", "write", "bulkLoad", "next", "seek");

  private final Engine engine;

  /** Called by the service loader. */
  public Delaying() throws ReflectiveOperationException {
    Class<?> lmdb = Class.forName("io.kvstadium.engine.lmdb.LmdbEngine");
    this.engine = (Engine) lmdb.getDeclaredConstructor().newInstance();
  }

  @Override
  public EngineInfo info() {
    EngineInfo own = engine.info();
    List<OptionSpec> options = new ArrayList<>(own.options());
    options.add(Declarations.option("factor | decimal 0.001..1000 | store | 1 | how much slower than LMDB"));
    options.add(Declarations.option("rare | integer 0..1000000 | store | 0 | microseconds that one call in a hundred takes longer"));
    return new EngineInfo(
        "delaying",
        own.title(),
        own.version(),
        own.licence(),
        own.description(),
        own.upstream(),
        own.onDisk(),
        own.capabilities(),
        own.limits(),
        own.durability(),
        options,
        own.notes(),
        false);
  }

  @Override
  public void check(StoreConfig config) {
    engine.check(config);
  }

  @Override
  public boolean exists(StoreConfig config) throws Exception {
    return engine.exists(config);
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws Exception {
    return slow(EngineStore.class, engine.open(config), config.options().decimal("factor"), 1_000 * config.options().integer("rare"));
  }

  @Override
  public void destroy(StoreConfig config) throws Exception {
    engine.destroy(config);
  }

  @Override
  public Failure classify(StoreConfig config, Throwable thrown) {
    return engine.classify(config, thrown);
  }

  private static <T> T slow(Class<T> type, T fast, double factor, long rareNanos) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              long begin = System.nanoTime();
              Object result;
              try {
                result = method.invoke(fast, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (TIMED.contains(method.getName())) {
                long now = System.nanoTime();
                long rare = rareNanos > 0 && ThreadLocalRandom.current().nextInt(100) == 0 ? rareNanos : 0;
                long end = now + Math.round((now - begin) * (factor - 1)) + rare;
                while (System.nanoTime() < end) {
                  Thread.onSpinWait();
                }
              }
              return result instanceof EngineCursor cursor
                  ? slow(EngineCursor.class, cursor, factor, rareNanos)
                  : result;
            });
    return type.cast(proxy);
  }
}
