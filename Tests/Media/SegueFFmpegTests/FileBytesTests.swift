import SegueBase
import SegueTestSupport
import Testing

@testable import SegueFFmpeg

@Suite struct `Bytes of a file` {
    @Test(arguments: [1, 9, 40, 700, 3000, 20_000])
    func `are equal at any read distance`(step: Int64) throws {
        var random = SeededRandom(seed: 3)
        let content = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let folder = try TestFolder()
        let file = try #require(FileBytes(path: try folder.write(content, to: "bytes")))
        var place: Int64 = 0
        while place < Int64(content.count) {
            let head = file.head(at: place)
            let there = content[Int(place)...].prefix(16)
            let padded = Array(there) + [UInt8](repeating: 0, count: 16 - there.count)
            #expect(head.count == there.count)
            #expect(head.first == padded[..<8].reduce(0) { $0 << 8 | UInt64($1) })
            #expect(head.last == padded[8...].reduce(0) { $0 << 8 | UInt64($1) })
            #expect(file.byte(at: place + 2) == (there.count > 2 ? padded[2] : nil))
            #expect(file.bytes(at: place, count: 100) == Array(content[Int(place)...].prefix(100)))
            place += Int64.random(in: 1...2 * step, using: &random)
        }
        #expect(file.head(at: 300_000).count == 0)
        #expect(file.byte(at: -1) == nil)
    }

    @Test func `are found`() throws {
        var content = [UInt8](repeating: 1, count: 200_000)
        let folder = try TestFolder()
        let file = { (content: [UInt8]) throws in
            try #require(FileBytes(path: try folder.write(content, to: "bytes")))
        }
        #expect(try file(content).place(of: [1, 2, 3], in: 0..<200_000) == nil)
        for place in [65_530, 65_533, 65_535, 131_068, 199_997] {
            content.replaceSubrange(place..<place + 3, with: [1, 2, 3])
            #expect(try file(content).place(of: [1, 2, 3], in: 10..<200_000) == Int64(place))
            #expect(try file(content).place(of: [1, 2, 3], in: 10..<Int64(place)) == nil)
            #expect(try file(content).place(of: [1, 2, 3], in: Int64(place)..<Int64.max) == Int64(place))
            content.replaceSubrange(place..<place + 3, with: [1, 1, 1])
        }
    }
}
