import SegueBase
import SegueEvents
import Testing

@testable import SegueSearch

/// A run with its events and the user's actions.
private struct Told {
    private(set) var log = EventLog()
    private(set) var wishes: [UserAction?] = []
    let titles: [[String]]

    init(titles: [[String]]) { self.titles = titles }

    mutating func add(_ seconds: Double, _ kinds: EventKind...) {
        for kind in kinds { log.append(kind, at: Instant(seconds: seconds)) }
    }

    mutating func wish(_ seconds: Double, _ wish: UserAction) {
        wishes.append(wish)
        add(seconds, .stepBegan(number: wishes.count, step: "\(wish)"))
    }

    /// Makes an item of a title of the list current and ready.
    mutating func open(_ seconds: Double, _ item: String, _ title: Int) {
        add(
            seconds,
            .queueInserted(item: item, url: titles[title][0]),
            .queueCurrent(item: item),
            .itemReadyToPlay(item: item, duration: 600)
        )
    }

    mutating func begin(_ seconds: Double, _ item: String, _ place: Double) {
        add(seconds, .soundBegan(item: item, position: place))
    }

    mutating func end(_ seconds: Double, _ item: String, _ place: Double) {
        add(seconds, .soundEnded(item: item, position: place, reason: "told"))
    }

    func broken(until seconds: Double) -> [BrokenRule.Rule] {
        var context = RequirementContext(actions: wishes)
        context.titles = titles
        return RequirementChecker.broken(in: log, context, until: Instant(seconds: seconds)).map(\.rule)
    }

    /// The first of three titles plays from its beginning, from 1 s on.
    static func playing() -> Told {
        var told = Told(titles: ["one", "two", "three"].map { ["http://server/\($0).m3u8"] })
        told.wish(0, .choose(0))
        told.wish(0, .play)
        told.open(0, "item-1", 0)
        told.begin(1, "item-1", 0)
        return told
    }
}

@Suite struct `Requirements of users` {
    // MARK: Positions

    @Test func `skipped content of an interstitial is no jump, and its audio is no lost seek`() {
        for (isTold, seeks) in [(true, true), (true, false), (false, true), (false, false)] {
            var told = Told.playing()
            told.end(21, "item-1", 20)
            if isTold {
                told.add(
                    21,
                    .interstitialBegan(item: "item-1", interstitial: "a", position: 20),
                    .interstitialAssetBegan(item: "item-1", interstitial: "a", asset: "item-2", url: "http://ads/a")
                )
            }
            told.add(21, .itemReadyToPlay(item: "item-2", duration: 600))
            told.begin(21, "item-2", 0)
            if seeks { told.wish(22, .seek(to: .seconds(300))) }
            told.end(81, "item-2", 60)
            if isTold {
                told.add(
                    81,
                    .interstitialEnded(item: "item-1", interstitial: "a", reason: "played", played: 60, position: 300)
                )
            }
            told.begin(81, "item-1", 300)
            #expect(told.broken(until: 90) == (isTold ? [] : [seeks ? .lostSeek : .jump]))
        }
        var told = Told.playing()
        told.end(21, "item-1", 20)
        told.add(21, .interstitialEnded(item: "item-1", interstitial: "a", reason: "empty", played: 0, position: 50))
        told.begin(21, "item-1", 50)
        #expect(told.broken(until: 40) == [])
    }

    @Test func `a scan is silent, and its end is no jump`() {
        for isTold in [true, false] {
            var told = Told.playing()
            told.add(2, .bufferLikelyToKeepUp(item: "item-1", isLikely: true))
            told.end(21, "item-1", 20)
            if isTold { told.add(21, .scanBegan(item: "item-1", position: 20, rate: 8, url: "http://server/i.m3u8")) }
            if isTold { told.add(81, .scanEnded(item: "item-1", position: 500, frames: 200, reason: "command")) }
            told.begin(81, "item-1", 500)
            #expect(told.broken(until: 90) == (isTold ? [] : [.silent, .jump]))
        }
    }

    @Test func `a seek is no jump, even if the rate changes at the same time`() {
        var told = Told.playing()
        told.wish(101, .previous)
        told.wish(101, .rate(2))
        told.end(101, "item-1", 100)
        told.begin(101, "item-1", 100)
        told.end(101.5, "item-1", 101)
        told.begin(101.6, "item-1", 0)
        #expect(told.broken(until: 150) == [])
    }

