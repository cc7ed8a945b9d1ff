import Foundation
import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

/// Files whose timestamps are damaged, and are put right where what is around them tells how.
@Suite struct `Timestamps that cannot be` {
    /// A film in the plainest of containers: a head of 32 bytes, then for each frame its size, its time and its bytes.
    private static func film(_ folder: TestFolder) throws -> (path: String, bytes: [UInt8], pictures: [Int]) {
        let path = try Clip(container: "ivf", videoCodec: "libvpx", bFrames: 0, audioCodec: nil).write(in: folder)
        let bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        var places = [32]
        while let place = places.last, place < bytes.count {
            places.append(place + 12 + bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) })
        }
        return (path, bytes, Array(places.dropLast()))
    }

    @Test(arguments: [(40, 180), (40, 3), (90, 30000)])
    func `one picture's wrong time is that between its neighbours`(number: Int, time: Int) throws {
        let folder = try TestFolder()
        let (path, bytes, pictures) = try Self.film(folder)
        #expect(pictures.count == 13 * 25)
        let whole = try PresentationTests.open(path)
        var broken = bytes
        for byte in 0..<8 { broken[pictures[number] + 4 + byte] = UInt8(truncatingIfNeeded: time >> (8 * byte)) }
        let mended = try PresentationTests.open(folder.write(broken, to: "broken.ivf"))
        #expect(mended.plan.segments == whole.plan.segments)
        let wished = try PresentationTests.whole(whole, rendition: .full, container: .fmp4)
        #expect(try PresentationTests.whole(mended, rendition: .full, container: .fmp4) == wished)
    }

    @Test(arguments: [0, 2])
    func `a movie whose samples take no time is as long as it says`(bFrames: Int) throws {
        let folder = try TestFolder()
        let path = try Clip(bFrames: bFrames).write(in: folder)
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        for place in `Damaged files`.places(of: "stts", in: bytes) {
            let count = bytes[place + 8..<place + 12].reduce(0) { $0 << 8 | Int($1) }
            for entry in 0..<count {
                for byte in 0..<4 { bytes[place + 12 + 8 * entry + 4 + byte] = 0 }
            }
        }
        let presentation = try PresentationTests.open(folder.write(bytes, to: "still.mp4"))
        #expect(abs(presentation.plan.duration.seconds - 13) < 0.2)
        #expect(presentation.plan.segments.count == (try PresentationTests.open(path)).plan.segments.count)
        let delivered = try PresentationTests.whole(presentation, rendition: .full, container: .fmp4)
        let decoded = try Decoded(MediaInput(bytes: delivered, name: "delivered"), .video)
        #expect(decoded.pictures == (try Decoded(MediaInput(path: path), .video)).pictures)
        for (place, time) in decoded.times.enumerated() {
            #expect(abs((time - decoded.times[0]).seconds - Double(place) / 25) < 0.05)
        }
    }
}
