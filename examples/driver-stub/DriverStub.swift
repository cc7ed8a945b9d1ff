// A driver for an app's own player, in one file: `swiftc -o driver-stub DriverStub.swift`, and
// `segue regress film.mp4 --player ./driver-stub`. docs/drivers.md describes the protocol. Replace the end of the file.

import Dispatch
import Foundation

// MARK: Output

/// Writes lines to standard output, in the order of their time, from any thread.
final class Teller: @unchecked Sendable {
    // The lock guards its only state.
    private let lock = NSLock()
    private var latest = Teller.clock

    /// The driver's clock in seconds; it must not jump.
    static var clock: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Reports an event, now or at an earlier time.
    func tell(_ kind: String, at moment: Double = Teller.clock, _ fields: [String: Any] = [:]) {
        write(fields.merging(["kind": kind]) { _, own in own }, at: moment)
    }

    /// Reports the state between events.
    func state(position: Double, rate: Double) {
        write(["state": ["position": position, "rate": rate]], at: Teller.clock)
    }

    /// Identifies the driver.
    func greet(_ player: String, can: [String], tells: [String]) {
        write(["driver": 1, "player": player, "clock": latest, "can": can, "tells": tells])
    }

    /// Responds to a command: accepted, or the reason for the refusal.
    func answer(_ id: Int, cannot: String? = nil) { write(cannot.map { ["id": id, "cannot": $0] } ?? ["id": id]) }

    private func write(_ line: [String: Any], at moment: Double? = nil) {
        lock.lock()
        defer { lock.unlock() }
        var line = line
        if let moment {
            latest = max(latest, moment)
            line["t"] = latest
        }
        guard let data = try? JSONSerialization.data(withJSONObject: line) else { return }
        FileHandle.standardOutput.write(data + [0x0A])
    }
}

// MARK: Commands

/// An item under the name that Segue gave it.
struct Item {
    let name: String
    let url: URL
}

/// A player that Segue controls.
///
/// All calls are on the main queue.
protocol DrivenPlayer: AnyObject {
    /// The player's name and version.
    var name: String { get }
    /// Appends items; if the queue was empty, the first one starts to load.
    func open(_ items: [Item])
    func play()
    func pause()
    func setRate(_ rate: Double)
    func seek(to seconds: Double)
    /// Advances to the next item.
    func next()
    func removeAll()
    /// Releases everything within 5 s.
    func quit()
}

/// Reads commands until the end of the input, and runs them on the player.
func drive(_ player: any DrivenPlayer, _ teller: Teller) {
    while let line = readLine() {
        guard let command = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any],
            let id = command["id"] as? Int, let name = command["do"] as? String
        else {
            FileHandle.standardError.write(Data("driver: not a command: \(line.prefix(120))\n".utf8))
            exit(1)
        }
        DispatchQueue.main.sync {
            teller.answer(id, cannot: carryOut(name, command, player))
            if name == "quit" { exit(0) }
        }
    }
    DispatchQueue.main.sync {
        player.quit()
        exit(0)
    }
}

/// Runs a command; returns the reason if it is impossible, otherwise nil.
private func carryOut(_ name: String, _ command: [String: Any], _ player: any DrivenPlayer) -> String? {
    switch name {
    case "open":
        let items = (command["items"] as? [[String: String]] ?? []).compactMap { entry -> Item? in
            guard let name = entry["item"], let url = entry["url"].flatMap(URL.init) else { return nil }
            return Item(name: name, url: url)
        }
        guard !items.isEmpty else { return "there is nothing to open" }
        player.open(items)
    case "play": player.play()
    case "pause": player.pause()
    case "rate":
        guard let rate = command["rate"] as? Double, rate > 0 else { return "it is not told how fast" }
        player.setRate(rate)
    case "seek":
        guard let seconds = command["to"] as? Double else { return "it is not told where to" }
        player.seek(to: seconds)
    case "next": player.next()
    case "remove-all": player.removeAll()
    case "quit": player.quit()
    default: return "it is no command of this player's"
    }
    return nil
}

// MARK: Replace this

