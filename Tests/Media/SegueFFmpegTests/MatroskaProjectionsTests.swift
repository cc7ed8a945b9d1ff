import SegueTestSupport
import Testing

@testable import SegueFFmpeg

@Suite struct `Projections of Matroska tracks` {
    private static func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
        id + [1] + (0..<7).map { UInt8(truncatingIfNeeded: body.count >> (8 * (6 - $0))) } + body
    }

    private static func fraction(_ id: UInt8, _ value: Double) -> [UInt8] {
        element([0x76, id], withUnsafeBytes(of: value.bitPattern.bigEndian) { [UInt8]($0) })
    }

    /// A file with an audio track and a video track; `pose` is what the projection has.
    private static func file(_ pose: [UInt8]) -> [UInt8] {
        let audio = element([0xAE], element([0xD7], [1]) + element([0x83], [2]))
        let projection = element([0x76, 0x70], pose)
        let video = element([0xAE], element([0xD7], [2]) + element([0x83], [1]) + element([0xE0], projection))
        let tracks = element([0x16, 0x54, 0xAE, 0x6B], audio + video)
        let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
        return element([0x1A, 0x45, 0xDF, 0xA3], []) + segment + element([0xEC], [0, 0]) + tracks
    }

    @Test(
        arguments: [
            (0, 90, 3, false), (0, -90, 1, false), (0, 180, 2, false), (180, 0, 0, true), (180, 90, 3, true),
            (0, 0, 0, false),
        ] as [(Double, Double, Int, Bool)]
    )
    func `turn by their yaw and roll`(yaw: Double, roll: Double, quarters: Int, isMirrored: Bool) throws {
        let folder = try TestFolder()
        let path = try folder.write(Self.file(Self.fraction(0x73, yaw) + Self.fraction(0x75, roll)), to: "a.mkv")
        let matrices = try #require(MatroskaProjections(path: path)).matrices
        try #require(matrices.count == 1)
        let turn = VideoRotation(matrix: matrices[0])
        #expect(turn.quarters == quarters && turn.isMirrored == isMirrored)
    }

    @Test func `of spheres and out of the plane are ignored`() throws {
        let folder = try TestFolder()
        let spherical = Self.element([0x76, 0x71], [1]) + Self.fraction(0x75, 90)
        for (number, pose) in [spherical, Self.fraction(0x74, 90), Self.fraction(0x73, 45)].enumerated() {
            let path = try folder.write(Self.file(pose), to: "\(number).mkv")
            #expect(MatroskaProjections(path: path)?.matrices == [nil])
        }
    }

    @Test func `of a damaged file are none`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Array(Self.file([]).dropLast(30)), to: "cut.mkv")
        #expect(MatroskaProjections(path: path)?.matrices == [])
    }
}
