import Foundation
import Harness
import Media
import Synthesis
import TestSupport
import Testing

@testable import Regression

/// What the suite says of files that are damaged themselves.
@Suite struct `Damaged files` {
    private static let recipes = """
        recipes:
          - file: film.mp4
            about: A film whose pictures all are keyframes, so that damage stays where it is.
            format: mp4
            muxer: {movflags: +faststart}
            duration: 12
            video: {codec: libx264, size: 96x64, rate: 10, interval: 1, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 8000, channels: 1}]
          - file: song.m4a
            about: A song.
            format: ipod
            duration: 12
            audio: [{codec: aac, rate: 44100, channels: 1}]
        """

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func made(_ name: String) throws -> String {
        try MediaMaker(recipes: RecipeReader.parse(Self.recipes, file: "test")).make(name, into: folder.path)
    }

    private func result(for path: String) throws -> CaseResult {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let suite = try Suite(
            paths: [path],
            scenarios: ["play-through"],
            networks: nil,
            platforms: nil,
            apps: nil,
            seed: 1,
            harness: HarnessFolder(path: root.appendingPathComponent("Harness").path)
        )
        let task = try #require(suite.tasks(logFolder: nil, limits: FileLimits()).first)
        return try #require(FileRunner(task: task).run().first?.result)
    }

    /// Where the packets of a stream lie in a file.
    private func packets(of kind: StreamKind, in path: String) throws -> [Range<Int>] {
        let input = try MediaInput(path: path)
        let stream = try #require(input.streams.first { $0.kind == kind }).index
        let packet = Packet()
        var places: [Range<Int>] = []
        while try input.read(into: packet) {
            guard packet.streamIndex == stream else { continue }
            places.append(Int(packet.position)..<Int(packet.position) + packet.size)
        }
        return places
    }

    private func overwrite(_ places: [Range<Int>], of path: String, with byte: UInt8) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for place in places { bytes.replaceSubrange(place, with: repeatElement(byte, count: place.count)) }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test func `a whole file gets no remark`() throws {
        let result = try result(for: made("film.mp4"))
        #expect(result.verdict == .pass)
        #expect(result.findings == [])
    }

    @Test func `pictures that cannot be decoded are counted, and are no failure`() throws {
        let path = try made("film.mp4")
        let places = try packets(of: .video, in: path)
        #expect(places.count == 120)
        // Three pictures from 3 s on: a unit of 1 byte, again and again, is no slice.
        try overwrite(Array(places[30..<33]), of: path, with: 0)
        let result = try result(for: path)
        #expect(result.verdict == .pass)
        let finding = try #require(result.findings.first)
        #expect(finding.rule == "source-damaged")
        #expect(finding.message.contains("3 of 120 pictures cannot be decoded, first at 3 s"))
        #expect(finding.message.hasSuffix("of what libav decodes of it nothing is missing"))
    }

    @Test func `sound that cannot be decoded is measured, and is no failure`() throws {
        let path = try made("song.m4a")
        let places = try packets(of: .audio, in: path)
        // Frames of 1024 samples at 44100 a second; ones all over name more bands than there are.
        try overwrite(Array(places[100..<110]), of: path, with: 0xFF)
        let result = try result(for: path)
        #expect(result.verdict == .pass)
        let message = try #require(result.findings.first?.message)
        #expect(message.contains("0.232 of "))
        #expect(message.contains("s of sound cannot be decoded"))
    }

    @Test func `a file that is cut off says where it ends`() throws {
        let path = try made("film.mp4")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: path))
        let result = try result(for: path)
        #expect(result.verdict == .pass)
        let message = try #require(result.findings.first?.message)
        #expect(message.contains("it ends after "))
        #expect(message.contains("of 12 s"))
    }

    @Test func `a file of which nothing can be decoded is skipped`() throws {
        let path = try made("song.m4a")
        try overwrite(try packets(of: .audio, in: path), of: path, with: 0xFF)
        let result = try result(for: path)
        #expect(result.verdict == .skip)
        #expect(result.findings.first?.rule == "unplayable")
        #expect(result.findings.first?.message.contains("libav decodes nothing of its sound (aac)") == true)
    }
}
