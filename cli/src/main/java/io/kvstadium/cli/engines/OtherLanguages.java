package io.kvstadium.cli.engines;

import io.kvstadium.store.Engines;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The engines of players of other languages, which the first build of the launcher is without. */
public interface OtherLanguages {
  /** Language → names of its engines. */
  Map<String, List<String>> known();

  /**
   * The engines of a language, with all that is to be said of them; this may build its player.
   *
   * @throws io.kvstadium.store.BadArgumentException if there is no player for it
   */
  Engines engines(String language);

  /** {@code null} in a build without them. */
  static @Nullable OtherLanguages find() {
    try {
      Class<?> players = Class.forName("io.kvstadium.cli.engines.PlayerOptions");
      return (OtherLanguages) players.getDeclaredConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("players cannot be listed", e);
    }
  }
}
