package io.kvstadium.bench.suite;

import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An engine with its options.
 *
 * @param name unique in its experiment
 * @param engine the engine's name
 * @param options of the engine, by name
 * @param reopen additional options for the phases that open the store themselves ({@link
 *     Operation#OPEN_GET}), such as {@code read_only}
 * @param durability the level asked for
 * @param access how the phases use it
 * @param location where the store is, as in URLs, if it is not in the trial's own directory;
 *     otherwise empty
 * @param group only configurations of the same group are compared with one another
 * @param language the language of its trials: {@link #JAVA}, or that of a player
 * @param jvm options of the Java virtual machine that runs its trials, such as {@code -XX:+UseZGC}
 * @param folders of its engine, separated as in a class path, if it is an earlier version than the
 *     run's; otherwise {@code null}
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
    @Nullable List<String> jvm,
    @Nullable String folders) {
  private static final String BEFORE = " (before)";

  /** The language of this program. */
  public static final String JAVA = "java";

  /** Engines whose stores in a directory have a server of their own. */
  private static final Set<String> STARTS_SERVER = Set.of("mysql", "postgresql");

  public Configuration {
    jvm = jvm == null ? List.of() : List.copyOf(jvm); // results of earlier versions have none
  }

  @Override
  public List<String> jvm() {
    return jvm == null ? List.of() : jvm;
  }

  /** Makes one whose trials run in Java, with its store in the trial's own directory. */
  public Configuration(
      String name,
      String engine,
      Map<String, String> options,
      Durability durability,
      Access access,
      String group) {
    this(name, engine, options, Map.of(), durability, access, "", group, JAVA, List.of(), null);
  }

  /**
   * Whether another program serves its stores: a server that was named, or one that the engine
   * starts, which nothing declares.
   */
  public boolean hasServer() {
    return location.startsWith("//") || STARTS_SERVER.contains(engine);
  }

  /** Whether one that nobody names would start a server. */
  public static boolean startsServer(String engine) {
    return STARTS_SERVER.contains(engine);
  }

  /** Whether a location contains a user's password, which reports would show. */
  public static boolean hasPassword(String location) {
    return location.matches("//[^/@]*:[^/@]*@.*");
  }

  /** How phases use a store. */
  public enum Access {
    /** Each operation on its own. */
    SINGLE,
    /** Each phase in one pessimistic transaction, including reads. */
    TRANSACTION,
    /** All writes of a phase in one atomic batch; reads on their own. */
    BATCH,
    /** As {@link #SINGLE}, without the type marks of a binding; only in other languages. */
    RAW;

    /** The word in suite files. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the URL that is opened.
   *
   * @param directory where the store is, unless this names another location; {@code …} in reports
   */
  public StoreUrl url(String directory) {
    return new StoreUrl(engine, location.isEmpty() ? directory : location, options)
        .with("durability", durability.word());
  }

  /** Returns a copy with the given name. */
  public Configuration named(String other) {
    return new Configuration(
        other,
        engine,
        options,
        reopen,
        durability,
        access,
        location,
        group,
        language,
        jvm,
        folders);
  }

  public Configuration withDurability(Durability level) {
    return new Configuration(
        name, engine, options, reopen, level, access, location, group, language, jvm, folders);
  }

  public Configuration inGroup(String other) {
    return new Configuration(
        name, engine, options, reopen, durability, access, location, other, language, jvm, folders);
  }

  public Configuration withOptions(Map<String, String> others) {
    return new Configuration(
        name, engine, others, reopen, durability, access, location, group, language, jvm, folders);
  }

  /** Returns a copy with other options for the phases that open the store themselves. */
  public Configuration reopenedWith(Map<String, String> others) {
    return new Configuration(
        name, engine, options, others, durability, access, location, group, language, jvm, folders);
  }

  /** Returns a copy whose trials run with these options of the Java virtual machine. */
  public Configuration withJvm(List<String> flags) {
    return new Configuration(
        name,
        engine,
        options,
        reopen,
        durability,
        access,
        location,
        group,
        language,
        flags,
        folders);
  }

  /** Returns a copy with its store in the given location. */
  public Configuration at(String place) {
    return new Configuration(
        name, engine, options, reopen, durability, access, place, group, language, jvm, folders);
  }

  /** Returns a copy whose engine is in these folders: an earlier version to compare with. */
  public Configuration earlier(String others) {
    String both = name + BEFORE;
    return new Configuration(
        both, engine, options, reopen, durability, access, location, group, language, jvm, others);
  }

  /** Returns the copy of which this is the {@link #earlier} version, or this. */
  public Configuration later() {
    return folders == null ? this : named(name.substring(0, name.length() - BEFORE.length()));
  }

  /** Returns a copy in the given language, which is added to its name. */
  public Configuration in(String other) {
    String both = name + " (" + other + ")";
    return new Configuration(
        both, engine, options, reopen, durability, access, location, group, other, jvm, folders);
  }

  /** Returns a copy with the options for phases that open the store themselves. */
  public Configuration reopened() {
    Map<String, String> all = new LinkedHashMap<>(options);
    all.putAll(reopen);
    return withOptions(all);
  }
}
