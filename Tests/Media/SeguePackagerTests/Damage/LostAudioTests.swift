import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

/// Audio with packets that libav rejects: the following audio plays at its time, not earlier by the lost duration.
@Suite struct `Audio with lost packets` {
    /// Half a minute of Vorbis, which is transcoded, with every `step`-th packet marked as not being audio.
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

    @Test(arguments: [7, 50]) func `is in sync after each of them`(step: Int) throws {
        let folder = try TestFolder()
        let (path, broken) = try source(in: folder, breakingEvery: step)
        let pool = InputPool(path: path)
        let index = try Indexing(path: path, cancellation: Cancellation(), pool: pool).run().index
        let audio = try #require(index.streams.values.first)
        let reader = PacketReader(file: path, index: index, pool: pool, cancellation: Cancellation())
        let map = try AudioMap.make(audio, reader: reader)
        #expect(broken > 900 / step)
        // The first Vorbis packet gives no samples.
        #expect((broken...broken + 1).contains(audio.packets.count - map.blocks.count))
        let late = map.blocks.map { block in
            let due = (Rational(audio.packets[block.packet].pts) * audio.info.timeBase).seconds
            return Double(map.time(ofSample: block.start)) / Double(map.outputRate) - due
        }
        // A packet is at most 23 ms long and begins up to half of that before its timestamp.
        #expect(late.allSatisfy { abs($0) < 0.03 }, "\(late.min() ?? 0) to \(late.max() ?? 0) s late")
    }
}
