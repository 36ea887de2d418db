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
        LostConnectionTests,
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
   * Ends all connections of the stores of {@link #url} on the server's side, as an administrator
   * does; returns false if they have none, or if that cannot be done.
   */
  @Override
  public boolean endConnections() throws Exception {
    return false;
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
