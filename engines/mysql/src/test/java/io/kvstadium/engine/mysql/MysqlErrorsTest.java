package io.kvstadium.engine.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.engine.declare.Failure;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the server says, and what it means. */
class MysqlErrorsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          1005; Can't create table `s`.`kv_3` (errno: 135 "No more room in record file");            FULL
          1005; Can't create table `s`.`kv_3` (errno: 28 "No space left on device");                 FULL
          1005; Can't create table `s`.`kv_3` (errno: 150 "Foreign key constraint is incorrectly");  OTHER
          1026; Error writing file './s/kv_3.frm' (Errcode: 28 "No space left on device");           FULL
          1114; The table 'kv_3' is full;                                                            FULL
          1026; Error writing file './s/kv_3.frm' (Errcode: 5 "Input/output error");                 IO
          1213; Deadlock found when trying to get lock;                                              CONFLICT
          1406; Data too long for column 'v' at row 1;                                               ARGUMENT
          """)
  void callsFailForWhatTheServerSays(int code, String text, Failure.Kind kind) {
    Failure failure = MysqlErrors.of(new SQLException(text, "HY000", code), null);

    assertThat(Objects.requireNonNull(failure).kind()).isEqualTo(kind);
  }
}
