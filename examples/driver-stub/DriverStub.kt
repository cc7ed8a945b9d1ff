// A driver for an app's own player, in one file, for the JVM: `kotlinc DriverStub.kt -include-runtime -d driver-stub.jar`
// and `segue regress film.mp4 --player "java -jar driver-stub.jar"`. docs/drivers.md describes the protocol. On a phone,
// the same lines pass through a socket that `adb forward` forwards: pass its streams to Teller and drive, and use
// `--player "nc 127.0.0.1 PORT"`. Replace the end of the file.

import java.io.BufferedReader
import java.io.OutputStream
import java.util.concurrent.Callable
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import kotlin.math.max
import kotlin.math.min
import kotlin.system.exitProcess

// Output

/** Writes lines in the order of their time, from any thread. */
class Teller(private val output: OutputStream) {
    private var latest = clock()

    companion object {
        /** The driver's clock in seconds; it must not jump. */
        fun clock(): Double = System.nanoTime() / 1e9
    }

    /** Reports an event, now or at an earlier time. */
    fun tell(kind: String, vararg fields: Pair<String, Any>, at: Double = clock()) =
        write(mapOf("kind" to kind) + fields, at)

    /** Reports the state between events. */
    fun state(position: Double, rate: Double) =
        write(mapOf("state" to mapOf("position" to position, "rate" to rate)), clock())

    /** Identifies the driver. */
    fun greet(player: String, can: List<String>, tells: List<String>) =
        write(mapOf("driver" to 1, "player" to player, "clock" to latest, "can" to can, "tells" to tells), null)

    /** Responds to a command: accepted, or the reason for the refusal. */
    fun answer(id: Int, cannot: String?) =
        write(if (cannot == null) mapOf("id" to id) else mapOf("id" to id, "cannot" to cannot), null)

    @Synchronized
    private fun write(line: Map<String, Any>, at: Double?) {
        latest = max(latest, at ?: latest)
        val whole = if (at == null) line else line + ("t" to latest)
        output.write((json(whole) + "\n").toByteArray())
        output.flush()
    }

    private fun json(value: Any?): String = when (value) {
        is Map<*, *> -> value.entries.joinToString(",", "{", "}") { json(it.key.toString()) + ":" + json(it.value) }
        is List<*> -> value.joinToString(",", "[", "]") { json(it) }
        is Number, is Boolean -> value.toString()
        else -> "\"" + value.toString().map { if (it < ' ' || it == '"' || it == '\\') "\\u%04x".format(it - '\u0000') else it.toString() }
            .joinToString("") + "\""
    }
}

// Commands

/** An item under the name that Segue gave it. */
data class Item(val name: String, val url: String)

/** A player that Segue controls. All calls are on one thread. */
interface DrivenPlayer {
    /** The player's name and version. */
    val name: String

    /** Appends items; if the queue was empty, the first one starts to load. */
    fun open(more: List<Item>)
    fun play()
    fun pause()
    fun setRate(rate: Double)
    fun seek(seconds: Double)

    /** Advances to the next item. */
    fun next()
    fun removeAll()

    /** Releases everything within 5 s. */
    fun quit()
}

