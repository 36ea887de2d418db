package io.kvstadium.cli.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this program. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"stadium " + number() + " (Java " + Runtime.version() + ")"};
  }

  public static String number() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing from the program");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new IllegalStateException("version.properties cannot be read", e);
    }
    return properties.getProperty("version");
  }
}
