import SegueBase
import SegueEvents
import SegueFetch
import SegueNetworkModel
import Testing

@testable import SeguePlayerModel

/// Sessions over the supplied networks, with traffic from the link model.
@Suite struct `Simulated networks` {
    private enum Payload: Sendable {
        case session(SessionInput)
        case wake
        case check
    }

    /// Goes home after 10 s of audio, returns after 20 s, and plays for another 20 s.
    private func run(
        _ network: LinkProfile,
        platform: String = "ios-4.3",
        app: String,
        seed: UInt64 = 1,
        fullWeight: Int = 12_000
    ) throws -> SessionRunner<Payload> {
        let title = Title(name: "title", duration: 70, weight: (full: fullWeight, background: 16_000))
        let profile = try Shipped.platform(platform)
        let loop = EventLoop<Payload>(pace: .virtual)
        let fetcher = SimulatedFetcher(
            profile: network,
            seed: seed,
            receiveWindow: profile.loading.requesting.receiveWindow,
            think: .zero,
            respond: { request in
                let answer = title.answer(String(request.url.dropFirst("http://origin/".count))) ?? (404, [])
                return (
                    FetchResponse(status: answer.status, headers: [], url: request.url, serverAddress: ""),
                    FetchBytes(answer.bytes)
                )
            },
            loop: FetchLoop(
                deliver: { loop.schedule(.session(.fetch($0)), at: $1, priority: .arrival) },
                wake: { loop.schedule(.wake, at: $0, priority: .arrival) }
            )
        )
        let runner = SessionRunner(
            session: PlaybackSession(
                platform: profile,
                app: try Shipped.app(app),
                seed: seed
            ),
            loop: loop,
            fetcher: fetcher,
            embed: { .session($0) }
        )
        runner.send(.open([title.address]))
        runner.send(.play)
        var check: EventQueue<Payload>.Token?
        var end = Instant(seconds: 1000)
        _ = loop.run { payload, now in
            switch payload {
            case .session(let input): runner.handle(input, at: now)
            case .wake: fetcher.wake(at: now)
            case .check:
                guard end == Instant(seconds: 1000), runner.session.heard(at: now) >= .seconds(10) else { break }
                end = now + .seconds(40)
                loop.schedule(.session(.command(.goHome)), at: now, priority: .settled)
                loop.schedule(.session(.command(.comeBack)), at: now + .seconds(20), priority: .settled)
                loop.schedule(.check, at: end, priority: .settled)
            }
            if now >= end { return loop.stop() }
            if let check { loop.cancel(check) }
            guard end == Instant(seconds: 1000) else { return }
            check = runner.session.instant(whenHeard: .seconds(10), at: now).map {
                loop.schedule(.check, at: $0, priority: .settled)
            }
        }
        return runner
    }

    @Test(arguments: [
        ("wifi", "switch-if-was-playing", BackgroundOutcome.continues),
        ("3g", "switch-if-was-playing", .rejected),
        ("wifi", "switch-when-ready", .continues),
        ("3g", "switch-when-ready", .continues),
    ])
    func `the bug appears on slow links only`(
        network: String,
        app: String,
        outcome: BackgroundOutcome
    ) throws {
        let profile = try LinkProfile(contentsOfFile: Shipped.path("networks/\(network).yaml"))
        for seed in 1...3 as ClosedRange<UInt64> {
            let runner = try run(profile, app: app, seed: seed)
            let now = try #require(runner.log.events.last?.at)
            #expect(runner.session.backgroundOutcome(at: now) == outcome, "\(runner.log.jsonLines)")
        }
    }

    @Test(arguments: [125_000, 400_000, 1_000_000])
    func `data in flight of a large movie do not block the audio`(bytesPerSecond: Int) throws {
        let profile = try LinkProfile(contentsOfFile: Shipped.path("networks/3g.yaml"))
        let runner = try run(profile, app: "switch-when-ready", fullWeight: bytesPerSecond)
        let now = try #require(runner.log.events.last?.at)
        #expect(runner.session.backgroundOutcome(at: now) == .continues)
    }

    @Test func `the same seed gives the same log on a lossy link`() throws {
        let profile = try LinkProfile(contentsOfFile: Shipped.path("networks/3g-lossy.yaml"))
        let logs = try [7, 7].map { try run(profile, app: "switch-when-ready", seed: $0).log.jsonLines }
        #expect(logs[0] == logs[1])
    }

    @Test func `a sweep of the link's delay has one threshold`() throws {
        let outcomes = try stride(from: 0, through: 300, by: 30).map { delay in
            let direction = LinkProfile.Direction(bitsPerSecond: 8_000_000, delay: .milliseconds(delay))
            let runner = try run(
                LinkProfile(name: "swept", down: direction, up: direction),
                app: "switch-and-resume-audio"
            )
            return runner.session.backgroundOutcome(at: try #require(runner.log.events.last?.at))
        }
        #expect(outcomes.first == .continues)
        #expect(outcomes.last == .rejected)
        let changes = outcomes.indices.dropFirst().count { outcomes[$0] != outcomes[$0 - 1] }
        #expect(changes == 1)
    }
}
