package io.kvstadium.engine.ignite;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Swallows what the client would print. The caller gets errors as exceptions. */
record QuietLog(String name) implements System.Logger {
  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean isLoggable(Level level) {
    return false;
  }

  @Override
  public void log(
      Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {}

  @Override
  public void log(
      Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {}
}
