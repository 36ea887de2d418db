package io.kvstadium.store.internal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says why a file could not be used; the JDK often says so only by an exception's class. */
public final class Why {
  private Why() {}

  public static String of(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file or directory";
      case FileSystemException system when system.getReason() != null -> system.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
