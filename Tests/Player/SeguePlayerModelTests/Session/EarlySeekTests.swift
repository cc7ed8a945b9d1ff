import SegueBase
import SegueEvents
import Testing

@testable import SeguePlayerModel

/// A switch seeks in the new item before its timeline is known, and sometimes lands at the start of the segment.
@Suite struct EarlySeekTests {
    /// Leaves the app at 20 s, and returns the run after the switch.
    private func run(_ platform: String, _ app: String = "switch-when-ready", percent: Int? = nil, seed: UInt64) throws
        -> Rig
    {
        let title = Title(name: "title", duration: 90)
        let changes = percent.map { ["early-seek-jumps": "\($0)"] } ?? [:]
        let rig = Rig(
            platform: try Shipped.platform(platform, changes),
            app: try Shipped.app(app),
            seed: seed,
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 20)
        _ = rig.runner.run(until: Instant(seconds: 30))
        return rig
    }

    /// The positions that were sought and reached, if they differ.
    private func moves(_ rig: Rig) -> [(wanted: Double, position: Double)] {
        rig.kinds.compactMap { kind in
            if case .itemStartMoved(_, let wanted, let position) = kind { (wanted, position) } else { nil }
        }
    }

    private let seeds = 1...60 as ClosedRange<UInt64>

    @Test func `some switches on iOS 4 jump back to the start of the segment, and most do not`() throws {
        for platform in ["ios-4.2", "ios-4.3"] {
            let jumps = try seeds.count { seed in
                let rig = try run(platform, seed: seed)
                let moves = moves(rig)
                let repeated = (rig.session.metrics(at: Instant(seconds: 30)).repeatedAtSwitches ?? .zero).seconds
                // Segments are 6 s long.
                for move in moves { #expect(move.position == 18 && move.wanted > 18 && move.wanted < 20.2) }
                #expect(abs(repeated - (moves.first.map { $0.wanted - $0.position } ?? 0)) < 1e-6)
                #expect(rig.session.backgroundOutcome(at: Instant(seconds: 30)) == .continues)
                return !moves.isEmpty
            }
            #expect(jumps > 6 && jumps < 30, "\(jumps) of 60")
        }
    }

    @Test(arguments: [0, 100])
    func `the platform's field gives the share`(percent: Int) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            #expect(try moves(run("ios-4.3", percent: percent, seed: seed)).isEmpty == (percent == 0))
        }
    }

    @Test func `the same seed gives the same start`() throws {
        for seed in seeds.prefix(10) {
            #expect(try moves(run("ios-4.3", seed: seed)).count == moves(run("ios-4.3", seed: seed)).count)
        }
    }

    @Test(arguments: ["ios-12.2", "desktop"])
    func `later versions start exactly`(platform: String) throws {
        for seed in seeds.prefix(20) { #expect(try moves(run(platform, seed: seed)).isEmpty) }
    }

    @Test func `an item that is loaded ahead knows its timeline, and does not jump`() throws {
        for seed in seeds.prefix(20) {
            let rig = try run("ios-4.3", "switch-preloaded", percent: 100, seed: seed)
            #expect(moves(rig).isEmpty)
            #expect(rig.session.metrics(at: Instant(seconds: 30)).repeatedAtSwitches == .zero)
        }
    }
}
