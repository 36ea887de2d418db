package io.kvstadium.conformance;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an engine must pass with a second set of options, if it passes {@link EngineConformance}
 * with a first one: what its stores do with entries. What depends on the engine's handles (closing,
 * interrupts, kills) is not tested again; if the options affect that too, extend {@link
 * EngineConformance}.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("exports") // of the extension, which is for JUnit only
@ExtendWith(FailureMessage.class)
public abstract class VariantConformance
    implements DeclarationTests,
        SizeTests,
        ConcurrencyTests,
        IsolationTests,
        TableTests,
        OpenTests,
        RandomTests {
  static {
    // Each lost handle must be reported; read once, when the first handle is made.
    if (System.getProperty("stadium.leaks") == null) {
      System.setProperty("stadium.leaks", "always");
    }
  }

  @TempDir @Nullable Path directory;
  private @Nullable Stage stage;

  /** For subclasses. */
  protected VariantConformance() {}

  /**
   * Returns the URL of a store in this directory, with the options that the engine is tested with.
   * Called for several directories. The tests themselves set only {@code durability}, in the tests
   * that are about it.
   *
   * @param directory does not exist yet; its parent does. An engine that keeps no files ignores it.
   */
  protected abstract String url(Path directory);

  /**
   * Why the engine cannot be tested on this machine, or {@code null}. For an engine that needs
   * something installed, by {@link io.kvstadium.store.engine.Engine#unavailable()}: its tests are
   * then skipped. What an engine ships itself must work, so other engines should not override this.
   */
  protected @Nullable String unavailable() {
    return null;
  }

  @BeforeEach
  final void prepareStage() {
    String reason = unavailable();
    Assumptions.assumeTrue(reason == null, "needs: " + reason);
    if (directory == null) {
      throw new IllegalStateException("JUnit has set no temporary directory");
    }
    stage = new Stage(getClass(), this::url, directory);
  }

  @AfterEach
  final void clearStage() {
    if (stage != null) {
      stage.close();
    }
  }

  @Override
  @SuppressWarnings("exports") // of JUnit's methods, public by an interface of this package
  public final Stage stage() {
    if (stage == null) {
      throw new IllegalStateException("only inside a test");
    }
    return stage;
  }
}
