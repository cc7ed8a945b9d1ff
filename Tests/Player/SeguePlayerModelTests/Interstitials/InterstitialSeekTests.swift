import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SeguePlaylists
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `Interstitials and commands` {
    private typealias Made = InterruptedTitle

    private func ios() throws -> PlatformProfile { try Shipped.platform("ios-15", ["notice-order": "as-happened"]) }

    private func rig(_ ranges: String...) throws -> Rig { Made(ranges: ranges).rig(try ios()) }

    private func ad(_ attributes: String, at seconds: Double = 20) -> String {
        Made.range("ad", at: seconds, "\(Made.asset),\(attributes)")
    }

    private func seek(_ seconds: Double) -> SessionCommand {
        .seek(to: .seconds(seconds), toleranceBefore: .zero, toleranceAfter: .zero)
    }

    private func finish(_ rig: Rig) {
        rig.runner.run(until: Instant(seconds: 400))
        #expect(rig.session.isFinished)
    }

    /// Returns whether each seek finished.
    private func seeks(_ rig: Rig) -> [Bool] {
        rig.kinds.compactMap { if case .seekEnded(_, _, let isFinished) = $0 { isFinished } else { nil } }
    }

    // MARK: Seeking

    @Test func `a seek past an interstitial skips it, and a seek back plays it, once if it states so`() throws {
        let past = try rig(ad("X-RESUME-OFFSET=0"))
        past.plan(seek(30), at: 10)
        finish(past)
        #expect(past.played.last == "item-1 30-60" && past.breaks == [])
        for (more, times) in [("", 2), (",CUE=\"ONCE\"", 1)] {
            let back = try rig(ad("X-RESUME-OFFSET=0" + more))
            back.plan(seek(15), at: 40)
            finish(back)
            #expect(back.breaks.count { $0 == "ad played 10 at 20" } == times)
        }
    }

    @Test func `a seek into replaced content plays the interstitial from its start`() throws {
        let rig = try rig(ad("X-RESUME-OFFSET=12"))
        rig.plan(seek(31), at: 10)
        finish(rig)
        #expect(rig.played.suffix(2) == ["item-3 0-10", "item-1 32-60"])
        #expect(rig.breaks == ["ad began 31", "ad played 10 at 32"])
    }

    @Test func `interstitials that must not be jumped over play first, only the last of several, and once`() throws {
        let range = Made.range("clip", at: 12, "X-ASSET-URI=\"clip/full.m3u8\",X-RESTRICT=\"JUMP\",X-RESUME-OFFSET=0")
        let rig = try rig(ad("X-RESUME-OFFSET=0,X-RESTRICT=\"SKIP,JUMP\""), range)
        rig.plan(seek(40), at: 5)
        rig.plan(seek(50), at: 20)
        finish(rig)
        #expect(rig.breaks == ["ad began 40", "ad played 10 at 40"])
        #expect(rig.played.last == "item-1 50-60")
        #expect(seeks(rig) == [true, true])
    }

    @Test(arguments: [("JUMP", [false]), ("SKIP", [false]), ("", [true])])
    func `a forward seek out of a restricted interstitial is refused, and ends others`(
        restriction: String,
        finished: [Bool]
    ) throws {
        let rig = try rig(ad("X-RESUME-OFFSET=0" + (restriction.isEmpty ? "" : ",X-RESTRICT=\"\(restriction)\"")))
        rig.plan(seek(40), at: 25)
        finish(rig)
        #expect(seeks(rig) == finished)
        let end = rig.breaks.last?.split(separator: " ")
        #expect(end?[1] == (finished == [true] ? "seek" : "played"), "\(rig.breaks)")
        #expect(rig.played.last == (finished == [true] ? "item-1 40-60" : "item-1 20-60"))
    }

    @Test func `a backward seek is never refused`() throws {
        let rig = try rig(ad("X-RESUME-OFFSET=0,X-RESTRICT=\"SKIP,JUMP\""))
        rig.plan(seek(5), at: 25)
        finish(rig)
        #expect(seeks(rig) == [true])
        #expect(rig.played.suffix(3) == ["item-1 5-20", "item-3 0-10", "item-1 20-60"])
    }

    // MARK: Rate

    @Test func `an interstitial pauses and has its own rate, unless it must not be skipped`() throws {
        for (more, rate) in [("", 2.0), (",X-RESTRICT=\"SKIP\"", 1.0)] {
            let rig = try rig(ad("X-RESUME-OFFSET=0" + more))
            rig.plan(.pause, at: 22)
            rig.plan(.setRate(2), at: 50)
            finish(rig)
            let stretches = rig.trail.stretches
            #expect(stretches.map(\.rate) == [1, 1, rate, 2])
            #expect(stretches[2].began >= Instant(seconds: 50))
            #expect(rig.breaks.last == "ad played 10 at 20")
        }
    }

    @Test func `the player reports that it waits for one, and the position of the item`() throws {
        let rig = try rig(ad("X-RESUME-OFFSET=0"))
        rig.runner.run(until: Instant(seconds: 25))
        #expect(rig.session.player.timeControl == .waiting(.interstitialEvent))
        #expect(rig.session.position(at: rig.loop.now) == .seconds(20))
        #expect(rig.session.player.current?.id == ItemID(1))
        rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.session.player.timeControl == .playing)
        let told = rig.kinds.compactMap { kind in
            if case .playerTimeControl(_, let reason) = kind { reason } else { nil }
        }
        #expect(told.filter { $0 == "interstitialEvent" }.count == 1)
    }

    @Test func `the app receives no notices of assets`() throws {
        let rig = try rig(ad("X-RESUME-OFFSET=0"))
        finish(rig)
        let names = Set(["queue.current", "queue.inserted", "queue.removed", "item.playedToEnd", "item.readyToPlay"])
        let items = rig.kinds.filter { names.contains($0.name) }.map { kind in
            "\(kind.name) \(kind.record.fields.first { $0.name == "item" }.map { "\($0.value)" } ?? "")"
        }
        #expect(items.filter { $0.contains("item-2") }.allSatisfy { $0.hasPrefix("item.readyToPlay") }, "\(items)")
    }

    @Test func `a removed item takes its interstitial along, and the next item starts`() throws {
        let rig = try rig(ad("X-RESUME-OFFSET=0"))
        rig.plan(.insert(ItemAddress(full: "http://origin/clip/full.m3u8"), after: nil), at: 1)
        rig.plan(.advance, at: 25)
        finish(rig)
        #expect(rig.breaks.last?.hasPrefix("ad removed") == true)
        #expect(rig.trail.stretches.last?.url == "http://origin/clip/full.m3u8")
        #expect(rig.trail.stretches.last?.length == .seconds(8))
        let names = rig.kinds.map(\.name)
        let ended = ["request.finished", "request.failed", "request.cancelled"]
        #expect(names.count { $0 == "request.began" } == names.count { ended.contains($0) })
    }

    @Test func `assets have entries in the access log`() throws {
        let rig = try rig(ad("X-RESUME-OFFSET=0"))
        finish(rig)
        let lines = rig.session.extendedAccessLog(at: rig.loop.now).split(separator: "\n").filter {
            $0.hasPrefix("item")
        }
        #expect(lines.map { $0.prefix(6) } == ["item-1", "item-2"])
        #expect(lines[1].contains(" 10.000 10.000 ") && lines[1].hasSuffix(" end"), "\(lines[1])")
    }

    // MARK: Live

    /// A live stream whose segments have dates, the first of them midnight.
    private func live(_ range: @escaping (Instant) -> String) throws -> Rig {
        let title = LiveTitle(window: 8, before: 8)
        let ads = Made(ranges: [])
        return title.rig(
            try ios(),
            change: { text, now in
                let first = max(0, title.count(at: now) - 8)
                let seconds = 600 + first * 4
                let rest = "\(seconds % 60 + 100)".dropFirst()
                let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:\(seconds / 60):\(rest).000Z\n"
                return text.replacing("#EXTINF", with: "\(range(now))\n\(date)#EXTINF", maxReplacements: 1)
            },
            instead: { request, _ in request.url.contains("/ad/") ? ads.answer(request.url) : nil }
        )
    }

    @Test func `a live item keeps its distance from the end, although the tag has left the playlist`() throws {
        let rig = try live { $0.seconds < 20 ? Made.range("ad", at: 60, "\(Made.asset),DURATION=10") : "" }
        rig.runner.run(until: Instant(seconds: 80))
        // 32 s are listed, and playback starts three segments before the end, at 20 s.
        #expect(rig.played.prefix(2) == ["item-1 20-60", "item-2 0-10"])
        #expect(rig.played.last?.hasPrefix("item-1 70-") == true)
        #expect(rig.longestBreak < .milliseconds(200))
    }

    @Test func `a viewer who joins in the middle of an interstitial starts there, and continues with the stream`()
        throws
    {
        let rig = try live { _ in Made.range("ad", at: 16, "\(Made.asset),DURATION=10") }
        rig.runner.run(until: Instant(seconds: 30))
        #expect(rig.played.prefix(1) == ["item-2 4-10"])
        #expect(rig.played.last?.hasPrefix("item-1 26-") == true, "\(rig.played)")
        let listed = try live { _ in Made.range("ad", at: 16, "X-ASSET-LIST=\"list.json\",DURATION=10") }
        listed.runner.run(until: Instant(seconds: 30))
        #expect(listed.paths.contains("list.json?_HLS_primary_id=segue-1&_HLS_start_offset=4.0"))
    }

    @Test func `an interstitial that is announced after its date does not play`() throws {
        let rig = try live { $0.seconds > 20 ? Made.range("ad", at: 30, "\(Made.asset),X-RESUME-OFFSET=0") : "" }
        rig.runner.run(until: Instant(seconds: 60))
        #expect(rig.breaks == [])
    }
}

