import Foundation
import SegueConcurrency
import SegueTestSupport
import Testing

@Suite struct `Writers of a file` {
    @Test func `exist while a process has the file open for writing`() throws {
        let folder = try TestFolder()
        let path = try folder.write([1, 2, 3], to: "file")
        #expect(FileWriters.exist(path: path) == false)
        let reader = try #require(FileHandle(forReadingAtPath: path))
        #expect(FileWriters.exist(path: path) == false)
        let writer = try #require(FileHandle(forWritingAtPath: path))
        #expect(FileWriters.exist(path: path) == true)
        try writer.close()
        #expect(FileWriters.exist(path: path) == false)
        try reader.close()
    }

    @Test func `are unknown for a missing file`() throws {
        #expect(FileWriters.exist(path: try TestFolder().file("none")) == nil)
    }
}