    @Test func `rate changes to catch up with a live edge are no violation`() {
        for (reason, broken) in [(RateReason.liveCatchUp, []), ("command", [BrokenRule.Rule.rate])] {
            var told = Told.playing()
            told.add(1, .playerRate(rate: 1, reason: "command"))
            told.wish(2, .rate(1))
            told.end(11, "item-1", 10)
            told.add(11, .playerRate(rate: 1.03, reason: reason))
            told.begin(11, "item-1", 10)
            told.end(111, "item-1", 113)
            told.begin(111, "item-1", 113)
            #expect(told.broken(until: 150) == broken)
        }
    }

    @Test func `an item that starts as the user seeks back in it does not jump`() {
        var told = Told.playing()
        told.end(50, "item-1", 49)
        told.open(50, "item-2", 1)
        told.wish(50, .previous)
        told.begin(50.1, "item-2", 30)
        told.end(50.2, "item-2", 30.1)
        told.begin(50.3, "item-2", 0)
        #expect(told.broken(until: 55) == [])
    }

    @Test func `positions on the way to a seek target do not jump`() {
        // It is close already, and reached by way of another position.
        var told = Told.playing()
        told.wish(2, .seek(to: .seconds(10)))
        told.end(2, "item-1", 1)
        told.begin(2, "item-1", 36)
        told.end(2.2, "item-1", 36.2)
        told.begin(2.2, "item-1", 12)
        #expect(told.broken(until: 50) == [])
        // A seek of the item that is being left.
        told = Told.playing()
        told.wish(30, .seek(to: .seconds(76)))
        told.end(30, "item-1", 29)
        told.wish(30.05, .choose(0))
        told.begin(30.1, "item-1", 76)
        told.end(30.2, "item-1", 76.1)
        told.open(30.2, "item-2", 0)
        told.begin(31, "item-2", 0)
        #expect(told.broken(until: 50) == [])
    }

    @Test func `a change of position without an action is a jump, when the last action should have taken effect`() {
        var told = Told.playing()
        told.wish(101, .previous)
        told.end(101, "item-1", 100)
        told.begin(101, "item-1", 100)
        told.end(120, "item-1", 119)
        told.begin(120, "item-1", 300)
        #expect(told.broken(until: 150) == [.jump])
    }

    @Test func `silence names the declaration that causes it`() throws {
        var log = EventLog()
        let events: [(Double, EventKind)] = [
            (0, .stepBegan(number: 1, step: "play")), (0, .queueCurrent(item: "item-1")),
            (1, .soundBegan(item: "item-1", position: 0)), (10, .platformLifecycle(phase: "didEnterBackground")),
            (10, .appMisdeclared(policy: "app", key: "background-modes", problem: "a problem", fix: "its fix")),
            (10, .soundEnded(item: "item-1", position: 9, reason: "platform")),
        ]
        for (second, kind) in events { log.append(kind, at: Instant(seconds: second)) }
        let broken = RequirementChecker.broken(
            in: log,
            RequirementContext(actions: [.play]),
            until: Instant(seconds: 60)
        )
        #expect(broken.map(\.rule) == [.background])
        #expect(broken.first?.message.hasSuffix("in the background; a problem: its fix") ?? false)
    }

    @Test func `leaving the position of a seek is a jump`() {
        var told = Told.playing()
        told.wish(101, .previous)
        told.end(101, "item-1", 100)
        told.begin(101, "item-1", 0)
        told.end(103, "item-1", 2)
        told.begin(103, "item-1", 300)
        #expect(told.broken(until: 110) == [.jump])
    }

    @Test func `an action in a failed title that is skipped does not apply to the next`() {
        var told = Told.playing()
        told.wish(101, .seek(to: .seconds(300)))
        told.end(101, "item-1", 100)
        told.add(102, .itemFailed(item: "item-1", domain: "Network", code: 1, message: "gone"))
        told.open(103, "item-2", 1)
        told.begin(103, "item-2", 0)
        told.end(110, "item-2", 7)
        told.add(110, .itemFailed(item: "item-2", domain: "Network", code: 1, message: "gone"))
        told.open(111, "item-3", 2)
        told.begin(111, "item-3", 0)
        #expect(told.broken(until: 150) == [])
    }

