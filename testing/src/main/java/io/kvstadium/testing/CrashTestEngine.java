package io.kvstadium.testing;

import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.UniqueIdSelector;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.engine.support.discovery.EngineDiscoveryRequestResolver;
import org.junit.platform.engine.support.discovery.SelectorResolver;
import org.junit.platform.engine.support.hierarchical.HierarchicalTestEngine;

/** Finds and runs each {@link CrashTest}; the platform of JUnit 5 and 6 loads it by itself. */
public final class CrashTestEngine extends HierarchicalTestEngine<CrashTestDescriptor.Context> {
  private static final EngineDiscoveryRequestResolver<TestDescriptor> RESOLVER =
      EngineDiscoveryRequestResolver.builder()
          .addClassContainerSelectorResolver(CrashTestEngine::isCrashTest)
          .addSelectorResolver(context -> new Classes(context.getClassNameFilter()))
          .build();

  private static boolean isCrashTest(Class<?> type) {
    return isAnnotated(type, CrashTest.class);
  }

  @Override
  public String getId() {
    return "kv-stadium-crash-test";
  }

  @Override
  public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
    EngineDescriptor engine = new EngineDescriptor(id, "KV Stadium: crash tests");
    RESOLVER.resolve(request, engine);
    return engine;
  }

  @Override
  protected CrashTestDescriptor.Context createExecutionContext(ExecutionRequest request) {
    return new CrashTestDescriptor.Context();
  }

  /** Classes by themselves or by their identifiers; a fault's identifier stands for its class. */
  private record Classes(Predicate<String> names) implements SelectorResolver {
    @Override
    public Resolution resolve(ClassSelector selector, Context context) {
      if (!names.test(selector.getClassName()) || !isCrashTest(selector.getJavaClass())) {
        return Resolution.unresolved();
      }
      return context
          .addToParent(parent ->
              Optional.of(new CrashTestDescriptor(parent.getUniqueId(), selector.getJavaClass())))
          .map(found -> Resolution.match(Match.exact(found)))
          .orElseGet(Resolution::unresolved);
    }

    @Override
    public Resolution resolve(UniqueIdSelector selector, Context context) {
      UniqueId id = selector.getUniqueId();
      UniqueId.Segment last = id.getLastSegment();
      return switch (last.getType()) {
        case CrashTestDescriptor.OfFault.SEGMENT ->
            Resolution.selectors(Set.of(selectUniqueId(id.removeLastSegment())));
        case CrashTestDescriptor.SEGMENT ->
            Resolution.selectors(Set.of(selectClass(last.getValue())));
        default -> Resolution.unresolved();
      };
    }
  }
}
