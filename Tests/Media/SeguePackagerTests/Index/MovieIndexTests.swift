import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A movie's own index` {
    static func facts(_ index: FileIndex) -> [[String]] {
        index.streams.sorted { $0.key < $1.key }.map { _, stream in
            stream.packets.map { "\($0.pts) \($0.dts) \($0.size) \($0.position) \($0.isKey) \($0.isDiscarded)" }
                + stream.skips.map { "\($0.key): \($0.value)" }.sorted()
        }
    }

    @Test(arguments: ["mp4", "mov"])
    func `equals that of reading every packet`(container: String) throws {
        let folder = try TestFolder()
        let path = try Clip(container: container).write(in: folder)
        #expect(MovieIndex.isComplete(path: path))
        let lean = try MediaInput(forIndexOf: path)
        #expect(MovieIndex.isTrustworthy(lean))
        let told = try IndexScan.run(lean, readsContent: false, cancellation: Cancellation())
        let read = try IndexScan.run(MediaInput(path: path), cancellation: Cancellation())
        #expect(Self.facts(told) == Self.facts(read))
        #expect(!told.hasFingerprints && read.hasFingerprints)
    }

    @Test func `is rejected for truncated or fragmented content`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 5).write(in: folder)
        let bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        let cut = try folder.write(bytes.dropLast(10).map { $0 }, to: "cut.mp4")
        #expect(!MovieIndex.isComplete(path: cut))
        let presentation = try PresentationTests.open(path)
        let fragmented = try folder.write(
            PresentationTests.whole(presentation, rendition: .full, container: .fmp4),
            to: "fragmented.mp4"
        )
        #expect(!MovieIndex.isComplete(path: fragmented))
        #expect(!MovieIndex.isComplete(path: try Clip(seconds: 2, container: "matroska").write(in: folder)))
        let again = try PresentationTests.open(fragmented)
        let once = try Decoded(MediaInput(path: path), .video).frames
        let twice = try PresentationTests.whole(again, rendition: .full, container: .ts)
        #expect(try Decoded(MediaInput(bytes: twice, name: "delivered"), .video).frames == once)
    }
}