/// A simulated player: each item is a minute of audio, and ready immediately.
///
/// Replace it with your own player: call the player where this one only computes, and report events when they
/// happen, not when they are requested.
final class PretendPlayer: DrivenPlayer {
    let name = "a player that only pretends"
    private let length = 60.0
    private let teller: Teller
    private var items: [Item] = []
    private var isWanted = false
    private var rate = 1.0
    /// The last fixed position, and the start of the movement since then; nil if it does not move.
    private var place = 0.0
    private var since: Double?
    private var status = ""

    init(_ teller: Teller) {
        self.teller = teller
    }

    private var position: Double { min(length, place + (since.map { (Teller.clock - $0) * rate } ?? 0)) }

    func open(_ more: [Item]) {
        let isFirst = items.isEmpty
        items += more
        if isFirst { load() }
    }

    func play() {
        guard !isWanted else { return }
        isWanted = true
        teller.tell("player.rate", ["rate": rate, "reason": "command"])
        begin()
    }

    func pause() {
        end("command")
        isWanted = false
        teller.tell("player.rate", ["rate": 0, "reason": "command"])
        setStatus("paused")
    }

    func setRate(_ rate: Double) {
        end("rate")
        self.rate = rate
        if isWanted { teller.tell("player.rate", ["rate": rate, "reason": "command"]) }
        begin()
    }

    func seek(to seconds: Double) {
        guard let item = items.first else { return }
        end("seek")
        teller.tell("seek.began", ["item": item.name, "target": seconds, "toleranceBefore": 0, "toleranceAfter": 0])
        place = max(0, min(length, seconds))
        teller.tell("item.timeJumped", ["item": item.name, "position": place])
        teller.tell("seek.ended", ["item": item.name, "position": place, "isFinished": true])
        begin()
    }

    func next() {
        guard !items.isEmpty else { return }
        end("advance")
        advance("advance")
    }

    func removeAll() {
        end("remove")
        for item in items { teller.tell("queue.removed", ["item": item.name, "reason": "remove"]) }
        items = []
        setStatus(isWanted ? "waiting" : "paused", "noItemToPlay")
    }

    func quit() {}

    /// Runs a few times per second: reports the state, and detects the end of the item.
    func look() {
        guard let item = items.first else { return }
        teller.state(position: position, rate: since == nil ? 0 : rate)
        guard since != nil, position >= length else { return }
        end("end")
        teller.tell("item.playedToEnd", ["item": item.name])
        advance("played to its end")
    }

    private func load() {
        place = 0
        let name = items[0].name
        teller.tell("item.loading", ["item": name])
        teller.tell("item.tracksKnown", ["item": name, "hasVideo": false, "hasAudio": true])
        teller.tell("item.readyToPlay", ["item": name, "duration": length])
        begin()
    }

    private func begin() {
        guard isWanted else { return setStatus("paused") }
        guard let item = items.first else { return setStatus("waiting", "noItemToPlay") }
        setStatus("playing")
        teller.tell("sound.began", ["item": item.name, "position": place])
        since = Teller.clock
    }

    private func end(_ reason: String) {
        guard since != nil, let item = items.first else { return }
        place = position
        since = nil
        teller.tell("sound.ended", ["item": item.name, "position": place, "reason": reason])
    }

    private func advance(_ reason: String) {
        teller.tell("queue.removed", ["item": items.removeFirst().name, "reason": reason])
        guard let item = items.first else {
            teller.tell("queue.emptied", ["reason": reason])
            return setStatus(isWanted ? "waiting" : "paused", "noItemToPlay")
        }
        teller.tell("queue.current", ["item": item.name])
        load()
    }

    private func setStatus(_ status: String, _ waitingFor: String = "") {
        guard status != self.status else { return }
        self.status = status
        teller.tell("player.timeControl", ["status": status, "waitingFor": status == "waiting" ? waitingFor : ""])
    }
}

let teller = Teller()
let player = PretendPlayer(teller)
teller.greet(player.name, can: ["open", "play", "pause", "rate", "seek", "next", "remove-all"], tells: ["sound"])
let looks = DispatchSource.makeTimerSource(queue: .main)
looks.schedule(deadline: .now(), repeating: .milliseconds(100))
looks.setEventHandler { player.look() }
looks.resume()
Thread.detachNewThread { drive(player, teller) }
dispatchMain()
