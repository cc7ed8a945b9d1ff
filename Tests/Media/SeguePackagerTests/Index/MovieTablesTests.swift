import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A long movie's tables` {
    /// All indexed properties of a file's packets and streams.
    static func facts(_ index: FileIndex) -> [[String]] {
        index.streams.sorted { $0.key < $1.key }.map { _, stream in
            let info = stream.info
            return stream.packets.map { "\($0)" }
                + stream.skips.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                + [
                    "\(stream.configurations)", "\(stream.firstPacket)", "\(stream.hasAscendingPositions)",
                    "\(info.duration as Any) \(info.start as Any) \(info.bitRate) \(info.reorderDelay) \(info.codec)",
                    "\(info.averageFrameRate as Any) \(info.realFrameRate as Any) \(info.metadataWords)",
                ]
        }
    }

    /// The first difference between two lists.
    static func difference(_ one: [[String]], _ other: [[String]]) -> String? {
        for (left, right) in zip(one, other) {
            if let place = zip(left, right).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
                return "\(place): \(left[place].prefix(300)) / \(right[place].prefix(300))"
            }
            if left.count != right.count { return "\(left.count) / \(right.count)" }
        }
        return one.count == other.count ? nil : "\(one.count) / \(other.count) streams"
    }

    static func compare(_ path: String, shown: Int) throws -> Bool {
        guard
            let told = try MovieIndex.fromTables(path: path, longMovie: 1, shown: shown, cancellation: Cancellation())
        else { return false }
        let input = try MediaInput(forIndexOf: path)
        let read = try IndexScan.run(input, readsContent: false, cancellation: Cancellation())
        #expect(difference(facts(told.index), facts(read)) == nil, "\(path)")
        #expect(told.input.duration == input.duration && told.input.bitRate == input.bitRate, "\(path)")
        return true
    }

    @Test(arguments: ["mp4", "mov"], [0, 2])
    func `equal those of a demuxer that reads all of them`(container: String, bFrames: Int) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 30, container: container, bFrames: bFrames)
        #expect(try Self.compare(clip.write(in: folder, name: "even"), shown: 100))
        clip.durations = [1, 2, 1]
        #expect(try Self.compare(clip.write(in: folder, name: "uneven"), shown: 100))
        clip.audioCodec = nil
        #expect(try Self.compare(clip.write(in: folder, name: "mute"), shown: 100))
    }

    @Test func `with an excessively long edit are rejected`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 10, container: "mp4", bFrames: 2).write(in: folder)
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        func put(_ number: UInt32, behind name: String, at place: Int) throws {
            let at = try #require(bytes.firstRange(of: Array(name.utf8))).upperBound + place
            bytes.replaceSubrange(at..<at + 4, with: withUnsafeBytes(of: number.bigEndian) { Array($0) })
        }
        // The edit's length is in seconds, because the movie's clock ticks once a second; the track's ticks are the
        // finest.
        try put(1, behind: "mvhd", at: 12)
        try put(.max - 1, behind: "elst", at: 8)
        try put(.max, behind: "mdhd", at: 12)
        let other = try folder.write(bytes, to: "other.mp4")
        #expect(throws: MovieTables.Unusual.self) { try MovieTables(path: other) }
        #expect(
            try MovieIndex.fromTables(path: other, longMovie: 1, shown: 20, cancellation: Cancellation()) == nil
        )
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["SEGUE_MEDIA"] != nil))
    func `of real files are equal`() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["SEGUE_MEDIA"])
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var count = 0
        for name in names.sorted()
        where ["mp4", "mov", "m4a", "m4v", "m4b", "3gp"].contains((name as NSString).pathExtension) {
            let path = folder + "/" + name
            guard MovieIndex.isComplete(path: path) else { continue }
            for shown in [130, 400] where try Self.compare(path, shown: shown) { count += 1 }
        }
        #expect(count > 0)
    }

    @Test func `give the same segments, and are rejected if truncated`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 30).write(in: folder)
        let tables = try MovieTables(path: path)
        let short = try ShortMovie(tables, least: 100)
        #expect(tables.tracks.count == 2)
        for track in tables.tracks {
            let shown = try #require(short.shown[track.id])
            #expect(shown.count >= 100 && shown.count < track.sizes.count && !shown.isAll)
        }
        let bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        let cut = try folder.write(Array(bytes.dropLast(200)), to: "cut.mp4")
        #expect(try MovieIndex.fromTables(path: cut, longMovie: 1, shown: 100, cancellation: Cancellation()) == nil)
    }
}

extension StreamInfo {
    /// The other properties of a stream.
    fileprivate var metadataWords: String {
        "\(width)x\(height) \(pixelFormat ?? "") \(profile) \(level) \(sampleRate) \(channelLayout) \(frameSize) "
            + "\(initialPadding) \(trailingPadding) \(language ?? "") \(rotation) \(colour.sorted { $0.key < $1.key })"
    }
}
