package io.kvstadium.kotlin

import io.kvstadium.store.codec.Codec
import io.kvstadium.store.Entry
import io.kvstadium.store.Range
import io.kvstadium.store.Store
import io.kvstadium.store.Table
import io.kvstadium.store.TableReader
import java.time.Instant
import java.util.UUID
import kotlin.reflect.KClass

/**
 * Opens a table by the types of its keys and values, which must have a [codec]:
 *
 * ```
 * Stadium.open("rocksdb:data/app").use { store ->
 *   val visits = store.table<String, Long>("visits")
 *   visits.increment("home", 1)
 * }
 * ```
 */
public inline fun <reified K : Any, reified V : Any> Store.table(name: String): Table<K, V> =
    table(name, codec<K>(), codec<V>())

/** The library's codec for a type. For other types use [Codec.map], [Codec.record] or your own codec. */
public inline fun <reified T : Any> codec(): Codec<T> = codec(T::class)

/**
 * See the other [codec].
 *
 * @throws IllegalArgumentException if the library has no codec for the type
 */
@Suppress("UNCHECKED_CAST")
public fun <T : Any> codec(type: KClass<T>): Codec<T> =
    when (type) {
      String::class -> Codec.STRING
      ByteArray::class -> Codec.BYTES
      Boolean::class -> Codec.BOOLEAN
      Int::class -> Codec.INT
      Long::class -> Codec.LONG
      Double::class -> Codec.DOUBLE
      UUID::class -> Codec.UUID
      Instant::class -> Codec.INSTANT
      else ->
          throw IllegalArgumentException(
              "there is no codec for ${type.java.name}: make one with Codec.map or Codec.record, and pass it to table(name, keys, values)"
          )
    }
        as Codec<T>

/** `table[key] = value` */
public operator fun <K : Any, V : Any> Table<K, V>.set(key: K, value: V): Unit = put(key, value)

/** `table -= key` */
public operator fun <K : Any, V : Any> Table<K, V>.minusAssign(key: K): Unit = delete(key)

/** `val (key, value) = entry` */
public operator fun <K : Any> Entry<K, *>.component1(): K = key

/** See [component1]. */
public operator fun <V : Any> Entry<*, V>.component2(): V = value

/**
 * Passes the entries of a range to [block] as a lazy sequence, which can be iterated once and only inside the block;
 * then closes the scan.
 */
public inline fun <K : Any, V : Any, R> TableReader<K, V>.scan(
    range: Range<K>,
    block: (Sequence<Entry<K, V>>) -> R,
): R = scan(range).use { cursor -> block(cursor.iterator().asSequence()) }
