package io.kvstadium.testing;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.kvstadium.torture.FaultResult;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.fault.FaultInjectors;
import io.kvstadium.torture.program.ProgramResult;
import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.hierarchical.EngineExecutionContext;
import org.junit.platform.engine.support.hierarchical.Node;

/** The class of a {@link CrashTest}, which has a test for each fault. */
final class CrashTestDescriptor extends AbstractTestDescriptor
    implements Node<CrashTestDescriptor.Context> {
  static final String SEGMENT = "class";

  private final Class<?> type;

  /** There is nothing to hand on. */
  record Context() implements EngineExecutionContext {}

  CrashTestDescriptor(UniqueId parent, Class<?> type) {
    super(parent.append(SEGMENT, type.getName()), type.getSimpleName(), ClassSource.from(type));
    this.type = type;
    CrashTestRun run =
        new CrashTestRun(
            type, AnnotationSupport.findAnnotation(type, CrashTest.class).orElseThrow());
    run.faults().forEach(fault -> addChild(new OfFault(getUniqueId(), run, fault)));
  }

  @Override
  public Type getType() {
    return Type.CONTAINER;
  }

  @Override
  public Set<TestTag> getTags() {
    return AnnotationSupport.findRepeatableAnnotations(type, Tag.class).stream()
        .map(tag -> TestTag.create(tag.value()))
        .collect(toUnmodifiableSet());
  }

  @Override
  public SkipResult shouldBeSkipped(Context context) {
    return AnnotationSupport.findAnnotation(type, Disabled.class)
        .map(disabled -> SkipResult.skip(disabled.value()))
        .orElseGet(SkipResult::doNotSkip);
  }

  /** One fault. */
  static final class OfFault extends AbstractTestDescriptor implements Node<Context> {
    static final String SEGMENT = "fault";

    private final CrashTestRun run;
    private final Fault fault;

    OfFault(UniqueId parent, CrashTestRun run, Fault fault) {
      super(parent.append(SEGMENT, fault.word()), fault.word(), ClassSource.from(run.type()));
      this.run = run;
      this.fault = fault;
    }

    @Override
    public Type getType() {
      return Type.TEST;
    }

    /** Those of its class, as filters look at tests. */
    @Override
    public Set<TestTag> getTags() {
      return getParent().map(TestDescriptor::getTags).orElseThrow();
    }

    @Override
    public SkipResult shouldBeSkipped(Context context) {
      String reason = FaultInjectors.unavailable(fault);
      return reason == null
          ? SkipResult.doNotSkip()
          : SkipResult.skip("needs more for the fault " + fault.word() + ": " + reason);
    }

    @Override
    public Context execute(Context context, DynamicTestExecutor executor) throws Exception {
      ProgramResult result = run.inject(fault);
      if (!ProgramResult.isDemanded(fault) && result.broken().isEmpty()) {
        throw new AssertionError(
            "no program withstands %s, but check saw nothing in %d rounds: let it look closer"
                .formatted(fault.word(), result.rounds().size()));
      }
      if (result.isFailure()) {
        throw new AssertionError(message(result));
      }
      return context;
    }

    private String message(ProgramResult result) {
      FaultResult.Broken first =
          Collections.min(result.broken(), Comparator.comparingInt(FaultResult.Broken::rounds));
      String outside =
          result.outside().stream()
              .map(file -> "\n  open for writing outside of the directory: " + file)
              .collect(joining());
      return "%s: wrong in %d of %d rounds: %s: %s%s%s\n  repeat it: @CrashTest(replay = \"%s\")"
          .formatted(
              fault.word(),
              result.broken().size(),
              result.rounds().size(),
              first.finding().kind(),
              first.finding().detail(),
              first.evidence().stream().map(line -> "\n  not synced: " + line).collect(joining()),
              outside,
              first.replay());
    }
  }
}
