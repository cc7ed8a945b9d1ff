import Foundation
import HTTPTypes
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct Radio {
    @Test func `the ring keeps the newest frames, and late readers skip ahead`() {
        var ring = RadioRing(limit: 4)
        var (fresh, late) = (ring.beginning(2), 0)
        for number in 0..<6 { ring.append(.init(bytes: [UInt8(number)], title: "")) }
        #expect(ring.first == 2 && ring.end == 6)
        #expect(ring.read(&late, most: 1, back: 2).map(\.bytes) == [[4]])
        #expect(ring.read(&late, most: 9, back: 2).map(\.bytes) == [[5]])
        #expect(ring.read(&late, most: 9, back: 2).isEmpty && late == 6)
        fresh = ring.beginning(3)
        #expect(ring.read(&fresh, most: 9, back: 3).map(\.bytes) == [[3], [4], [5]])
        #expect(ring.beginning(100) == 2)
    }

    @Test func `encoding runs ahead by the lead, then in real time`() {
        #expect(RadioPace.wait(made: .seconds(5), elapsed: .zero) <= .zero)
        #expect(RadioPace.wait(made: .seconds(7), elapsed: .zero) == .seconds(1))
        #expect(RadioPace.wait(made: .seconds(100), elapsed: .seconds(94)) == .zero)
        #expect(RadioPace.wait(made: .seconds(100), elapsed: .seconds(200)) < .zero)
    }

    @Test func `titles appear after each interval, once each, and escaped`() {
        var writer = IcyWriter()
        var output: [UInt8] = []
        let frame = [UInt8](repeating: 7, count: 1000)
        for number in 0..<50 {
            let title = number < 20 ? "It's'; a\u{7} long one" : String(repeating: "ü", count: 4000)
            writer.write(.init(bytes: frame, title: title), to: &output)
        }
        var (place, audio, titles) = (0, 0, [String]())
        while place + IcyWriter.interval < output.count {
            audio += output[place..<place + IcyWriter.interval].count { $0 == 7 }
            place += IcyWriter.interval
            let size = Int(output[place]) * 16
            let text = output[place + 1..<place + 1 + size].prefix { $0 != 0 }
            if size > 0 { titles.append(String(decoding: text, as: UTF8.self)) }
            place += 1 + size
        }
        #expect(audio == 48_000 && output.count - place == 2000)
        #expect(titles.first == "StreamTitle='It's' ; a long one';")
        #expect(titles.count == 2 && titles[1].utf8.count <= 1020)
    }

    @Test(arguments: RadioFormat.allCases)
    func `one encoder runs through all files without a gap`(format: RadioFormat) throws {
        let served = try ServedFolder()
        var frames: [[UInt8]] = []
        let encoder = try RadioEncoder(format) { frames.append($0) }
        for file in ["plain.wav", "song.mp3", "films/old.mkv"] {
            #expect(try encoder.play(path: served.folder.file(file), cancellation: Cancellation()) { _ in })
        }
        #expect(try !encoder.play(path: served.folder.file("films/silent.mp4"), cancellation: Cancellation()) { _ in })
        #expect(throws: MediaError.self) {
            try encoder.play(path: served.folder.file("films/words.mp4"), cancellation: Cancellation()) { _ in }
        }
        // 2 s, 9 s, and 3 s of audio, less what the encoder still buffers.
        let seconds = Double(frames.count) * encoder.frameDuration.components.attoseconds.seconds
        #expect(abs(seconds - 14) < 0.3)
        // The frames are a stream that decodes to as many samples.
        let input = try MediaInput(bytes: frames.flatMap { $0 }, name: "stream", format: format == .mp3 ? "mp3" : "aac")
        let stream = try #require(input.streams.first)
        #expect(stream.codec == format.rawValue && stream.sampleRate == 44_100 && stream.channels == 2)
        let decoder = try Decoder(stream: stream, file: "stream")
        let packet = Packet()
        var samples = 0
        while try input.read(into: packet) { try decoder.decode(packet) { samples += $0.sampleCount } }
        #expect(abs(Double(samples) / 44_100 - seconds) < 0.2)
    }

    @Test func `a file with a truncated last frame counts as played`() throws {
        let served = try ServedFolder()
        var stream: [UInt8] = []
        let maker = try RadioEncoder(.aac) { stream += $0 }
        #expect(try maker.play(path: served.folder.file("plain.wav"), cancellation: Cancellation()) { _ in })
        // An ADTS stream that ends within a frame's header is a read error, not an end.
        let path = served.folder.file("cut.aac")
        try Data(stream + [0xFF, 0xF1, 0x50]).write(to: URL(fileURLWithPath: path))
        let input = try MediaInput(path: path)
        #expect(throws: MediaError.self) { while try input.read(into: Packet()) {} }
        var frames = 0
        let encoder = try RadioEncoder(.mp3) { _ in frames += 1 }
        #expect(try encoder.play(path: path, cancellation: Cancellation()) { _ in })
        #expect(frames > 60)
    }

    @Test func `concurrent requests share one station`() throws {
        let served = try ServedFolder()
        let stations = RadioStations(most: 8)
        let library = served.responder.library
        let first = try stations.station(folder: "films", format: .mp3, seed: nil, in: library)
        let second = try stations.station(folder: "films", format: .mp3, seed: nil, in: library)
        #expect(first === second && !first.isIdle)
        for seed in 1...7 { _ = try stations.station(folder: "films", format: .mp3, seed: seed, in: library) }
        let error = #expect(throws: OriginFailure.self) {
            try stations.station(folder: "films", format: .mp3, seed: 8, in: library)
        }
        #expect(error?.code == "tooManyStations")
        stations.stop()
        let many = RadioStations(most: 99)
        defer { many.stop() }
        for seed in 1...RadioStations.mostOfOne {
            _ = try many.station(folder: "films", format: .mp3, seed: seed, in: library, client: "192.0.2.1")
        }
        // One client cannot take all of them; it hears those of others.
        #expect(throws: OriginFailure.self) {
            try many.station(folder: "films", format: .mp3, seed: 99, in: library, client: "192.0.2.1")
        }
        let other = try many.station(folder: "films", format: .mp3, seed: 99, in: library, client: "192.0.2.2")
        #expect(
            try many.station(folder: "films", format: .mp3, seed: 99, in: library, client: "192.0.2.1") === other
        )
    }

    @Test func `several listeners share one encoding`() async throws {
        let served = try ServedFolder()
        let responder = served.responder
        let question = OriginRequest(target: "/radio?folder=films", headers: [.icyMetaData: "1"])
        let answer = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: responder.respond(to: question)) }.start()
        }
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "audio/mpeg")
        #expect(answer.headers[.icyMetaInterval] == "16000" && answer.headers[.icyName] == "films")
        #expect(answer.headers[.contentLength] == nil)
        // Without titles, whose positions differ between listeners.
        let untitled = await withCheckedContinuation { continuation in
            Thread {
                continuation.resume(returning: responder.respond(to: OriginRequest(target: "/radio?folder=films")))
            }
            .start()
        }
        guard case .endless(let body) = untitled.body else {
            Issue.record("the body has an end")
            return
        }
        var (one, two) = (body.open(), body.open())
        let first = try await Self.bytes(60_000, of: &one)
        let second = try await Self.bytes(10_000, of: &two)
        #expect(first.firstRange(of: second) != nil)
        one.close()
        two.close()
        responder.services.stations.stop()
        while await one.next() != nil {}
    }

    /// The first bytes of a listener.
    private static func bytes(_ count: Int, of reader: inout any EndlessReading) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try #require(await reader.next()) }
        return Array(bytes.prefix(count))
    }

    @Test func `files without audio are rejected with the reason`() async throws {
        let served = try ServedFolder()
        let responder = served.responder
        for (target, status, word) in [
            ("/radio?folder=nowhere", 422, "no files"), ("/radio?format=ogg", 400, "format"),
            ("/radio?shuffle=x", 400, "shuffle"),
        ] {
            let answer = responder.respond(to: OriginRequest(target: target))
            #expect(answer.status == status)
            guard case .bytes(let bytes) = answer.body else { continue }
            #expect(String(decoding: bytes, as: UTF8.self).contains(word))
        }
    }
}

extension Int64 {
    /// Attoseconds as seconds.
    fileprivate var seconds: Double { Double(self) / 1e18 }
}
