package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between the repository's pages, and to its files, lead somewhere. */
class LinksTest {
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Set<String> BUILT = Set.of("target", "dist", "node_modules", "results");

  @Test
  void everyFileAndAnchorExists() throws IOException {
    List<String> dangling = new ArrayList<>();
    for (Path page : pages()) {
      for (String link :
          LINK.matcher(prose(page).replaceAll("`[^`]*`", ""))
              .results()
              .map(found -> found.group(1))
              .filter(address -> !address.matches("[a-z]+:.*"))
              .toList()) {
        if (!leadsSomewhere(page, link)) {
          dangling.add(Checkout.ROOT.relativize(page) + ": " + link);
        }
      }
    }
    assertThat(dangling).isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return parts.length == 1
        || !target.toString().endsWith(".md")
        || anchors(target).contains(parts[1]);
  }

  /** The names that GitHub gives to a page's headings. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    for (MatchResult heading : HEADING.matcher(prose(page)).results().toList()) {
      String name =
          heading
              .group(1)
              .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
              .replace(' ', '-');
      int again = 0;
      while (!anchors.add(again == 0 ? name : name + "-" + again)) {
        again++;
      }
    }
    return anchors;
  }

  private static String prose(Path page) throws IOException {
    return CODE.matcher(Files.readString(page)).replaceAll("");
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files =
        Files.find(
            Checkout.ROOT,
            12,
            (file, about) -> about.isRegularFile() && file.toString().endsWith(".md"))) {
      return files.filter(LinksTest::isSource).sorted().toList();
    }
  }

  /** Not what builds and runs have left in the checkout. */
  private static boolean isSource(Path file) {
    for (Path part : Checkout.ROOT.relativize(file)) {
      if (BUILT.contains(part.toString()) || part.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }
}
