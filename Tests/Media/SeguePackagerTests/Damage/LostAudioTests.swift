import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

/// Audio of which libav refuses packets here and there: what follows them is heard when the source says, not as much
/// earlier as was lost.
@Suite struct `Sound of which packets are lost` {
    /// Half a minute of Vorbis, which is transcoded, one in so many of whose packets says that it is none of audio.
    private func source(in folder: TestFolder, breakingEvery step: Int) throws -> (path: String, broken: Int) {
        let clip = Clip(seconds: 30, container: "matroska", videoCodec: nil, audioCodec: "libvorbis")
        let path = try clip.write(in: folder)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let input = try MediaInput(path: path, cancellation: Cancellation())
        let packet = Packet()
        var (number, broken) = (0, 0)
        while try input.read(into: packet) {
            defer { number += 1 }
            guard number % step == step - 1 else { continue }
            let (position, payload) = (Int(packet.position), packet.bytes)
            let place = try #require((position..<position + 32).first { bytes[$0...].starts(with: payload) })
            bytes[place] |= 1
            broken += 1
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return (path, broken)
    }

    @Test(arguments: [7, 50]) func `is in time after each of them`(step: Int) throws {
        let folder = try TestFolder()
        let (path, broken) = try source(in: folder, breakingEvery: step)
        let pool = InputPool(path: path)
        let index = try Indexing(path: path, cancellation: Cancellation(), pool: pool).run().index
        let sound = try #require(index.streams.values.first)
        let reader = PacketReader(file: path, index: index, pool: pool, cancellation: Cancellation())
        let map = try AudioMap.make(sound, reader: reader)
        #expect(broken > 900 / step)
        // The first packet of Vorbis gives nothing.
        #expect((broken...broken + 1).contains(sound.packets.count - map.blocks.count))
        let late = map.blocks.map { block in
            let due = (Rational(sound.packets[block.packet].pts) * sound.info.timeBase).seconds
            return Double(map.time(ofSample: block.start)) / Double(map.outputRate) - due
        }
        // A packet is at most 23 ms, and begins up to half of one before its timestamp.
        #expect(late.allSatisfy { abs($0) < 0.03 }, "\(late.min() ?? 0) to \(late.max() ?? 0) s late")
    }
}
