package io.kvstadium.bench.suite;

import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An engine with its options.
 *
 * @param name unique in its experiment
 * @param engine its name
 * @param options of the engine, by name
 * @param reopen options besides, for the phases that open the store themselves ({@link
 *     Operation#OPEN_GET}): {@code read_only}, say
 * @param durability the level asked for
 * @param access how the phases use it
 * @param location where the store is, as in URLs, if that is not a directory of the trial's own;
 *     otherwise empty
 * @param group only configurations of the same group are compared with one another
 * @param language that its trials run in: {@link #JAVA}, or that of a worker
 * @param clients how many processes use the store at once
 */
public record Configuration(
    String name,
    String engine,
    Map<String, String> options,
    Map<String, String> reopen,
    Durability durability,
    Access access,
    String location,
    String group,
    String language,
    int clients) {
  /** That of this program. */
  public static final String JAVA = "java";

  /** In Java. */
  public Configuration(
      String name,
      String engine,
      Map<String, String> options,
      Map<String, String> reopen,
      Durability durability,
      Access access,
      String location,
      String group) {
    this(name, engine, options, reopen, durability, access, location, group, JAVA, 1);
  }

  /** In a directory of the trial's own. */
  public Configuration(
      String name,
      String engine,
      Map<String, String> options,
      Durability durability,
      Access access,
      String group) {
    this(name, engine, options, Map.of(), durability, access, "", group);
  }

  /** Whether a location has a user's password in it, which reports would show. */
  public static boolean hasPassword(String location) {
    return location.matches("//[^/@]*:[^/@]*@.*");
  }

  /** How phases use a store. */
  public enum Access {
    /** Each operation on its own. */
    SINGLE,
    /** Each phase in one pessimistic transaction, reads too. */
    TRANSACTION,
    /** All writes of a phase in one atomic batch; reads on their own. */
    BATCH,
    /**
     * No engine: entries are written to a plain file, which is synced once at the end. What loads
     * are held against; the engine's name is not looked at.
     */
    FILE,
    /** The engine's own API, by hand: its {@link io.kvstadium.bench.trial.Baseline}. */
    RAW;

    /** The word in suite files. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What is opened.
   *
   * @param directory where the store lies, unless this names another location; {@code …} in reports
   */
  public StoreUrl url(String directory) {
    return new StoreUrl(engine, location.isEmpty() ? directory : location, options)
        .with("durability", durability.word());
  }

  /** At another level. */
  public Configuration withDurability(Durability level) {
    return new Configuration(
        name, engine, options, reopen, level, access, location, group, language, clients);
  }

  /** Used in another way. */
  public Configuration withAccess(Access other) {
    return new Configuration(
        name, engine, options, reopen, durability, other, location, group, language, clients);
  }

  /** Compared with others. */
  public Configuration inGroup(String other) {
    return new Configuration(
        name, engine, options, reopen, durability, access, location, other, language, clients);
  }

  /** With other options. */
  public Configuration withOptions(Map<String, String> others) {
    return new Configuration(
        name, engine, others, reopen, durability, access, location, group, language, clients);
  }

  /** With its store in another place. */
  public Configuration at(String place) {
    return new Configuration(
        name, engine, options, reopen, durability, access, place, group, language, clients);
  }

  /** Used by so many clients, which its name then says. */
  public Configuration by(int count) {
    String title = name + ", " + count + (count == 1 ? " client" : " clients");
    return new Configuration(
        title, engine, options, reopen, durability, access, location, group, language, count);
  }

  /** In a language, which its name then says. */
  public Configuration in(String other) {
    String title = name + " (" + other + ")";
    return new Configuration(
        title, engine, options, reopen, durability, access, location, group, other, clients);
  }

  /** With the options for phases that open the store themselves. */
  public Configuration reopened() {
    Map<String, String> all = new LinkedHashMap<>(options);
    all.putAll(reopen);
    return withOptions(all);
  }
}
