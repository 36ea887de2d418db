package io.kvstadium.conformance;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.ReadGuarantee;
import io.kvstadium.store.ReadView;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Steps of a careless program in {@code read} blocks, and with what is kept of their views. */
final class MisuseViews {
  private MisuseViews() {}

  static void read(Misuser m) {
    if (m.oneIn(3)) {
      leak(m);
    } else {
      m.strictly(() -> keep(m));
    }
  }

  /** Others get hold of the view: then they may spoil it, and in turn find it closed. */
  private static void leak(Misuser m) {
    Map<String, Long> dropped = m.shared().dropped();
    m.store()
        .read(view -> {
          Lost.LostView lost = new Lost.LostView(view, new ConcurrentHashMap<>(), dropped);
          m.lost().add(lost, m.random);
          for (int i = m.random.nextInt(4); i >= 0; i--) {
            MisuseHandles.read(m, lost);
            callInside(m);
          }
          return 0;
        });
  }

  /** What may be done outside may be done inside, including the close of the store. */
  private static void callInside(Misuser m) {
    switch (m.random.nextInt(6)) {
      case 0 -> MisuseSteps.write(m);
      case 1 -> {
        if (m.can(Capability.TRANSACTION)) {
          MisuseTransaction.run(m);
        }
      }
      case 2 -> {
        if (m.can(Capability.BATCH)) {
          MisuseBlocks.batch(m);
        }
      }
      case 3 -> {
        if (m.oneIn(50)) {
          m.shared().closeAndOpen(m.random);
        }
      }
      default -> {}
    }
  }

  /** Keeps parts of the view beyond the block, and finds them closed there. */
  private static void keep(Misuser m) {
    Table table = m.store().table();
    ReadGuarantee guarantee =
        m.can(Capability.SNAPSHOT) ? ReadGuarantee.SNAPSHOT : ReadGuarantee.LATEST;
    @Nullable Cursor[] cursor = new Cursor[1];
    ReadView kept =
        m.store()
            .read(view -> {
              if (view.guarantee() != guarantee) {
                throw new WrongAnswer("the guarantee of a view is " + view.guarantee());
              }
              readOwn(m, view.on(table));
              if (m.can(Capability.SCAN)) {
                cursor[0] = view.on(table).scan(Range.all());
                MisuseHandles.walk(m, cursor[0], Store.DEFAULT_TABLE, Map.of(), 3);
              }
              if (m.oneIn(8)) {
                throw new Misuser.OnPurpose();
              }
              return view;
            });
    demandOver(() -> kept.on(table).get(m.anyKey()));
    Cursor last = cursor[0];
    if (last != null) {
      demandOver(last::next);
      last.close();
    }
  }

  private static void readOwn(Misuser m, TableReader reader) {
    for (int i = 0; i < 3; i++) {
      int entry = m.random.nextInt(OwnEntries.COUNT);
      m.checkOwn("in a view", entry, reader.get(m.own.key(entry)));
    }
    OwnWalk.any(m, reader, m.own.copy());
  }

  private static void demandOver(Runnable call) {
    try {
      call.run();
    } catch (ClosedException e) {
      return;
    }
    throw new WrongAnswer("a view answers after its block");
  }
}