    @Test func `a failed title starts from the beginning when the list returns to it`() {
        var told = Told.playing()
        for (seconds, item, next, title) in [(101.0, "item-1", "item-2", 1), (102, "item-2", "item-3", 2)] {
            if title == 1 { told.end(seconds, item, 100) }
            told.add(seconds, .itemFailed(item: item, domain: "Network", code: 1, message: "gone"))
            told.open(seconds, next, title)
        }
        told.add(103, .itemFailed(item: "item-3", domain: "Network", code: 1, message: "gone"))
        told.open(104, "item-4", 0)
        told.begin(104, "item-4", 0)
        #expect(told.broken(until: 150) == [])
    }

    @Test func `a failed title that is recreated continues at its position, or at that of the user`() {
        for (wish, rule) in [(nil, BrokenRule.Rule.jump), (UserAction.seek(to: .seconds(300)), .lostSeek)] {
            var told = Told.playing()
            if let wish { told.wish(101, wish) }
            told.end(101, "item-1", 100)
            told.add(102, .itemFailed(item: "item-1", domain: "Network", code: 1, message: "gone"))
            told.open(103, "item-2", 0)
            told.begin(103, "item-2", 0)
            #expect(told.broken(until: 150) == [rule])
        }
    }

    // MARK: The order of titles

    @Test func `an item that is being left when the user goes back is not the chosen one`() {
        var told = Told.playing()
        told.end(50, "item-1", 49)
        told.add(50, .itemPlayedToEnd(item: "item-1"))
        told.open(50, "item-2", 1)
        told.wish(50.1, .previous)
        told.begin(50.1, "item-2", 0)
        told.end(51, "item-2", 0.9)
        told.open(51, "item-3", 0)
        told.begin(51, "item-3", 0)
        #expect(told.broken(until: 100) == [])
        // Once that one plays, no other may.
        told.end(60, "item-3", 9)
        told.open(60, "item-4", 1)
        told.begin(60, "item-4", 0)
        #expect(told.broken(until: 100) == [.order])
    }

    @Test func `only queued items follow a title`() {
        var told = Told.playing()
        told.add(2, .queueInserted(item: "item-2", url: "http://server/two.m3u8"))
        told.add(3, .itemReadyToPlay(item: "item-2", duration: 600))
        told.end(50, "item-1", 49)
        told.add(50, .itemPlayedToEnd(item: "item-1"), .queueCurrent(item: "item-2"))
        told.begin(50, "item-2", 0)
        told.end(60, "item-2", 10)
        told.open(60, "item-3", 0)
        told.begin(60, "item-3", 0)
        #expect(told.broken(until: 100) == [.order])
    }

    // MARK: Silence

    @Test func `a stop means silence, although the queue is empty then`() {
        var told = Told.playing()
        told.wish(10, .stop)
        told.end(10, "item-1", 9)
        told.add(10, .queueRemoved(item: "item-1", reason: "remove"), .queueEmptied(reason: "remove"))
        #expect(told.broken(until: 60) == [])
        told.open(15, "item-2", 0)
        told.begin(15, "item-2", 0)
        #expect(told.broken(until: 60) == [.unwished])
    }

    /// The app is left while it loads, is suspended, and the media arrive then.
    private func suspended(_ seconds: Double, left: Double, heard: Double? = nil, wish: Double? = nil) -> Told {
        var told = Told(titles: [["http://server/one.m3u8"]])
        told.wish(0, .play)
        told.add(0, .queueInserted(item: "item-1", url: "http://server/one.m3u8"), .queueCurrent(item: "item-1"))
        told.add(0, .requestBegan(request: 1, url: "http://server/one.m3u8", resource: "playlist"))
        told.add(left, .platformLifecycle(phase: "didEnterBackground"))
        if let heard {
            told.begin(left, "item-1", 0)
            told.end(heard, "item-1", heard - left)
        }
        if let wish { told.wish(wish, .seek(to: .seconds(5))) }
        told.add(seconds, .platformLifecycle(phase: "suspended"))
        told.add(100, .bufferLikelyToKeepUp(item: "item-1", isLikely: true))
        return told
    }