/// Random commands and faults during items with interstitials.
@Suite struct `A random walk over interstitials` {
    private func log(_ number: Int) throws -> (rig: Rig, ending: EventLoop<SessionInput>.Ending) {
        var random = SeededRandom(seed: UInt64(number))
        let ranges = (0..<6).map { index in
            let source = ["X-ASSET-URI=\"ad/full.m3u8\"", "X-ASSET-LIST=\"list.json\"", "X-ASSET-URI=\"none\"", ""]
            let more = ["", ",X-RESUME-OFFSET=0", ",X-RESUME-OFFSET=14", ",X-PLAYOUT-LIMIT=3", ",DURATION=10"]
            let cue = ["", "", "", ",CUE=\"PRE\"", ",CUE=\"POST\"", ",CUE=\"ONCE\""]
            let rules = ["", ",X-RESTRICT=\"JUMP\"", ",X-RESTRICT=\"SKIP\"", ",X-SNAP=\"IN,OUT\""]
            func pick(_ words: [String]) -> String { words[Int(random.nextUnit() * Double(words.count))] }
            return InterruptedTitle.range(
                "ad\(index)",
                at: (random.nextUnit() * 65).rounded(),
                pick(source) + pick(more) + pick(cue) + pick(rules) + ",X-Z=1"
            )
        }
        let assets =
            "{\"ASSETS\":[{\"URI\":\"http://origin/clip/full.m3u8\"},{\"URI\":\"x\"},"
            + "{\"URI\":\"http://origin/ad/full.m3u8\"}]}"
        let made = InterruptedTitle(ranges: ranges, files: ["list.json": assets])
        var faults = random.split()
        let line = Line(delay: .milliseconds(20), bitsPerSecond: 200_000 + random.nextUnit() * 6_000_000)
        let rig = made.rig(try Shipped.platform("ios-15"), line: line, seed: UInt64(number)) { _ in
            switch faults.nextUnit() {
            case ..<0.02: (503, [])
            case ..<0.04: (404, [])
            case ..<0.05: (200, Array("<html>".utf8))
            default: nil
            }
        }
        rig.fetcher.pieces = 10
        rig.plan(.insert(ItemAddress(full: "http://origin/main.m3u8"), after: nil), at: 0)
        var time = 0.0
        for _ in 0..<30 {
            time += random.nextUnit() * 8
            let target = Duration.seconds(random.nextUnit() * 70)
            let commands: [SessionCommand] =
                SessionCommand.ofUsers(seekingTo: target) + [
                    .cancelSeeks, .advance,
                    .setVideoEnabled(random.nextUnit() < 0.5), .interrupt, .endInterruption(shouldResume: true),
                ]
            rig.plan(commands[Int(random.nextUnit() * Double(commands.count))], at: time)
        }
        rig.plan(.comeBack, at: time + 10)
        rig.plan(.play, at: time + 20)
        return (rig, rig.runner.run(until: Instant(seconds: 5000)))
    }

    @Test(arguments: 0..<200)
    func `every run ends and keeps its invariants`(number: Int) throws {
        let (rig, ending) = try log(number)
        #expect(ending == .idle)
        #expect(rig.runner.log.events.count < 20_000)
        switch rig.session.player.timeControl {
        case .paused, .waiting(.noItemToPlay): break
        default:
            Issue.record("\(rig.session.stateDescription(at: rig.loop.now))\n\(rig.runner.log.jsonLines.suffix(3000))")
        }
        for (before, after) in zip(rig.trail.stretches, rig.trail.stretches.dropFirst()) {
            #expect(before.ended <= after.began)
        }
        let names = rig.kinds.map(\.name)
        let ended = ["request.finished", "request.failed", "request.cancelled"]
        #expect(names.count { $0 == "request.began" } == names.count { ended.contains($0) })
        let open = rig.session.player.interstitials.isOn ? 1 : 0
        #expect(names.count { $0 == "interstitial.began" } == names.count { $0 == "interstitial.ended" } + open)
    }

    @Test(arguments: [3, 8])
    func `the same seed gives the same log`(number: Int) throws {
        let logs = try (0..<2).map { _ in try log(number).rig.runner.log.jsonLines }
        #expect(logs[0] == logs[1])
    }
}
