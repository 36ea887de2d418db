package io.kvstadium.transfer.source;

/** Keeps passwords in URLs out of what is shown or stored. */
public final class Passwords {
  private Passwords() {}

  /** A place or an argument without the passwords of a URL in it. */
  public static String masked(String place) {
    return place.contains("jdbc:") || place.contains("://") ? without(place) : place;
  }

  /** A text without the passwords of URLs. */
  public static String without(String text) {
    return text.replaceAll("(?i)((?:password|passwd|pwd)=)[^&;\\s]*", "$1…")
        .replaceAll("(//[^/@:\\s]*:)[^/\\s]*@", "$1…@")
        .replaceAll("(:thin:[^/@\\s]*/)[^\\s]*@", "$1…@");
  }
}
