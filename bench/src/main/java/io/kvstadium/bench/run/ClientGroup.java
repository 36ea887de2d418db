package io.kvstadium.bench.run;

import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The processes of a trial with several clients. Merges what they report into one result. */
final class ClientGroup implements AutoCloseable {
  private final TrialPlan plan;
  private final ClientHosts hosts;
  private final Consumer<Message> listener;
  private final List<TrialProcess> processes = new ArrayList<>();
  private final List<Message.@Nullable Done> done = new ArrayList<>();

  /**
   * @param listener receives the first one's progress
   */
  ClientGroup(TrialPlan plan, ClientHosts hosts, Consumer<Message> listener) {
    this.plan = plan;
    this.hosts = hosts;
    this.listener = listener;
  }

  void add(TrialProcess process) {
    processes.add(process);
    done.add(null);
  }

  List<TrialProcess> processes() {
    return processes;
  }

  /** Runs the trial in all of them, to its end. */
  Message.Done run() throws IOException {
    Rendezvous rendezvous =
        new Rendezvous(
            processes.size(), (client, said) -> processes.get(client).send(said), System::nanoTime);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < processes.size(); i++) {
      int client = i;
      threads.add(
          Thread.ofPlatform()
              .name("client " + (client + 1))
              .start(() -> rendezvous.ended(client, listen(client, rendezvous))));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    String failure = rendezvous.failure();
    List<Message.Done> all = done.stream().filter(Objects::nonNull).toList();
    if (failure != null) {
      return new Message.Done(TrialResult.failed(plan.number(), plan.seed(), failure), Map.of());
    }
    return new Message.Done(
        MergedClients.of(
            all.stream().map(Message.Done::result).toList(), rendezvous.windows(), names()),
        all.getFirst().data());
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < processes.size() && !hosts.areHere(); i++) {
      names.add(hosts.name(i));
    }
    return names;
  }

  /** Why a client failed, or {@code null} if it did not. */
  private @Nullable String listen(int client, Rendezvous rendezvous) {
    TrialProcess process = processes.get(client);
    String where = where(client);
    process.send(plan);
    if (processes.size() > 1) {
      process.send(client);
    }
    Message last;
    try (process) {
      last =
          process.listen(
              Message.Done.class,
              Message.Hello.class,
              message -> hear(client, rendezvous, message),
              () -> {});
      if (last instanceof Message.Hello hello) {
        if (!hello.worker().equals(hosts.stadium())) {
          process.kill();
          return where
              + "Stadium "
              + hello.worker()
              + " is there, and this is "
              + hosts.stadium()
              + ": install the same version on all hosts";
        }
        last =
            process.listen(
                Message.Done.class,
                Message.Done.class,
                message -> hear(client, rendezvous, message),
                () -> {});
      }
    } catch (IOException | RuntimeException e) {
      return where + e.getMessage();
    }
    if (last instanceof Message.Done own) {
      done.set(client, own);
      String failure = own.result().failure();
      return failure == null ? null : where + failure;
    }
    try {
      return where + process.lastWords();
    } catch (IOException e) {
      return where + e;
    }
  }

  private String where(int client) {
    return hosts.areHere() ? "" : "on " + hosts.name(client) + ": ";
  }

  private void hear(int client, Rendezvous rendezvous, Message message) {
    switch (message) {
      case Message.Arrived(String step, String why, long ran)
          when step.equals(Message.Arrived.FAILED) ->
          rendezvous.arrived(client, new Message.Arrived(step, where(client) + why, ran));
      case Message.Arrived arrived -> rendezvous.arrived(client, arrived);
      case Message.Begun begun -> rendezvous.begun(client, begun);
      case Message.Progress _ when client == 0 -> listener.accept(message);
      default -> {
        // only the progress of one is shown
      }
    }
  }

  /** Ends those that are still running. */
  @Override
  public void close() {
    processes.forEach(TrialProcess::kill);
  }
}
