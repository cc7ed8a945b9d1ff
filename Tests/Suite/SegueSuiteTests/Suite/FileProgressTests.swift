import Foundation
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueSuite

@Suite struct `File progress` {
    private final class Packets: Sendable {
        let count = Atomic<Int>(5)
    }

    private let packets = Packets()

    private func progress(fileSize: Int64 = 0) -> FileProgress {
        FileProgress(fileSize: fileSize) { [packets] in packets.count.load(ordering: .relaxed) }
    }

    @Test func `milestones and packets are progress`() {
        let progress = progress()
        #expect(progress.place == (0, ""))
        packets.count.add(3, ordering: .relaxed)
        #expect(progress.place == (3, ""))
        progress.reached("opening")
        #expect(progress.place == (4, "opening"))
        packets.count.add(2, ordering: .relaxed)
        #expect(progress.place == (6, "opening"))
    }

    @Test func `packets beyond the number that a file can have do not count`() {
        let progress = progress(fileSize: 1000)
        packets.count.add(10_500, ordering: .relaxed)
        #expect(progress.place.count == 10_500)
        packets.count.add(1_000_000, ordering: .relaxed)
        #expect(progress.place.count == 10_500)
        progress.reached("a segment")
        packets.count.add(1, ordering: .relaxed)
        #expect(progress.place.count == 10_502)
    }

    @Test func `impossible sizes do no harm`() {
        for size in [Int64.min, -1, .max] {
            let progress = progress(fileSize: size)
            progress.reached("")
            #expect(progress.place.count == 1)
        }
    }

    @Test func `a line is written only after progress`() throws {
        let folder = try TestFolder()
        let path = folder.path + "/told"
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let progress = progress()
        var teller = ProgressReporter(progress, to: file.fileDescriptor)
        teller.tell()
        progress.reached("opening")
        teller.tell()
        teller.tell()
        progress.reached("a segment")
        progress.reached("another")
        teller.tell()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\nopening\nanother")
    }
}
