import Foundation
import SegueBase
import SegueTestSupport
import Testing

@testable import SegueConformance

@Suite struct `Bounds of a validation` {
    private static let ok = Site.head("HTTP/1.1 200 OK", "Content-Type: application/vnd.apple.mpegurl")

    @Test(arguments: ["#EXTM3U\n#EXTINF:4,\n0.ts\n", "x"])
    func `an endless playlist is an error above the limit`(text: String) throws {
        let site = try Site { _, _ in [Self.ok, .sendForever(Array(String(repeating: text, count: 4096).utf8))] }
        defer { site.stop() }
        let failure = #expect(throws: ValidationFailure.self) {
            try site.report { $0.mostPlaylistBytes = 1 << 20 }
        }
        #expect(failure?.description.hasSuffix("larger than the limit of 1048576 bytes") == true)
    }

    @Test func `a playlist cut off within a line does not trap`() throws {
        let site = try Site { path, _ in
            path == "/index.m3u8" ? [Self.ok, .send(Array("#EXTM3U\n#EXTINF:4,\n0.t".utf8)), .stall] : nil
        }
        defer { site.stop() }
        #expect(try site.rules { $0.patience = .milliseconds(200) }.contains("body-whole"))
    }

    @Test func `many tags are read in linear time`() throws {
        let tags = String(repeating: "#EXT-X-DATERANGE:ID=\"a\"\n", count: 100_000)
        let site = try Site { path, _ in
            let text = Site.text.replacing("#EXT-X-ENDLIST", with: tags + "#EXT-X-ENDLIST")
            return path == "/index.m3u8" ? Site.answer(200, Array(text.utf8)) : nil
        }
        defer { site.stop() }
        #expect(try site.rules().contains("date-range"))
    }

    @Test func `a long line is read`() throws {
        let line = "#" + String(repeating: "x", count: 20 << 20)
        let site = try Site { path, _ in
            path == "/index.m3u8" ? Site.answer(200, Array((Site.text + line + "\n").utf8)) : nil
        }
        defer { site.stop() }
        #expect(!(try site.rules().contains("uri-resolves")))
    }

    @Test func `playlists beyond the limit are reported`() throws {
        let variants = (0..<30).map { "#EXT-X-STREAM-INF:BANDWIDTH=100000\nindex.m3u8?\($0)\n" }.joined()
        let site = try Site { path, _ in
            path == "/main.m3u8" ? Site.answer(200, Array(("#EXTM3U\n" + variants).utf8)) : nil
        }
        defer { site.stop() }
        let report = try site.report("/main.m3u8") { ($0.mostPlaylists, $0.mostSegments) = (10, 0) }
        #expect(report.leftOut == ["20 playlists: over the limit of 10"])
        #expect(report.text.contains(": 11 playlists, 0 segments, "))
    }

    @Test func `a playlist that refers to itself is checked once`() throws {
        let site = try Site { path, _ in
            path == "/main.m3u8"
                ? Site.answer(200, Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmain.m3u8\n".utf8)) : nil
        }
        defer { site.stop() }
        #expect(try site.report("/main.m3u8").text.contains(": 2 playlists, 0 segments, "))
    }

    @Test func `resources not checked at the time limit are reported`() throws {
        let site = try Site { path, _ in path.hasSuffix(".ts") ? [.stall] : nil }
        defer { site.stop() }
        let report = try site.report { ($0.time, $0.width) = (.milliseconds(500), 1) }
        #expect(report.leftOut == ["2 segments of \(site.url("/index.m3u8")): the time limit was reached"])
        #expect(report.found.contains { $0.message.text == "the time limit of the validation was reached" })
    }

    @Test(arguments: [
        ("Name: value", "Name", "value"), ("X-A:b: c", "X-A", "b: c"), ("a:", "a", ""), ("x_1.~:  y", "x_1.~", "y"),
    ])
    func `a header is a name and a value`(text: String, name: String, value: String) {
        #expect(RequestHeader(text)?.name == name && RequestHeader(text)?.value == value)
    }

    @Test(arguments: ["", ":", ": a", "a", "a b: c", "a: b\r\nc: d", "é: f", "a: \u{0}"])
    func `malformed headers are refused`(text: String) { #expect(RequestHeader(text) == nil) }
}
