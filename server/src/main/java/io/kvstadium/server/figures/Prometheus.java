package io.kvstadium.server.figures;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be watched, in Prometheus' text format. Nothing is collected until it is
 * asked for, except by those whose figures they are. Safe for all threads.
 */
public final class Prometheus implements AutoCloseable {
  /** The content type of the text. */
  public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final List<Consumer<Figures>> sources = new CopyOnWriteArrayList<>();
  private @Nullable PrometheusMeterRegistry registry;
  private @Nullable JvmGcMetrics collections;

  /** Adds figures, which a source is asked for each time. */
  public void add(Consumer<Figures> source) {
    sources.add(source);
  }

  /** All figures of now; may touch the disk. */
  public synchronized String text() {
    if (registry == null) {
      registry = registry();
    }
    return registry.scrape();
  }

  private PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    collections = new JvmGcMetrics();
    List<MeterBinder> binders =
        List.of(
            collections,
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new ProcessorMetrics(),
            new FileDescriptorMetrics(),
            new UptimeMetrics());
    binders.forEach(each -> each.bindTo(made));
    MultiCollector own =
        () -> {
          Figures figures = new Figures();
          sources.forEach(each -> each.accept(figures));
          return figures.snapshots();
        };
    made.getPrometheusRegistry().register(own);
    return made;
  }

  @Override
  public synchronized void close() {
    if (collections != null) {
      collections.close();
    }
  }
}
