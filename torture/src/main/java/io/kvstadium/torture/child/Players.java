package io.kvstadium.torture.child;

import io.kvstadium.store.Capability;
import io.kvstadium.store.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Processes in another language, which play traces; see {@code docs/internals/player-protocol.md}.
 *
 * @param command starts one
 * @param capabilities of the engine that it uses
 */
public record Players(List<String> command, Collection<Capability> capabilities)
    implements Children {
  public Players {
    command = List.copyOf(command);
    // players load only into empty stores
    capabilities = capabilities.stream().filter(each -> each != Capability.BULK_LOAD).toList();
  }

  @Override
  public Child start(
      Path home, List<String> prefix, Role role, WorkerArguments arguments, long[] start)
      throws IOException {
    Path log = home.resolve("child.log");
    Path temporary = Files.createTempDirectory(home, "tmp-"); // beyond the reach of faults
    PlayerChild.Work work =
        role == Role.CHECKER
            ? new PlayedCheck(arguments, temporary)
            : arguments.all().containsKey("plan")
                ? new PlayedPlan(arguments, temporary)
                : (tasks, _) -> tasks.awaitClose();
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    all.add("play");
    StoreUrl url = StoreUrl.parse(arguments.get("url"));
    List<String> can = capabilities.stream().map(Capability::name).toList();
    PlayerChild link = new PlayerChild(url, log, can, work);
    return new Child(log, temporary, Shell.apart(all), link, start);
  }

  @Override
  public boolean endAtErrors() {
    return true;
  }
}
