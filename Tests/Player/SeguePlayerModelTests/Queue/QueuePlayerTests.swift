import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Queue player` {
    let title = Title(name: "title", duration: 60)
    let other = Title(name: "other", duration: 12)

    // MARK: Rate and time control

    @Test func `without an item, it waits for one`() throws {
        var bench = Bench(try Shipped.platform("desktop"))
        bench.act { $0.play(at: $1) }
        #expect(bench.player.timeControl == .waiting(.noItemToPlay))
        bench.insert(title.address.full)
        #expect(bench.player.timeControl == .waiting(.evaluatingBufferingRate))
    }

    @Test func `it evaluates the buffering rate until something has loaded`() throws {
        var bench = Bench(try Shipped.platform("desktop"))
        bench.insert(title.address.full)
        bench.act { $0.play(at: $1) }
        bench.answer(from: title)
        #expect(bench.player.timeControl == .waiting(.evaluatingBufferingRate))
        bench.answer(from: title)
        #expect(bench.player.timeControl == .playing)
    }

    @Test func `it waits to minimize stalls if media load too slowly`() throws {
        var bench = Bench(try Shipped.platform("desktop", ["start-segments": "none"]))
        bench.insert(title.address.full)
        bench.act { $0.play(at: $1) }
        bench.answer(from: title)
        bench.answer(from: title, after: .seconds(10))
        #expect(bench.player.timeControl == .waiting(.toMinimizeStalls))
    }

    @Test func `without waiting, it plays immediately with a nonempty buffer`() throws {
        var bench = Bench(try Shipped.platform("desktop", ["waits-to-minimize-stalls": "false"]))
        bench.insert(title.address.full)
        bench.act { $0.play(at: $1) }
        bench.answer(from: title)
        bench.answer(from: title, after: .seconds(10))
        #expect(bench.player.timeControl == .playing)
    }

    @Test func `immediate playback uses the buffer`() throws {
        var bench = Bench(try Shipped.platform("desktop", ["start-segments": "none"]))
        bench.insert(title.address.full)
        bench.answer(from: title)
        bench.answer(from: title, after: .seconds(10))
        bench.act { $0.play(at: $1) }
        #expect(bench.player.timeControl == .waiting(.toMinimizeStalls))
        bench.act { $0.playImmediately(at: $1) }
        #expect(bench.player.timeControl == .playing)
    }

    @Test(arguments: [("true", TimeControl.waiting(.toMinimizeStalls)), ("false", .paused)])
    func `immediate playback with an empty buffer is like after a stall, without a notice`(
        waits: String,
        timeControl: TimeControl
    ) throws {
        var bench = Bench(try Shipped.platform("desktop", ["waits-to-minimize-stalls": waits]))
        bench.insert(title.address.full)
        bench.act { $0.playImmediately(at: $1) }
        #expect(bench.player.timeControl == timeControl)
        #expect(bench.names(["item.stalled"]).isEmpty)
        #expect(bench.current?.journal.access.isEmpty == true)
    }

    @Test func `a removed item can be inserted again, and continues at its position`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 3)
        bench.act { $0.play(at: $1) }
        bench.pass(.seconds(8))
        bench.act { $0.advanceToNextItem(at: $1) }
        let removed = try #require(bench.player.removed.last)
        bench.act { player, now in _ = player.insert(removed, at: now) }
        bench.answer(from: title)
        #expect(bench.requests.map(\.url) == ["http://origin/title/full/1.ts"])
        bench.answer(from: title)
        #expect(bench.player.timeControl == .playing)
        #expect(bench.player.position(at: bench.now) == .seconds(8))
    }

    @Test func `an empty buffer makes it wait at the same rate, and counts a stall`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 1)
        bench.act { $0.play(at: $1) }
        bench.pass(.seconds(6))
        #expect(bench.player.timeControl == .waiting(.toMinimizeStalls))
        #expect(bench.player.rate == 1)
        #expect(bench.names(["item.stalled"]).count == 1)
        #expect(bench.current?.journal.access.map(\.stalls) == [1])
        #expect(bench.current?.journal.access.last?.reason == .stall)
        bench.answer(from: title)
        #expect(bench.player.position(at: bench.now) == .seconds(6))
    }

    @Test func `the buffer flags follow the target of a seek, not the end that it leaves`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), other, segments: 2)
        bench.act { player, _ in player.settings.actionAtItemEnd = .pause }
        bench.act { $0.play(at: $1) }
        bench.pass(.seconds(12))
        #expect(bench.current?.isAtEnd == true && bench.current?.isLikelyToKeepUp == true)
        bench.act { $0.seek(to: .seconds(2), at: $1) }
        #expect(bench.player.position(at: bench.now) == .seconds(12))
        #expect(bench.current?.isLikelyToKeepUp == false && bench.current?.isBufferEmpty == true)
        bench.answer(from: other)
        #expect(bench.player.position(at: bench.now) == .seconds(2))
        #expect(bench.current?.isBufferEmpty == false)
        // At the end, there is nothing to wait for.
        bench.act { $0.seek(to: .seconds(12), at: $1) }
        #expect(bench.current?.isLikelyToKeepUp == true && bench.current?.isBufferEmpty == false)
    }

    @Test func `an empty buffer pauses it without waiting`() throws {
        let platform = try Shipped.platform("desktop", ["waits-to-minimize-stalls": "false"])
        var bench = Bench.loaded(platform, title, segments: 1)
        bench.act { $0.play(at: $1) }
        bench.pass(.seconds(6))
        #expect(bench.player.timeControl == .paused)
        #expect(bench.player.rate == 0)
        #expect(bench.names(["item.stalled"]).count == 1)
    }

    @Test func `the position follows the clock at the rate`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 3)
        bench.act { $0.setRate(2, at: $1) }
        bench.pass(.seconds(3))
        #expect(bench.player.position(at: bench.now) == .seconds(6))
        bench.act { $0.setRate(0.5, at: $1) }
        bench.pass(.seconds(4))
        #expect(bench.player.position(at: bench.now) == .seconds(8))
        bench.act { $0.pause(at: $1) }
        bench.pass(.seconds(4))
        #expect(bench.player.position(at: bench.now) == .seconds(8))
        #expect(bench.player.timeControl == .paused)
    }

    @Test func `the only timer during playback is for the next change`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 2)
        #expect(bench.player.nextChange(at: bench.now) == nil)
        bench.act { $0.play(at: $1) }
        #expect(bench.player.nextChange(at: bench.now) == bench.now + .seconds(12))
    }

    @Test func `a pause by the platform is announced, and a command ends it`() throws {
        var bench = Bench.loaded(try Shipped.platform("ios-4.2"), title, segments: 3)
        bench.act { $0.play(at: $1) }
        bench.act { $0.holdByPlatform(reason: "platform", at: $1) }
        #expect(bench.player.timeControl == .paused)
        #expect(bench.player.rate == 1)
        bench.act { $0.play(at: $1) }
        #expect(bench.player.timeControl == .playing)
    }

    // MARK: Queue

    @Test func `an item that is queued already, or belongs to another player, is refused`() throws {
        let platform = try Shipped.platform("desktop")
        var player = QueuePlayer(profile: platform)
        var another = QueuePlayer(profile: platform, number: 2)
        let item = player.makeItem(url: title.address.full)
        #expect(player.canInsert(item))
        let isTaken = player.insert(item, at: .zero)
        #expect(isTaken)
        let queued = try #require(player.current)
        #expect(!player.canInsert(queued))
        #expect(!another.canInsert(queued))
        let isTakenByAnother = another.insert(queued, at: .zero)
        #expect(!isTakenByAnother)
        let isTakenAgain = player.insert(queued, at: .zero)
        #expect(!isTakenAgain)
        #expect(player.items.count == 1)
    }

    @Test func `an insertion after nothing appends, and after an item follows it`() throws {
        var bench = Bench(try Shipped.platform("desktop"))
        let first = bench.insert("http://origin/1")
        let second = bench.insert("http://origin/2")
        let third = bench.act { player, now in
            let item = player.makeItem(url: "http://origin/3")
            player.insert(item, after: first, at: now)
            return item.id
        }
        #expect(bench.player.items.map(\.id) == [first, third, second])
    }

    @Test func `an advance removes the current item and starts the next at the same rate`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 3)
        let second = bench.insert(other.address.full)
        bench.act { $0.setRate(1.5, at: $1) }
        bench.act { $0.advanceToNextItem(at: $1) }
        #expect(bench.current?.id == second)
        #expect(bench.player.rate == 1.5)
        #expect(!bench.requests.contains { $0.url.contains("title") })
        bench.act { $0.remove(second, at: $1) }
        #expect(bench.current == nil)
        #expect(bench.player.timeControl == .waiting(.noItemToPlay))
    }

    @Test func `the end of playback is reported before the item leaves`() throws {
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: [title, other])
        rig.plan(.open([other.address, title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        let names = rig.kinds.map { $0.record.name }
        let end = try #require(names.firstIndex(of: "item.playedToEnd"))
        let leave = try #require(names.firstIndex(of: "queue.removed"))
        #expect(end < leave)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(72))
        #expect(rig.trail.breaks.map(\.silence) == [.zero])
    }

    @Test(arguments: [QueuePlayer.EndAction.pause, .none])
    func `other end actions keep the item at its end`(action: QueuePlayer.EndAction) throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), other, segments: 2)
        bench.player.settings.actionAtItemEnd = action
        bench.act { $0.play(at: $1) }
        bench.pass(.seconds(12))
        #expect(bench.current?.position == .seconds(12))
        #expect(bench.player.rate == 0)
        #expect(bench.player.timeControl == .paused)
        #expect(bench.names(["item.playedToEnd", "queue.removed"]) == ["item.playedToEnd"])
    }

    @Test(arguments: [("kept", 2, 0.0), ("consumed", 1, 1.0)])
    func `a current item that fails is consumed or kept`(rule: String, count: Int, rate: Double) throws {
        var bench = Bench(try Shipped.platform("desktop", ["failed-item": rule, "preload": "never"]))
        bench.insert(title.address.full)
        bench.insert(other.address.full)
        bench.act { $0.play(at: $1) }
        bench.answer((404, []))
        #expect(bench.player.items.count == count)
        #expect(bench.player.rate == rate)
    }

    // MARK: Seek

    @Test func `a seek without tolerance lands exactly, one with any tolerance at a segment start`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 3)
        bench.act { $0.seek(to: .seconds(14), at: $1) }
        #expect(bench.player.position(at: bench.now) == .seconds(14))
        bench.act { $0.seek(to: .seconds(17), toleranceBefore: nil, toleranceAfter: nil, at: $1) }
        #expect(bench.player.position(at: bench.now) == .seconds(12))
    }

    @Test func `the position changes when the seek is done, with a time jump before the end of the seek`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 1)
        bench.act { $0.play(at: $1) }
        bench.pass(.seconds(2))
        let seek = try #require(bench.act { $0.seek(to: .seconds(40), at: $1) })
        bench.pass(.seconds(1))
        #expect(bench.player.position(at: bench.now) == .seconds(2))
        #expect(bench.requests.map(\.url) == ["http://origin/title/full/6.ts"])
        bench.answer(from: title)
        #expect(bench.player.position(at: bench.now) == .seconds(40))
        #expect(bench.names(["item.timeJumped", "seek.ended"]) == ["item.timeJumped", "seek.ended"])
        #expect(bench.notices.contains(.seekEnded(seek, isFinished: true)))
        #expect(bench.player.timeControl == .playing)
        #expect(bench.current?.journal.access.first?.reason == .seek)
    }

    @Test func `a new seek first ends the one in progress`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 1)
        let first = try #require(bench.act { $0.seek(to: .seconds(40), at: $1) })
        let second = try #require(bench.act { $0.seek(to: .seconds(50), at: $1) })
        bench.answer(from: title)
        let ends = bench.notices.filter { if case .seekEnded = $0 { true } else { false } }
        #expect(ends == [.seekEnded(first, isFinished: false), .seekEnded(second, isFinished: true)])
        #expect(bench.player.position(at: bench.now) == .seconds(50))
    }

    @Test(arguments: [("refused", Duration.zero), ("deferred", .seconds(8))])
    func `a seek before the item is ready follows the profile`(rule: String, position: Duration) throws {
        var bench = Bench(try Shipped.platform("desktop", ["seek-before-ready": rule]))
        bench.insert(title.address.full)
        bench.act { $0.seek(to: .seconds(8), at: $1) }
        for _ in 0..<4 where !bench.requests.isEmpty { bench.answer(from: title) }
        #expect(bench.player.position(at: bench.now) == position)
    }

    // MARK: Logs

    @Test func `the access log has an entry for each stretch`() throws {
        var bench = Bench.loaded(try Shipped.platform("desktop"), title, segments: 3)
        bench.act { $0.play(at: $1) }
        bench.pass(.seconds(4))
        bench.act { $0.seek(to: .seconds(13), at: $1) }
        bench.pass(.seconds(2))
        let entries = try #require(bench.current?.journal.access)
        #expect(entries.count == 2)
        #expect(entries[0].segments == 3)
        #expect(entries[0].downloaded == .seconds(18))
        #expect(entries[0].watched == .seconds(4))
        #expect(entries[0].requests == 4)
        #expect(entries[0].serverAddress == "bench:80")
        #expect(entries[0].startupTime == .zero)
        #expect(entries[1].startupTime == nil)
        let fields = AccessLogEntry.extendedFields.split(separator: " ")
        for entry in entries { #expect(entry.extendedLine.split(separator: " ").count == fields.count) }
    }
}
