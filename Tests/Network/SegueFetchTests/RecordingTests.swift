import Foundation
import SegueFetch
import SegueTestSupport
import Testing

@Suite struct RecordingTests {
    private static func exchange(
        _ at: Double,
        _ url: String = "http://s/a",
        method: String = "GET",
        range: RecordedExchange.Span? = nil,
        status: Int = 200
    ) -> RecordedExchange { RecordedExchange(at: at, method: method, url: url, range: range, status: status) }

    @Test(arguments: [(-1.0, 1), (0, 1), (4.9, 1), (5, 2), (7, 2), (8, 3), (1e9, 3)])
    func `replays the last response until then, or the first`(at: Double, status: Int) {
        let exchanges = [Self.exchange(8, status: 3), Self.exchange(0, status: 1), Self.exchange(5, status: 2)]
        #expect(Recording(exchanges).exchange(for: "http://s/a#part", at: at)?.status == status)
    }

    @Test func `answers a range with that range, or with the whole`() {
        let part = RecordedExchange.Span(offset: 10, length: 5)
        let recording = Recording([Self.exchange(0, range: part, status: 206), Self.exchange(1)])
        #expect(recording.exchange(for: "http://s/a", range: part, at: 9)?.status == 206)
        #expect(recording.exchange(for: "http://s/a", range: .init(offset: 0, length: 5), at: 9)?.status == 200)
        #expect(recording.exchange(for: "http://s/a", at: 9)?.status == 200)
        let parts = Recording([Self.exchange(0, range: part, status: 206)])
        #expect(parts.exchange(for: "http://s/a", range: .init(offset: 0, length: 5), at: 9) == nil)
    }

    @Test func `answers HEAD with a recorded HEAD or GET`() {
        let recording = Recording([Self.exchange(0), Self.exchange(0, "http://s/b", method: "HEAD", status: 204)])
        #expect(recording.exchange(for: "http://s/a", isHead: true, at: 0)?.status == 200)
        #expect(recording.exchange(for: "http://s/b", isHead: true, at: 0)?.status == 204)
        #expect(recording.exchange(for: "http://s/b", at: 0) == nil)
    }

    @Test func `reads what it writes, and writes a repeated body once`() throws {
        let folder = try TestFolder()
        let writer = try RecordingWriter(folder.path)
        for at in 0..<4 { try writer.add(Self.exchange(Double(at), "http://s/a.m3u8?x=1"), body: Array("list".utf8)) }
        try writer.add(Self.exchange(4, "http://s/a.m3u8?x=1"), body: Array("tsil".utf8))
        try writer.add(Self.exchange(5, "http://s/b", status: 204), body: [])
        #expect(!RecordingFolder.exists(at: folder.path))
        try writer.close()
        let read = try RecordingFolder(folder.path)
        #expect(read.recording.count == 6)
        let bodies = try (0...5).map { at in
            let url = at < 5 ? "http://s/a.m3u8?x=1" : "http://s/b"
            return read.body(of: try #require(read.recording.exchange(for: url, at: Double(at))))
        }
        #expect(bodies == [[UInt8]](repeating: Array("list".utf8), count: 4) + [Array("tsil".utf8), []])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/bodies").sorted()
        #expect(files == ["000001.m3u8", "000002.m3u8"])
    }

    @Test func `reads an archive with ranges and missing bodies`() throws {
        func entry(_ url: String, _ response: String) -> String {
            #"{"startedDateTime": "2026-01-01T00:00:00Z", "request": {"method": "GET", "url": "\#(url)"}, "response": \#(response)}"#
        }
        let entries = [
            entry(
                "http://s/whole",
                #"{"status": 206, "headers": [{"name": "Content-Range", "value": "bytes 0-3/4"}], "content": {"text": "abcd"}}"#
            ),
            entry(
                "http://s/part",
                #"{"status": 206, "headers": [{"name": "content-range", "value": "bytes 2-3/4"}], "content": {"text": "cd"}}"#
            ),
            entry(
                "http://s/odd",
                #"{"status": 206, "headers": [{"name": "content-range", "value": "bytes 9223372036854775807-0/*"}], "content": {"text": "cd"}}"#
            ),
            entry("http://s/lost", #"{"status": 200, "headers": [], "content": {"size": 17}}"#),
            entry("http://s/gone", #"{"status": 404, "headers": []}"#),
        ]
        let folder = try TestFolder()
        let file = folder.path + "/a.har"
        try Data("{\"log\": {\"entries\": [\(entries.joined(separator: ","))]}}".utf8).write(
            to: URL(fileURLWithPath: file)
        )
        let archive = try HARFile(file)
        #expect(archive.recording.exchange(for: "http://s/whole", at: 0)?.status == 200)
        let part = try #require(
            archive.recording.exchange(for: "http://s/part", range: .init(offset: 2, length: 2), at: 0)
        )
        #expect(archive.body(of: part) == Array("cd".utf8))
        #expect(archive.recording.exchange(for: "http://s/odd", at: 0) == nil)
        #expect(archive.recording.exchange(for: "http://s/lost", at: 0) == nil)
        #expect(archive.recording.exchange(for: "http://s/gone", at: 0)?.status == 404)
    }
}
