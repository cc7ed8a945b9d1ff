import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Files of unhelpful servers` {
    private func radio(_ bytes: [UInt8], _ headers: [(name: String, value: String)] = []) -> FileFetcher.File {
        FileFetcher.File(
            bytes: bytes,
            takesRanges: false,
            announcesLength: false,
            headers: [("icy-name", "x")] + headers
        )
    }

    @Test(arguments: [("a.mp4", MediaBytes.mp4(seconds: 3, weight: 5000)), ("a.wav", MediaBytes.wav(seconds: 1))])
    func `a server that sends a byte per second fails with the reason`(name: String, file: [UInt8]) throws {
        let rig = try FileRig(
            [name: .init(bytes: file, step: 1)],
            line: Line(delay: .zero, bitsPerSecond: 8)
        )
        rig.play(name, until: Instant(seconds: 600))
        #expect(rig.session.isFailed)
        #expect(rig.errors.count == 3 && rig.errors.allSatisfy { $0.contains("received in") }, "\(rig.errors)")
        #expect(rig.fetcher.cancelled.count == 3)
    }

    @Test func `a server that ends every response at the same byte does not get endless requests`() throws {
        let breaks = Array(repeating: 500_000, count: 40)
        let rig = try FileRig(
            ["a.wav": .init(bytes: MediaBytes.wav(seconds: 60), takesRanges: false, breaks: breaks)]
        )
        rig.play("a.wav")
        #expect(rig.session.isFailed)
        // The first response made progress; after it, each of the three retries fails.
        #expect(rig.fetcher.asked.count == 4)
        #expect(rig.trail.played(at: rig.loop.now).seconds > 30)
    }

    @Test func `a connection lost after all needed data is not reopened`() throws {
        let film = MediaBytes.mp4(seconds: 60)
        let rig = try FileRig(
            [
                "a.mp4": .init(
                    bytes: film + [0, 1, 0x86, 0xA0] + Array("free".utf8) + Array(repeating: 0, count: 99_992),
                    takesRanges: false,
                    headers: [("accept-ranges", "none")],
                    breaks: [film.count + 50_000]
                )
            ]
        )
        rig.play("a.mp4")
        #expect(rig.session.isFinished)
        #expect(rig.fetcher.asked.count == 1)
        #expect(rig.trail.played(at: rig.loop.now) == .seconds(60))
    }

    @Test func `a stream that stops being audio fails with the reason`() throws {
        let rig = try FileRig(
            ["live": radio(MediaBytes.mp3(seconds: 5) + Array(repeating: 0, count: 600_000))],
            line: Line(delay: .zero, bitsPerSecond: 400_000)
        )
        rig.play("live")
        #expect(rig.session.isFailed)
        #expect(rig.errors.last?.contains("no MP3 or AAC") ?? false, "\(rig.errors)")
        #expect(abs(rig.trail.heard(at: rig.loop.now).seconds - 5) < 0.1)
    }

    @Test func `titles that change with every byte are reported once a second`() throws {
        var bytes: [UInt8] = []
        for number in 0..<20_000 {
            let text = Array("StreamTitle='\(number)';".utf8)
            bytes += [0xFF, 2] + text + Array(repeating: 0, count: 32 - text.count)
        }
        let rig = try FileRig(
            ["live": radio(bytes, [("icy-metaint", "1")])],
            line: Line(delay: .zero, bitsPerSecond: 140_000)
        )
        rig.play("live", until: Instant(seconds: 30))
        let titles = rig.kinds.compactMap { if case .streamTitle(_, let title) = $0 { Int(title) } else { nil } }
        #expect((10...31).contains(titles.count))
        // The last title is the one reported.
        #expect((titles.last ?? 0) > 13_000)
    }

    @Test func `a film with an excessive announced size has a bit rate and too few bytes`() throws {
        var film = MediaBytes.mp4(seconds: 1)
        func put(_ values: [UInt32], behind type: String, skipping count: Int) {
            let name = Array(type.utf8)
            let start = film.indices.first { film[$0...].starts(with: name) } ?? 0
            for (index, value) in values.enumerated() {
                for byte in 0..<4 {
                    film[start + 4 + count + index * 4 + byte] = UInt8(
                        truncatingIfNeeded: value >> (24 - 8 * UInt32(byte))
                    )
                }
            }
        }
        // 10 ms, with 2^30 samples of 2^29 bytes.
        put([10], behind: "mvhd", skipping: 16)
        put([1 << 30, 0], behind: "stts", skipping: 8)
        put([1 << 30], behind: "stsc", skipping: 12)
        put([1 << 29, 1 << 30], behind: "stsz", skipping: 4)
        film += Array(repeating: 0, count: 1_000_000)
        let rig = try FileRig(["a.mp4": .init(bytes: film)], line: .slow)
        rig.play("a.mp4", until: Instant(seconds: 5))
        let client = try #require(rig.session.player.current?.client)
        #expect(client.indicatedBitrate == 1_000_000_000_000_000)
        rig.runner.run(until: Instant(seconds: 60))
        #expect(rig.errors.last?.contains("ends at byte") ?? false, "\(rig.errors)")
    }
}
