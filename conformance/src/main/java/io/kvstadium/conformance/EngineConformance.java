package io.kvstadium.conformance;

/**
 * What every engine must pass; extended by an engine's module in a few lines, see the package's
 * page.
 */
public abstract class EngineConformance extends VariantConformance
    implements TransactionConflictTests,
        ReadBesideTests,
        LifetimeTests,
        InterruptTests,
        WaitingTests,
        BackupTests,
        OptionTests,
        MemoryTests,
        FailedWriteTests,
        DamageTests,
        KillTests {
  /** For subclasses. */
  protected EngineConformance() {}

  /**
   * Whether an interrupt may arrive while a thread is inside the engine, as opened by {@link #url}.
   * False only for an engine whose makers forbid it; its notes must say so.
   */
  @Override
  public boolean standsInterruptsDuringCalls() {
    return true;
  }

  /**
   * Whether a store of {@link #url} that is open read-only beside a writer shows each of the
   * writer's commits on its own.
   */
  @Override
  public boolean readersSeeEachCommit() {
    return false;
  }
}
