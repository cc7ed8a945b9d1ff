import SegueBase
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Logs in the W3C extended format` {
    /// Returns the entries of a log, each as its fields by name.
    private func entries(_ log: String) throws -> [[String: String]] {
        let lines = log.split(whereSeparator: \.isNewline)
        try #require(lines.count >= 2)
        #expect(lines[0] == "#Version: 1.0")
        try #require(lines[1].hasPrefix("#Fields: "))
        let names = lines[1].split(separator: " ").dropFirst().map(String.init)
        return try lines.dropFirst(2).map { line in
            let values = line.split(separator: " ").map(String.init)
            try #require(values.count == names.count, "\(line)")
            return Dictionary(uniqueKeysWithValues: zip(names, values))
        }
    }

    @Test func `contain each stretch and each error of every item`() throws {
        let titles = [Title(name: "first", duration: 24), Title(name: "second", duration: 12)]
        var misses = 1
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: titles) { request in
            guard request.url.hasSuffix("first/full/2.ts"), misses > 0 else { return nil }
            misses -= 1
            return (503, [])
        }
        rig.plan(.open(titles.map(\.address)), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.seek(to: .seconds(20), toleranceBefore: .zero, toleranceAfter: .zero), at: 10)
        #expect(rig.runner.run() == .idle)

        let access = try entries(rig.session.extendedAccessLog(at: rig.loop.now))
        #expect(access.map { $0["x-item"] } == ["item-1", "item-1", "item-2"])
        #expect(access.map { $0["x-reason"] } == ["seek", "end", "end"])
        #expect(access[1]["x-watched-duration"] == "4.000")
        #expect(access[2]["x-watched-duration"] == "12.000")
        #expect(access[2]["cs-uri"] == "http://origin/second/full.m3u8")
        #expect(access[2]["x-segments"] == "2")
        #expect(access[2]["s-ip"] == "memory:80")
        #expect(access[2]["x-indicated-bitrate"] == "-", "a media playlist declares none")

        let errors = try entries(rig.session.extendedErrorLog)
        #expect(errors.count == 1)
        #expect(errors[0]["x-item"] == "item-1")
        #expect(errors[0]["sc-status"] == "503")
        #expect(errors[0]["x-domain"] == "HTTP")
        #expect(errors[0]["cs-uri"] == "http://origin/first/full/2.ts")
    }

    @Test func `an open entry counts playback up to now`() throws {
        let title = Title(name: "title", duration: 60)
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.seek(to: .seconds(30), toleranceBefore: .zero, toleranceAfter: .zero), at: 10)
        #expect(rig.runner.run(until: Instant(seconds: 20)) == .limit)
        let again = try #require(rig.trail.stretches(at: Instant(seconds: 20)).last?.began)
        let access = try entries(rig.session.extendedAccessLog(at: Instant(seconds: 20)))
        #expect(access.map { $0["x-reason"] } == ["seek", "-"])
        let watched = try #require(Double(access[1]["x-watched-duration"] ?? ""))
        #expect(abs(watched - (20 - again.seconds)) < 0.001)
        #expect(watched > 9)
    }
}
