import SegueBase
import Testing

@Suite struct `Line writer` {
    /// A file with limited space.
    private struct Disk {
        var bytes: [UInt8] = []
        var room: Int

        mutating func write(_ more: ArraySlice<UInt8>) -> Int {
            let taken = more.prefix(max(0, room - bytes.count))
            bytes += taken
            return taken.count
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    @Test func `completes a partial line before the next, and drops the lines in between`() {
        var (writer, disk) = (LineWriter(), Disk(room: 8))
        let add = { (line: String) in writer.add(line) { disk.write($0) } }
        #expect(add("first") == nil)
        #expect(add("second") == nil)
        #expect(disk.text == "first\nse")
        #expect(add("third") == .losing)
        #expect(add("fourth") == nil)
        disk.room = 100
        #expect(add("fifth") == .goesOn(lost: 2))
        #expect(add("sixth") == nil)
        #expect(disk.text == "first\nsecond\nfifth\nsixth\n")
        #expect(writer.end { disk.write($0) } == 0)
        #expect(writer.lost == 2)
    }

    @Test func `drops a line that does not fit at all`() {
        var (writer, disk) = (LineWriter(), Disk(room: 6))
        #expect(writer.add("first") { disk.write($0) } == nil)
        #expect(writer.add("second") { disk.write($0) } == .losing)
        #expect(writer.end { disk.write($0) } == 0)
        #expect(disk.text == "first\n")
        #expect(writer.lost == 1)
    }

    @Test func `reports a partial line at the end, which is lost`() {
        var (writer, disk) = (LineWriter(), Disk(room: 9))
        #expect(writer.add("first") { disk.write($0) } == nil)
        #expect(writer.add("second") { disk.write($0) } == nil)
        #expect(writer.end { disk.write($0) } == 3)
        #expect(writer.lost == 1)
    }
}