    @Test func `an app that is suspended while it loads should have held a background task`() {
        // The loading time on the screen does not matter.
        #expect(suspended(40, left: 30).broken(until: 200) == [.background])
        #expect(suspended(55, left: 30, heard: 45).broken(until: 200) == [.background])
    }

    @Test func `an app that has run without audio for the time limit may be suspended`() {
        #expect(suspended(55, left: 30).broken(until: 200) == [])
        // A user action does not renew the time.
        #expect(suspended(55, left: 30, wish: 50).broken(until: 200) == [])
    }

    // MARK: Background tasks

    @Test func `each background task must end`() {
        var told = Told.playing()
        told.add(10, .backgroundTaskBegan(policy: "app"), .backgroundTaskBegan(policy: "app"))
        told.add(20, .backgroundTaskEnded(policy: "app"))
        #expect(told.broken(until: 100) == [.task])
        told.add(30, .backgroundTaskEnded(policy: "app"))
        #expect(told.broken(until: 100) == [])
    }

    @Test(arguments: [(21.0, []), (25, [.task])] as [(Double, [BrokenRule.Rule])])
    func `a background task may be held up to its time limit, and must end then`(
        ended: Double,
        rules: [BrokenRule.Rule]
    ) {
        var told = Told.playing()
        told.add(9, .platformLifecycle(phase: "didEnterBackground"), .backgroundTaskBegan(policy: "app"))
        told.add(20, .backgroundTaskExpired(policy: "app"))
        told.add(ended, .backgroundTaskEnded(policy: "app"))
        #expect(told.broken(until: 100) == rules)
    }

    @Test func `a background task is useless while audio plays in the background`() {
        var told = Told.playing()
        told.add(9, .platformLifecycle(phase: "didEnterBackground"), .backgroundTaskBegan(policy: "app"))
        #expect(told.broken(until: 48) == [])
        #expect(told.broken(until: 50) == [.task])
    }

    // MARK: The platform and other players

    @Test func `a jump of the platform is none of the app, and one without its event is`() {
        for isPlatform in [true, false] {
            var told = Told.playing()
            told.end(21, "item-1", 20)
            if isPlatform { told.add(21, .itemTimeJumped(item: "item-1", position: 300)) }
            told.begin(21, "item-1", 300)
            #expect(told.broken(until: 60) == (isPlatform ? [] : [.jump]))
        }
    }

    @Test func `a seek that the platform moves into the seekable range is not lost`() {
        for target in [40.0, 100] {
            var told = Told.playing()
            told.wish(10, .seek(to: .seconds(40)))
            told.add(10, .seekBegan(item: "item-1", target: target, toleranceBefore: 0, toleranceAfter: 0))
            told.end(10, "item-1", 9)
            told.add(10.1, .itemTimeJumped(item: "item-1", position: 90))
            told.add(10.1, .seekEnded(item: "item-1", position: 90, isFinished: true))
            told.begin(10.1, "item-1", 90)
            #expect(told.broken(until: 40) == (target == 40 ? [] : [.lostSeek]))
        }
    }

    @Test func `silence is no violation while another player of the app is audible`() {
        for end in [70.0, 40] {
            var told = Told.playing()
            told.end(20, "item-1", 19)
            var context = RequirementContext(actions: told.wishes)
            context.audibleElsewhere = [Instant(seconds: 21)..<Instant(seconds: end)]
            let broken = RequirementChecker.broken(in: told.log, context, until: Instant(seconds: 70))
            #expect(broken.map(\.rule) == (end == 70 ? [] : [.silent]))
        }
    }

    @Test func `a seek does not concern a player that follows another one`() {
        for isFollower in [true, false] {
            var told = Told.playing()
            told.wish(10, .seek(to: .seconds(300)))
            told.wish(11, .rate(2))
            var context = RequirementContext(actions: told.wishes)
            (context.isOneOfSeveral, context.isFollower) = (true, isFollower)
            let broken = RequirementChecker.broken(in: told.log, context, until: Instant(seconds: 40))
            #expect(broken.map(\.rule) == (isFollower ? [] : [.lostSeek]))
        }
    }

