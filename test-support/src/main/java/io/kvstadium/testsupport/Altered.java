package io.kvstadium.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Objects that are like others but for one method. */
public final class Altered {
  private Altered() {}

  /**
   * An object that gives another answer to one method, whatever its arguments.
   *
   * @param type an interface
   */
  public static <T> T of(Class<T> type, T whole, String altered, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              if (method.getName().equals(altered)) {
                return answer;
              }
              try {
                return method.invoke(whole, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
