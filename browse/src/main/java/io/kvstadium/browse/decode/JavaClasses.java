package io.kvstadium.browse.decode;

import io.kvstadium.browse.decode.Decoder.Input;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Java serialization: the names of the classes, found without reading any object. */
final class JavaClasses {
  private static final int DESCRIPTION = 0x72; // TC_CLASSDESC
  private static final int MAX_NAME = 512;
  private static final Pattern NAME = Pattern.compile("\\[*L?[\\p{L}_$][\\w.$]*;?");

  private JavaClasses() {}

  static @Nullable String names(Input input) {
    byte[] bytes = input.bytes();
    if (!Decoders.starts(bytes, 0xac, 0xed, 0, 5)) {
      return null;
    }
    Set<String> names = new LinkedHashSet<>();
    for (int i = 4; i + 3 < bytes.length; i++) {
      int length = ((bytes[i + 1] & 0xff) << 8) | (bytes[i + 2] & 0xff);
      if (bytes[i] == DESCRIPTION
          && length > 0
          && length < MAX_NAME
          && i + 3 + length <= bytes.length) {
        String name = new String(bytes, i + 3, length, StandardCharsets.UTF_8);
        if (NAME.matcher(name).matches()) {
          names.add(name);
        }
      }
    }
    return "Java objects of " + (names.isEmpty() ? "no class" : String.join(", ", names));
  }
}
