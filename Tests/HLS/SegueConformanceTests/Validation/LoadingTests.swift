import Foundation
import SegueBase
import SegueCurl
import SegueFetch
import SegueTestSupport
import Testing

@testable import SegueConformance

@Suite struct `What a validation reads` {
    private let bytes = (0..<100).map { UInt8($0) }

    @Test func `the bytes are the requested range of a file`() throws {
        let folder = try TestFolder()
        let path = try folder.write(bytes, to: "a b.ts")
        let url = URL(fileURLWithPath: path).absoluteString
        let reader = try ResourceReader(for: url, by: BlockingFetcher(), options: ValidationOptions())
        #expect(url.contains("%20"))
        #expect(reader.read(.init(url: url, role: .segment)).bytes == bytes)
        let part = reader.read(.init(url: url, role: .segment, range: FetchRange(offset: 90, length: 50)))
        #expect(part.bytes == Array(bytes[90...]) && part.failure == nil && part.http == nil)
        let missing = URL(fileURLWithPath: folder.file("none.ts")).absoluteString
        let none = reader.read(.init(url: missing, role: .segment))
        #expect(none.bytes.isEmpty && none.failure?.text == "No such file or directory")
    }

    @Test func `the bytes are the requested range, also where the server sends the whole file`() async throws {
        let whole = bytes
        let server = try LoopbackServer { target in
            let status = target == "/gone" ? "404 Not Found" : "200 OK"
            return [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(whole.count)\r\n\r\n".utf8) + whole)]
        }
        defer { server.stop() }
        let base = "http://127.0.0.1:\(server.port)"
        let reader = try ResourceReader(for: base + "/index.m3u8", by: BlockingFetcher(), options: ValidationOptions())
        let part = reader.read(.init(url: base + "/a", role: .segment, range: FetchRange(offset: 10, length: 5)))
        #expect(part.bytes == [10, 11, 12, 13, 14])
        #expect(part.http?.get.status == 200)
        let gone = reader.read(.init(url: base + "/gone", role: .segment))
        #expect(gone.bytes.isEmpty && gone.failure?.text == "the server returned 404")
    }

    @Test func `the sample has no more segments than requested, and no other scheme`() throws {
        let folder = try TestFolder()
        var playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<5 { playlist += "#EXTINF:2,\n\(number).ts\n" }
        let path = try folder.write(Array((playlist + "#EXT-X-ENDLIST\n").utf8), to: "index.m3u8")
        var options = ValidationOptions()
        options.mostSegments = 3
        let report = try PresentationLoader(path, by: BlockingFetcher(), options: options).report()
        #expect(report.text.contains("1 playlist, 3 segments"))
        let error = #expect(throws: ValidationFailure.self) {
            try PresentationLoader("ftp://a/b.m3u8", by: BlockingFetcher())
        }
        #expect(error?.description == "ftp://a/b.m3u8: not an http or https URL and not a file")
    }

    @Test func `a segment in place of a playlist is described`() throws {
        let folder = try TestFolder()
        let path = try folder.write(SegmentBytes.initialization, to: "init.mp4")
        let error = try #require(throws: ValidationFailure.self) {
            try PresentationLoader(path, by: BlockingFetcher()).report()
        }
        #expect(error.description.hasPrefix(path) && !error.description.contains("first-line"), "\(error)")
    }
}
