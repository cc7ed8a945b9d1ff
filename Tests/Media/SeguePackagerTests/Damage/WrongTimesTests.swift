import Foundation
import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

/// Files with damaged timestamps that can be repaired from their neighbors.
@Suite struct `Timestamps that cannot be` {
    /// A movie in a minimal container: a 32-byte header, then the size, time, and bytes of each frame.
    private static func film(_ folder: TestFolder) throws -> (path: String, bytes: [UInt8], frames: [Int]) {
        let path = try Clip(container: "ivf", videoCodec: "libvpx", bFrames: 0, audioCodec: nil).write(in: folder)
        let bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        var places = [32]
        while let place = places.last, place < bytes.count {
            places.append(place + 12 + bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) })
        }
        return (path, bytes, Array(places.dropLast()))
    }

    @Test(arguments: [(40, 180), (40, 3), (90, 30000)])
    func `a frame's wrong time becomes the one between its neighbors`(number: Int, time: Int) throws {
        let folder = try TestFolder()
        let (path, bytes, frames) = try Self.film(folder)
        #expect(frames.count == 13 * 25)
        let whole = try PresentationTests.open(path)
        var broken = bytes
        for byte in 0..<8 { broken[frames[number] + 4 + byte] = UInt8(truncatingIfNeeded: time >> (8 * byte)) }
        let mended = try PresentationTests.open(folder.write(broken, to: "broken.ivf"))
        #expect(mended.plan.segments == whole.plan.segments)
        let wished = try PresentationTests.whole(whole, rendition: .full, container: .fmp4)
        #expect(try PresentationTests.whole(mended, rendition: .full, container: .fmp4) == wished)
    }

    @Test(arguments: [0, 2])
    func `a movie with zero sample durations has its declared duration`(bFrames: Int) throws {
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
        #expect(decoded.frames == (try Decoded(MediaInput(path: path), .video)).frames)
        for (place, time) in decoded.times.enumerated() {
            #expect(abs((time - decoded.times[0]).seconds - Double(place) / 25) < 0.05)
        }
    }
}
