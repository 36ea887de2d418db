package io.kvstadium.bench.machine;

import io.kvstadium.bench.machine.Check.Grade;
import java.util.ArrayList;
import java.util.List;

/** Collects the checks of one topic. */
final class Checks {
  private final String topic;
  private final List<Check> list = new ArrayList<>();

  Checks(String topic) {
    this.topic = topic;
  }

  void ok(String name, String found) {
    list.add(new Check(topic, name, Grade.OK, found, ""));
  }

  void note(String name, String found, String advice) {
    list.add(new Check(topic, name, Grade.NOTE, found, advice));
  }

  void warn(String name, String found, String advice) {
    list.add(new Check(topic, name, Grade.WARNING, found, advice));
  }

  List<Check> list() {
    return List.copyOf(list);
  }
}
