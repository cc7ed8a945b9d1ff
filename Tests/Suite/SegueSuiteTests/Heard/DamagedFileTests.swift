import Foundation
import SegueBase
import SegueComparison
import SegueConcurrency
import SegueData
import SegueFFmpeg
import SeguePackager
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SegueSuite

/// Findings of the suite for damaged source files.
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
          - file: ordered.mp4
            about: A film whose pictures are decoded in another order than they are shown in.
            format: mp4
            duration: 12
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, bframes: 2}
            audio: [{codec: aac, rate: 8000, channels: 1}]
          - file: fragments.mp4
            about: A film in fragments.
            format: mp4
            muxer: {movflags: +frag_keyframe+empty_moov}
            duration: 12
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 8000, channels: 1}]
          - file: film.flv
            about: A film that is transcoded.
            format: flv
            duration: 8
            video: {codec: flv, size: 96x64, rate: 10, interval: 20}
          - file: film.ogv
            about: A film whose decoder needs headers.
            format: ogg
            duration: 4
            video: {codec: libtheora, size: 96x64, rate: 10, interval: 20}
            audio: [{codec: libvorbis, rate: 44100, channels: 1}]
          - file: quick.mp4
            about: A film with more pictures a second and more channels than old devices take.
            format: mp4
            duration: 8
            video: {codec: libx264, size: 320x180, rate: 60, interval: 60, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 48000, channels: 6}]
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

    private func result(for path: String, device: String? = nil) throws -> CaseResult {
        let root = Checkout.root
        let suite = try Suite(
            SuiteSources([path]),
            SuiteChoices(scenarios: ["play-through"], devices: device.map { [$0] }),
            harness: HarnessFolder(path: root.appendingPathComponent("Harness").path)
        )
        let task = try #require(suite.tasks(logFolder: nil, wantsStories: false, limits: FileLimits()).first)
        var results: [CaseResult] = []
        try FileRunner(task: task, progress: FileProgress(path: task.path)).run { results.append($0.result) }
        return try #require(results.first)
    }

    /// The positions of a stream's packets in a file.
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

    @Test func `formats that a device does not support are transcoded correctly`() throws {
        let path = try made("quick.mp4")
        #expect(try result(for: path).verdict == .pass)
        // The device accepts 480 x 320, 30 frames per second and two channels.
        let result = try result(for: path, device: "iphone-3g")
        #expect(result.verdict == .pass, "\(result.findings)")
        #expect(result.findings == [])
    }

    @Test func `a whole file gets no remark`() throws {
        let result = try result(for: made("film.mp4"))
        #expect(result.verdict == .pass)
        #expect(result.findings == [])
    }

    @Test func `frames that cannot be decoded are counted, and are not a failure`() throws {
        let path = try made("film.mp4")
        let places = try packets(of: .video, in: path)
        #expect(places.count == 120)
        // Three frames from 3 s: repeated units of 1 byte are not slices.
        try overwrite(Array(places[30..<33]), of: path, with: 0)
        let result = try result(for: path)
        #expect(result.verdict == .pass)
        let finding = try #require(result.findings.first)
        #expect(finding.rule == "source-damaged")
        #expect(finding.message.text.contains("3 of 120 frames cannot be decoded, first at 3 s"))
        #expect(finding.message.text.hasSuffix("everything that libav can decode was delivered"))
    }

    @Test func `undecodable frames at the beginning of a segment are not a failure`() throws {
        let path = try made("ordered.mp4")
        // The second packet of the file, and the second one after a keyframe in the middle.
        let places = try packets(of: .video, in: path)
        try overwrite([places[1], places[61]].map { $0.lowerBound..<$0.lowerBound + 4 }, of: path, with: 0x7F)
        let result = try result(for: path)
        #expect(result.verdict == .pass, "\(result.findings)")
        #expect(result.findings.map(\.rule) == ["source-damaged"])
        #expect(result.findings.first?.message.text.contains("2 of 120 frames cannot be decoded") == true)
    }

    @Test func `audio that cannot be decoded is measured, and is not a failure`() throws {
        let path = try made("song.m4a")
        let places = try packets(of: .audio, in: path)
        // Frames of 1024 samples at 44,100 Hz; ones only stand for more bands than exist.
        try overwrite(Array(places[100..<110]), of: path, with: 0xFF)
        let result = try result(for: path)
        #expect(result.verdict == .pass)
        let message = try #require(result.findings.first?.message.text)
        #expect(message.contains("0.232 of "))
        #expect(message.contains("s of audio cannot be decoded"))
    }

    @Test func `a truncated file is reported with its end`() throws {
        let path = try made("film.mp4")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: path))
        let result = try result(for: path)
        #expect(result.verdict == .pass)
        let message = try #require(result.findings.first?.message.text)
        #expect(message.contains("it ends after "))
        #expect(message.contains("of the declared 12 s"))
    }

    @Test func `frames before the first declared keyframe are decoded`() throws {
        let path = try made("film.flv")
        let first = try #require(try packets(of: .video, in: path).first)
        // The position of a video tag is that of its 11-byte header; the next byte has the frame type and the codec.
        try overwrite([first.lowerBound + 11..<first.lowerBound + 12], of: path, with: 0x22)
        let presentation = try Presentation.open(path: path, cancellation: Cancellation())
        let key = try presentation.segment(0, of: .keyframes, in: .fmp4, cancellation: Cancellation())
        #expect(!key.isEmpty)
        #expect(try result(for: path).verdict == .pass)
    }

    @Test func `audio is served beside video with damaged headers`() throws {
        let path = try made("film.ogv")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The third header of Theora, which contains its tables.
        let tables = try #require(bytes.range(of: Data([0x82] + Array("theora".utf8))))
        bytes.replaceSubrange(tables.upperBound..<tables.upperBound + 400, with: repeatElement(0xFF, count: 400))
        try bytes.write(to: URL(fileURLWithPath: path))
        let presentation = try Presentation.open(path: path, cancellation: Cancellation())
        #expect(throws: PackagingError.self) { try presentation.rendition(.full, in: .fmp4) }
        #expect(try presentation.rendition(.background, in: .fmp4).hasAudio)
        let result = try result(for: path)
        #expect(result.verdict == .known)
        #expect(result.findings.first?.rule == "refused")
    }

    @Test func `video with damaged parameter sets is not copied`() throws {
        let path = try made("film.mp4")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // ISO/IEC 14496-15, 5.3.3: after the box's name follow five bytes, the number of sets, and the first length.
        let box = try #require(bytes.range(of: Data("avcC".utf8)))
        try overwrite([box.upperBound + 8..<box.upperBound + 18], of: path, with: 0xC8)
        let presentation = try Presentation.open(path: path, cancellation: Cancellation())
        #expect(throws: PackagingError.self) { try presentation.rendition(.full, in: .ts) }
        #expect(try presentation.rendition(.background, in: .ts).hasAudio)
        #expect(try result(for: path).verdict == .known)
    }

    @Test func `a truncated fragmented file is expected up to where one pass reads it`() throws {
        let path = try made("fragments.mp4")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for part in [0.3, 0.45, 0.6, 0.75, 0.9] {
            try bytes.prefix(Int(Double(bytes.count) * part)).write(to: URL(fileURLWithPath: path))
            #expect(try result(for: path).verdict == .pass)
        }
    }

    @Test func `a file with too many streams is skipped with the reason`() throws {
        let path = try made("song.m4a")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let track = try #require(Self.box("trak", in: bytes))
        let movie = try #require(Self.box("moov", in: bytes))
        let more = (0..<1200).reduce(into: Data()) { all, _ in all.append(bytes[track]) }
        bytes.insert(contentsOf: more, at: track.upperBound)
        let size = UInt32(movie.count + more.count).bigEndian
        bytes.replaceSubrange(movie.lowerBound..<movie.lowerBound + 4, with: withUnsafeBytes(of: size) { Data($0) })
        try bytes.write(to: URL(fileURLWithPath: path))
        let result = try result(for: path)
        #expect(result.verdict == .skip)
        #expect(result.findings.first?.message.text.contains("more than 1000 streams") == true)
    }

    /// The position of the first box with a name, at any depth.
    private static func box(_ name: String, in bytes: Data) -> Range<Int>? {
        guard let place = bytes.range(of: Data(name.utf8))?.lowerBound, place >= 4 else { return nil }
        let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
        return place - 4..<place - 4 + size
    }

    @Test func `a file without decodable media is skipped`() throws {
        let path = try made("song.m4a")
        try overwrite(try packets(of: .audio, in: path), of: path, with: 0xFF)
        let result = try result(for: path)
        #expect(result.verdict == .skip)
        #expect(result.findings.first?.rule == "unplayable")
        #expect(result.findings.first?.message.text.contains("libav cannot decode any of the audio (aac)") == true)
    }
}
