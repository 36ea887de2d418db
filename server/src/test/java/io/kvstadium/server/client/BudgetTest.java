package io.kvstadium.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.log.Log;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final class Client implements Budget.Holder {
    private final long unread;
    private boolean cut;

    Client(long unread) {
      this.unread = unread;
    }

    @Override
    public long bytes() {
      return unread;
    }

    @Override
    public long kept() {
      return 0;
    }

    @Override
    public long unread() {
      return unread;
    }

    @Override
    public String address() {
      return "client";
    }

    @Override
    public void cutOff() {
      cut = true;
    }
  }

  @Test
  void ofManyWhoDoNotReadAsManyAreCutOffAsItTakes() {
    Budget budget = new Budget(100, new Log(Log.Form.TEXT, InstantSource.system(), _ -> {}));
    List<Client> clients = new ArrayList<>();
    for (long unread : new long[] {1, 60, 60, 60, 60}) {
      Client client = new Client(unread);
      clients.add(client);
      budget.join(client);
      budget.changed(unread);
    }

    // 241 of 100: what three of them hold is enough, and comes back later
    assertThat(clients.stream().filter(each -> each.cut)).hasSize(3);
    assertThat(clients.getFirst().cut).isFalse();

    budget.changed(1);
    assertThat(clients.stream().filter(each -> each.cut)).hasSize(3);
  }
}
