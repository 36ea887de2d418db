package io.kvstadium.server.protocol;

/** Redis' patterns over bytes: {@code *}, {@code ?}, {@code [a-z]}, {@code [^a]}, {@code \}. */
public final class Glob {
  private final byte[] pattern;

  public Glob(byte[] pattern) {
    this.pattern = pattern;
  }

  /** Whether it matches everything. */
  public boolean all() {
    return pattern.length == 1 && pattern[0] == '*';
  }

  /** The common prefix of everything that it matches. */
  public byte[] prefix() {
    int end = 0;
    while (end < pattern.length
        && pattern[end] != '*'
        && pattern[end] != '?'
        && pattern[end] != '['
        && pattern[end] != '\\') {
      end++;
    }
    return java.util.Arrays.copyOf(pattern, end);
  }

  /** Whether it matches a whole text. Takes at most time proportional to both lengths' product. */
  public boolean matches(byte[] text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int mark = 0;
    while (t < text.length) {
      if (p < pattern.length && pattern[p] == '*') {
        star = p++;
        mark = t;
        continue;
      }
      int next = p < pattern.length ? step(p, text[t]) : -1;
      if (next >= 0) {
        p = next;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++mark; // the star takes one more
      } else {
        return false;
      }
    }
    while (p < pattern.length && pattern[p] == '*') {
      p++;
    }
    return p == pattern.length;
  }

  /** Where the pattern continues if the element at {@code p} matches a byte, or -1. */
  private int step(int p, byte c) {
    return switch (pattern[p]) {
      case '?' -> p + 1;
      case '[' -> set(p + 1, c);
      case '\\' -> {
        int own = p + 1 < pattern.length ? p + 1 : p;
        yield pattern[own] == c ? own + 1 : -1;
      }
      default -> pattern[p] == c ? p + 1 : -1;
    };
  }

  private int set(int start, byte c) {
    int p = start;
    boolean not = p < pattern.length && pattern[p] == '^';
    p += not ? 1 : 0;
    boolean found = false;
    while (p < pattern.length && pattern[p] != ']') {
      if (pattern[p] == '\\' && p + 1 < pattern.length) {
        p++;
        found |= pattern[p] == c;
        p++;
      } else if (p + 2 < pattern.length && pattern[p + 1] == '-') {
        int low = Math.min(pattern[p] & 0xff, pattern[p + 2] & 0xff);
        int high = Math.max(pattern[p] & 0xff, pattern[p + 2] & 0xff);
        found |= (c & 0xff) >= low && (c & 0xff) <= high;
        p += 3;
      } else {
        found |= pattern[p] == c;
        p++;
      }
    }
    return found == not ? -1 : Math.min(p + 1, pattern.length);
  }
}
