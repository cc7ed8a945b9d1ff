import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Errors of Apple's devices` {
    /// An error as the log and the item report it.
    private struct Report: Equatable, CustomStringConvertible {
        var domain: String
        var code: Int

        var description: String { "\(domain) \(code)" }
    }

    /// The first error in the log and the error of the item, for a title whose requests meet a status.
    private func play(_ platform: String, status: Int, of suffix: String) throws -> (log: Report?, item: Report?) {
        let title = Title(name: "title", duration: 30)
        let rig = Rig(
            platform: try Shipped.platform(platform, ["retries": "0", "retries-by-kind": "[]"]),
            titles: [title],
            instead: { $0.url.hasSuffix(suffix) ? (status, []) : nil }
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        _ = rig.runner.run(until: Instant(seconds: 60))
        let logged = rig.kinds.compactMap { kind -> Report? in
            guard case .errorLogEntry(_, _, let shown, let domain, let code, _) = kind else { return nil }
            #expect(shown == status)
            return Report(domain: domain, code: code)
        }
        let failed = rig.kinds.compactMap { kind -> Report? in
            guard case .itemFailed(_, let domain, let code, _) = kind else { return nil }
            return Report(domain: domain, code: code)
        }
        #expect(rig.session.number(.code, at: rig.loop.now) == failed.last.map { Double($0.code) })
        return (logged.first, failed.last)
    }

    @Test(arguments: [
        (403, -12660, -1102), (404, -12938, -1100), (401, -12937, -1008), (503, -12661, -1008), (400, -12666, -1008),
    ])
    func `follow from the status of a response`(status: Int, logged: Int, failed: Int) throws {
        for suffix in ["full.m3u8", "full/0.ts"] {
            let (log, item) = try play("ios-15", status: status, of: suffix)
            #expect(log == Report(domain: "CoreMediaErrorDomain", code: logged))
            #expect(item == Report(domain: "NSURLErrorDomain", code: failed))
            let own = try play("desktop", status: status, of: suffix)
            #expect(own.log == Report(domain: "HTTP", code: status) && own.item == own.log)
        }
    }

    @Test(arguments: [
        (PlaybackError.PlaylistCode.unreadable, -12642, -12642), (.lost, -12642, -12642), (.stuck, -12888, -12888),
        (.noVariant, -12880, -11867),
    ])
    func `follow from the error of a playlist`(code: PlaybackError.PlaylistCode, logged: Int, failed: Int) {
        let error = PlaybackError(code, "a reason")
        #expect(error.logged(as: .apple).code == logged && error.logged(as: .apple).domain == .coreMedia)
        #expect(error.reported(as: .apple).code == failed)
        #expect(error.reported(as: .apple).message.hasSuffix("a reason"))
        #expect(error.logged(as: .segue) == error && error.reported(as: .segue) == error)
    }

    @Test func `are those of AVFoundation for media, and for a reset`() {
        let codes = [(PlaybackError.Domain.media, 1), (.media, 2), (.media, 3), (.platform, 2)].map {
            PlaybackError($0.0, code: $0.1, "a reason").reported(as: .apple)
        }
        #expect(codes.allSatisfy { $0.domain == .avFoundation })
        #expect(codes.map(\.code) == [-11829, -11800, -11828, -11819])
    }

    @Test func `keep the domain and the code of the model where no report names others`() {
        for (domain, code) in [(PlaybackError.Domain.platform, 1), (.playlist, 4), (.network, -1005)] {
            let error = PlaybackError(domain, code: code, "a reason")
            #expect(error.reported(as: .apple) == error && error.logged(as: .apple) == error)
        }
    }
}