    @Test func `an app that played by itself may pause by itself`() {
        var log = EventLog()
        log.append(.playerCommand(name: "play", item: "item-1"), at: .zero)
        log.append(.queueCurrent(item: "item-1"), at: .zero)
        log.append(.bufferLikelyToKeepUp(item: "item-1", isLikely: true), at: .zero)
        let context = RequirementContext(actions: [])
        let end = Instant(seconds: 60)
        #expect(RequirementChecker.broken(in: log, context, until: end).map(\.rule) == [.silent])
        log.append(.playerCommand(name: "pause", item: "item-1"), at: Instant(seconds: 5))
        #expect(RequirementChecker.broken(in: log, context, until: end).isEmpty)
    }

    // MARK: Titles that follow

    @Test func `an app may end with each title, until it has gone on by itself`() {
        func broken(advances: Bool?, goesOn: Bool) -> [BrokenRule.Rule] {
            var told = Told.playing()
            told.add(2, .bufferLikelyToKeepUp(item: "item-1", isLikely: true))
            told.end(50, "item-1", 49)
            told.add(50, .itemPlayedToEnd(item: "item-1"))
            if goesOn {
                told.open(50, "item-2", 1)
                told.begin(51, "item-2", 0)
                told.end(100, "item-2", 49)
                told.add(100, .itemPlayedToEnd(item: "item-2"))
            }
            var context = RequirementContext(actions: told.wishes)
            (context.titles, context.advances) = (told.titles, advances)
            return RequirementChecker.broken(in: told.log, context, until: Instant(seconds: 200)).map(\.rule)
        }
        #expect(broken(advances: nil, goesOn: false) == [])
        #expect(broken(advances: true, goesOn: false) == [.silent])
        #expect(broken(advances: nil, goesOn: true) == [.silent])
        #expect(broken(advances: false, goesOn: true) == [])
    }

    @Test func `a title that plays twice in a list is a violation`() {
        func broken(_ order: [Int]) -> [BrokenRule.Rule] {
            var told = Told.playing()
            var (now, item) = (1.0, "item-1")
            for (number, title) in order.enumerated() {
                told.end(now + 40, item, 40)
                told.add(now + 40, .itemPlayedToEnd(item: item))
                (now, item) = (now + 41, "item-\(number + 2)")
                told.open(now, item, title)
                told.begin(now, item, 0)
            }
            return told.broken(until: now + 5)
        }
        #expect(broken([1, 2]) == [])
        #expect(broken([0, 0]) == [])
        #expect(broken([0, 1]) == [.order])
        #expect(broken([1, 1]) == [.order])
    }

    // MARK: Loading

    @Test func `an item that is replaced by its copy before it is heard was loaded twice`() {
        for (isHeard, fails, acts) in [
            (false, false, false), (true, false, false), (false, true, false), (false, false, true),
        ] {
            var told = Told.playing()
            told.open(10, "item-2", 1)
            if isHeard { told.begin(10.5, "item-2", 0) }
            if fails { told.add(10.5, .itemFailed(item: "item-2", domain: "Network", code: 1, message: "gone")) }
            if acts { told.wish(10.5, .choose(1)) }
            told.open(11, "item-3", 1)
            told.add(11, .queueRemoved(item: "item-2", reason: "advance"))
            let found = told.broken(until: 12).filter { $0 == .twice }
            #expect(found == (isHeard || fails || acts ? [] : [.twice]))
        }
    }

    @Test func `audio between two failures resets the delay of retries`() {
        for (heard, delay, isBroken) in [(20.0, 16.0, true), (20, 2, false), (5, 16, false)] {
            var told = Told(titles: [])
            func fail(_ seconds: Double, _ item: String) {
                told.add(seconds, .itemFailed(item: item, domain: "Network", code: 1, message: "gone"))
            }
            func load(_ seconds: Double, _ item: String) {
                told.add(seconds, .queueInserted(item: item, url: "http://server/a"), .queueCurrent(item: item))
            }
            load(0, "item-1")
            fail(10, "item-1")
            load(11, "item-2")
            told.begin(12, "item-2", 0)
            told.end(12 + heard, "item-2", heard)
            fail(12 + heard, "item-2")
            load(12 + heard + delay, "item-3")
            #expect(told.broken(until: 60).contains(.backoff) == isBroken)
        }
    }
}