private val text = { name: String -> Regex("\"$name\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"") }
private val number = { name: String -> Regex("\"$name\"\\s*:\\s*(-?[0-9.]+(?:[eE][-+]?[0-9]+)?)") }

/** Reads commands until the end of the input, and runs them on the thread of `call`. */
fun drive(player: DrivenPlayer, input: BufferedReader, teller: Teller, call: (() -> Unit) -> Unit) {
    while (true) {
        val line = input.readLine() ?: break
        val id = number("id").find(line)?.groupValues?.get(1)?.toInt()
        val name = text("do").find(line)?.groupValues?.get(1)
        if (id == null || name == null) {
            System.err.println("driver: not a command: " + line.take(120))
            exitProcess(1)
        }
        call { teller.answer(id, carryOut(name, line, player)) }
        if (name == "quit") return
    }
    call { player.quit() }
}

/** Runs a command; returns the reason if it is impossible, otherwise null. Reads only JSON as Segue writes it. */
private fun carryOut(name: String, line: String, player: DrivenPlayer): String? {
    when (name) {
        "open" -> {
            val names = text("item").findAll(line).map { it.groupValues[1] }
            val urls = text("url").findAll(line).map { it.groupValues[1] }
            player.open(names.zip(urls) { item, url -> Item(item, url) }.toList())
        }
        "play" -> player.play()
        "pause" -> player.pause()
        "rate" -> player.setRate(number("rate").find(line)?.groupValues?.get(1)?.toDouble() ?: return "it is not told how fast")
        "seek" -> player.seek(number("to").find(line)?.groupValues?.get(1)?.toDouble() ?: return "it is not told where to")
        "next" -> player.next()
        "remove-all" -> player.removeAll()
        "quit" -> player.quit()
        else -> return "it is no command of this player's"
    }
    return null
}

// Replace this

/**
 * A simulated player: each item is a minute of audio, and ready immediately. Replace it with your own player: call the player
 * where this one only computes, and report events when they happen, not when they are requested.
 */
class PretendPlayer(private val teller: Teller) : DrivenPlayer {
    override val name = "a player that only pretends"
    private val length = 60.0
    private val items = mutableListOf<Item>()
    private var isWanted = false
    private var rate = 1.0

    /** The last fixed position, and the start of the movement since then; null if it does not move. */
    private var place = 0.0
    private var since: Double? = null
    private var status = ""

    private val position: Double
        get() = min(length, place + (since?.let { (Teller.clock() - it) * rate } ?: 0.0))

    override fun open(more: List<Item>) {
        val isFirst = items.isEmpty()
        items += more
        if (isFirst && items.isNotEmpty()) load()
    }

    override fun play() {
        if (isWanted) return
        isWanted = true
        teller.tell("player.rate", "rate" to rate, "reason" to "command")
        begin()
    }

    override fun pause() {
        end("command")
        isWanted = false
        teller.tell("player.rate", "rate" to 0, "reason" to "command")
        setStatus("paused")
    }

    override fun setRate(rate: Double) {
        end("rate")
        this.rate = rate
        if (isWanted) teller.tell("player.rate", "rate" to rate, "reason" to "command")
        begin()
    }

    override fun seek(seconds: Double) {
        val item = items.firstOrNull() ?: return
        end("seek")
        teller.tell("seek.began", "item" to item.name, "target" to seconds, "toleranceBefore" to 0, "toleranceAfter" to 0)
        place = max(0.0, min(length, seconds))
        teller.tell("item.timeJumped", "item" to item.name, "position" to place)
        teller.tell("seek.ended", "item" to item.name, "position" to place, "isFinished" to true)
        begin()
    }

    override fun next() {
        if (items.isEmpty()) return
        end("advance")
        advance("advance")
    }

    override fun removeAll() {
        end("remove")
        for (item in items) teller.tell("queue.removed", "item" to item.name, "reason" to "remove")
        items.clear()
        setStatus(if (isWanted) "waiting" else "paused", "noItemToPlay")
    }

    override fun quit() {}

    /** Runs a few times per second: reports the state, and detects the end of the item. */
    fun look() {
        val item = items.firstOrNull() ?: return
        teller.state(position, if (since == null) 0.0 else rate)
        if (since == null || position < length) return
        end("end")
        teller.tell("item.playedToEnd", "item" to item.name)
        advance("played to its end")
    }

    private fun load() {
        place = 0.0
        val item = items[0].name
        teller.tell("item.loading", "item" to item)
        teller.tell("item.tracksKnown", "item" to item, "hasVideo" to false, "hasAudio" to true)
        teller.tell("item.readyToPlay", "item" to item, "duration" to length)
        begin()
    }

    private fun begin() {
        if (!isWanted) return setStatus("paused")
        val item = items.firstOrNull() ?: return setStatus("waiting", "noItemToPlay")
        setStatus("playing")
        teller.tell("sound.began", "item" to item.name, "position" to place)
        since = Teller.clock()
    }

    private fun end(reason: String) {
        val item = items.firstOrNull()
        if (since == null || item == null) return
        place = position
        since = null
        teller.tell("sound.ended", "item" to item.name, "position" to place, "reason" to reason)
    }

    private fun advance(reason: String) {
        teller.tell("queue.removed", "item" to items.removeAt(0).name, "reason" to reason)
        val item = items.firstOrNull()
        if (item == null) {
            teller.tell("queue.emptied", "reason" to reason)
            return setStatus(if (isWanted) "waiting" else "paused", "noItemToPlay")
        }
        teller.tell("queue.current", "item" to item.name)
        load()
    }

    private fun setStatus(status: String, waitingFor: String = "") {
        if (status == this.status) return
        this.status = status
        teller.tell("player.timeControl", "status" to status, "waitingFor" to if (status == "waiting") waitingFor else "")
    }
}

fun main() {
    val teller = Teller(System.out)
    val player = PretendPlayer(teller)
    teller.greet(player.name, listOf("open", "play", "pause", "rate", "seek", "next", "remove-all"), listOf("sound"))
    val thread = Executors.newSingleThreadScheduledExecutor()
    thread.scheduleAtFixedRate(player::look, 100, 100, TimeUnit.MILLISECONDS)
    drive(player, System.`in`.bufferedReader(), teller) { act ->
        try {
            thread.submit(Callable { act() }).get()
        } catch (failure: ExecutionException) {
            System.err.println("driver: " + failure.cause)
            exitProcess(1)
        }
    }
    exitProcess(0)
}
