package io.kvstadium.testing;

import io.kvstadium.torture.fault.Fault;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.platform.commons.annotation.Testable;

/**
 * A test whose work gets kills, power cuts and failing disks. The class has a constructor without
 * parameters and two methods, all of any visibility:
 *
 * <pre>{@code
 * @CrashTest(faults = {Fault.KILL, Fault.POWER}, rounds = 20)
 * class OrdersCrashTest {
 *   void work(Path directory, Acknowledged acknowledged) { … }
 *
 *   void check(Path directory, List<String> acknowledged) { … }
 * }
 * }</pre>
 *
 * <p>{@code work} runs in a process of its own, works in the directory, which is empty at first,
 * and reports each thing that it has acknowledged to its user. It may return. After each fault
 * {@code check} runs in another process, with all that was acknowledged so far, in order; it throws
 * if some of it is not there. More may be there, since a fault may have come before the report.
 * Then {@code work} goes on in the same directory, up to 12 times.
 *
 * <p>Each fault is a test. One that is not possible on this machine is skipped, with the reason. A
 * failure says what was lost, what was not synced if the fault knows that, and what repeats it.
 * {@link org.junit.jupiter.api.Tag @Tag} and {@link org.junit.jupiter.api.Disabled @Disabled} on
 * the class are heeded; nothing else of JUnit Jupiter is.
 */
@Documented
@Testable
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface CrashTest {
  /**
   * What is done to the work, each with rounds of its own. No program withstands {@code LIE} and
   * {@code FLIP}: they fail if {@code check} sees nothing.
   */
  Fault[] faults() default {Fault.KILL, Fault.POWER};

  /** How often, for each fault. */
  int rounds() default 20;

  /** How many seconds to wait for the first acknowledgement, and for {@code check}. */
  int patience() default 60;

  /** Of all that is random; 0 for another one in each run. */
  long seed() default 0;

  /** The line of a failure, to repeat this one alone. */
  String replay() default "";
}
