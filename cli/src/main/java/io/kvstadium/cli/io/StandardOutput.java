package io.kvstadium.cli.io;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Standard output. It remembers why it could not be written, which a print stream does not. */
public final class StandardOutput extends FileOutputStream {
  private volatile @Nullable IOException failure;

  public StandardOutput() {
    super(FileDescriptor.out);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      super.write(bytes, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** What to tell the user; {@code null} if all was written, or as far as the reader wanted. */
  public @Nullable String failure() {
    IOException why = failure;
    return why == null || Output.isGone(why) ? null : Output.sentence(why);
  }
}
