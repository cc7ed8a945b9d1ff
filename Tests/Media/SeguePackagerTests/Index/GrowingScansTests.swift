import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A file that grows` {
    /// A recording of which parts are written.
    private struct Recording {
        let path: String
        let bytes: [UInt8]
        let scans: GrowingScans

        init(_ clip: Clip, reach: Int64 = 60_000, in folder: TestFolder) throws {
            scans = GrowingScans(reach: reach)
            bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: clip.write(in: folder))))
            path = try folder.write([], to: "recording.ts")
        }

        func write(upTo share: Double) throws {
            let handle = try #require(FileHandle(forWritingAtPath: path))
            let start = try Int(handle.seekToEnd())
            try handle.write(contentsOf: bytes[start..<Int(Double(bytes.count) * share)])
            try handle.close()
        }

        func open(isKept: Bool = true) throws -> Presentation {
            try Presentation.open(
                path: path,
                growth: FileIdentity(ofFileAt: path).growing(from: "tag", isComplete: false),
                caching: .init(scans: isKept ? scans : nil),
                cancellation: Cancellation()
            )
        }
    }

    private static let clips = [
        Clip(seconds: 40, container: "mpegts", isNoise: true),
        Clip(seconds: 40, container: "mpegts", audioCodec: nil, width: 320, height: 240),
        Clip(seconds: 40, container: "mpegts", videoCodec: nil, isNoise: true),
        Clip(seconds: 40, container: "mpegts", audioCodec: "ac3", isNoise: true, missingAudio: 12..<20),
    ]

    @Test(arguments: clips.indices)
    func `is read on, with the same result as from the beginning`(number: Int) throws {
        let folder = try TestFolder()
        let recording = try Recording(Self.clips[number], in: folder)
        try recording.write(upTo: 0.5)
        let first = try recording.open()
        #expect(recording.scans.scan(of: recording.path, tag: "tag") != nil)
        for share in [0.6, 0.75, 0.9, 1] {
            try recording.write(upTo: share)
            let (kept, whole) = (try recording.open(), try recording.open(isKept: false))
            #expect(kept.facts.plan == whole.facts.plan)
            #expect(kept.tracks.index.streams.keys == whole.tracks.index.streams.keys)
            for (stream, index) in kept.tracks.index.streams {
                #expect(Array(index.packets) == Array(whole.tracks.index.streams[stream]?.packets ?? []))
            }
            #expect(kept.facts.continues(first.facts))
            // Less than the new part, what is read before it, and the probed beginning.
            #expect(kept.indexing.bytesRead < whole.indexing.bytesRead)
        }
    }

    @Test(arguments: [nil, "aac"]) func `in Matroska is read on from a cluster`(audio: String?) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 40, container: "matroska", bFrames: 2, audioCodec: audio, isNoise: true)
        clip.muxerOptions = ["live": "1", "cluster_time_limit": "1000"]
        let recording = try Recording(clip, reach: 5000, in: folder)
        try recording.write(upTo: 0.5)
        let first = try recording.open()
        for share in [0.6, 0.75, 0.9, 1] {
            try recording.write(upTo: share)
            let (kept, whole) = (try recording.open(), try recording.open(isKept: false))
            #expect(recording.scans.walk(of: recording.path, tag: "tag") != nil)
            #expect(kept.indexing.source == .blocks && whole.indexing.source == .blocks)
            #expect(kept.facts.plan == whole.facts.plan)
            for (stream, index) in kept.tracks.index.streams {
                #expect(Array(index.packets) == Array(whole.tracks.index.streams[stream]?.packets ?? []))
            }
            #expect(kept.facts.continues(first.facts))
        }
    }

    @Test func `in Matroska is not read again before the cluster`() throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 40, container: "matroska", bFrames: 2, isNoise: true)
        clip.muxerOptions = ["live": "1", "cluster_time_limit": "1000"]
        let recording = try Recording(clip, reach: 5000, in: folder)
        try recording.write(upTo: 0.5)
        _ = try recording.open()
        let handle = try #require(FileHandle(forWritingAtPath: recording.path))
        try handle.seek(toOffset: UInt64(recording.bytes.count / 4))
        try handle.write(contentsOf: [UInt8](repeating: 0, count: 4096))
        try handle.close()
        try recording.write(upTo: 1)
        #expect(try recording.open().indexing.source == .blocks)
        #expect(try recording.open(isKept: false).indexing.source == .packets)
    }

    @Test func `of another content is read from the beginning`() throws {
        let folder = try TestFolder()
        let recording = try Recording(Self.clips[0], in: folder)
        try recording.write(upTo: 0.5)
        _ = try recording.open()
        let other = try Clip(seconds: 40, container: "mpegts", isNoise: true, width: 96).write(
            in: folder,
            name: "other"
        )
        let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
        try bytes.write(to: URL(fileURLWithPath: recording.path))
        #expect(try recording.open().facts.plan == recording.open(isKept: false).facts.plan)
    }
}
