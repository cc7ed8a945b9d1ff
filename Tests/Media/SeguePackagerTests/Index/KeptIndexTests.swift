import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Synchronization
import Testing

@testable import SeguePackager

@Suite struct `What is kept of files` {
    /// Keeps bytes in memory, and counts.
    final class Keeper: IndexKeeping {
        let parts = Mutex<[String: [UInt8]]>([:])
        let found = Mutex(0)

        func kept(_ part: String, of file: FileIdentity) -> [UInt8]? {
            let bytes = parts.withLock { $0["\(file.tag) \(part)"] }
            if bytes != nil { found.withLock { $0 += 1 } }
            return bytes
        }

        func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
            parts.withLock { $0["\(file.tag) \(part)"] = bytes }
        }
    }

    /// Everything that is delivered of a file.
    static func delivered(_ presentation: Presentation) throws -> [[UInt8]] {
        try SegmentContainer.allCases.flatMap { container in
            try [Rendition.full, .background].flatMap { rendition in
                let description = try presentation.rendition(rendition, in: container)
                return try (0..<description.extent.segmentCount).map {
                    try presentation.segment($0, of: rendition, in: container, cancellation: Cancellation())
                }
            }
        }
    }

    @Test(arguments: ["mpegts", "matroska", "avi", "mp4"])
    func `a file opened again is the same, and only its head is read`(container: String) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 20, container: container)
        if container == "avi" { (clip.audioCodec, clip.isNoise) = ("pcm_s16le", true) }
        let path = try clip.write(in: folder)
        let keeper = Keeper()
        let first = try Presentation.open(path: path, caching: .init(index: keeper), cancellation: Cancellation())
        let second = try Presentation.open(path: path, caching: .init(index: keeper), cancellation: Cancellation())
        let without = try Presentation.open(path: path, cancellation: Cancellation())
        let bytes = try Self.delivered(first)
        #expect(try Self.delivered(second) == bytes)
        #expect(try Self.delivered(without) == bytes)
        guard container != "mp4" else {
            #expect(second.indexing.source == .movie)
            return
        }
        #expect(first.indexing.source != .kept && second.indexing.source == .kept)
        #expect(keeper.found.withLock { $0 } == (container == "avi" ? 3 : 1))
        #expect(second.indexing.bytesRead < first.indexing.bytesRead)
    }

    @Test func `damaged bytes are as good as none`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 20, container: "mpegts").write(in: folder)
        let input = try MediaInput(path: path)
        let infos = input.streams
        let index = try IndexScan.run(input, cancellation: Cancellation())
        let bytes = KeptIndex.bytes(of: index)
        let again = try #require(KeptIndex.index(bytes, of: infos))
        #expect(`A movie's own index`.facts(again) == `A movie's own index`.facts(index))
        #expect(again.streams.mapValues(\.firstPacket) == index.streams.mapValues(\.firstPacket))
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 97)) {
            #expect(KeptIndex.index(Array(bytes.prefix(length)), of: infos) == nil)
        }
        for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 97)) {
            var broken = bytes
            broken[place] ^= 0x81
            #expect(KeptIndex.index(broken, of: infos) == nil)
        }
        #expect(KeptIndex.index(bytes, of: Array(infos.prefix(1))) == nil)
    }
}
