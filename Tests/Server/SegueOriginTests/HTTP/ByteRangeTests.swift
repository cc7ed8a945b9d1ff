import HTTPTypes
import SegueOriginTestSupport
import SeguePackager
import SeguePlaylists
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `Byte ranges` {
    let served: ServedFolder

    init() throws { served = try ServedFolder() }

    private func media(_ path: String, _ query: String) throws -> MediaPlaylist {
        let answer = served.get(try served.url(path, "index.m3u8\(query)"))
        #expect(answer.status == 200, "\(answer.text)")
        guard case .media(let playlist) = try Playlist.parse(answer.text) else {
            throw PlaylistError(.notAPlaylist, line: nil, answer.text)
        }
        return playlist
    }

    private func part(_ path: String, _ uri: String, _ range: ByteRange?) throws -> [UInt8] {
        let range = try #require(range)
        let header: HTTPFields = [.range: "bytes=\(range.offset)-\(range.offset + range.length - 1)"]
        let answer = served.get(try served.url(path, uri), header)
        #expect(answer.status == 206)
        #expect(answer.headers[.contentLength] == "\(range.length)")
        #expect(answer.headers[.contentRange]?.hasPrefix("bytes \(range.offset)-") == true)
        return answer.bytes
    }

    @Test(arguments: [
        ("films/film.mp4", "?container=ts"), ("films/film.mp4", "?container=fmp4"),
        ("films/film.mp4", "?container=fmp4&background=1"), ("films/old.mkv", "?container=ts"),
        ("films/tongues.mkv", "?container=fmp4&rendition=iframes"), ("song.mp3", "?container=ts&background=1"),
        ("plain.wav", "?container=fmp4"),
    ])
    func `are consecutive segments in one resource`(path: String, query: String) throws {
        let parts = try media(path, query + "&byterange=1")
        let plain = try media(path, query)
        #expect(parts.segments.map(\.duration) == plain.segments.map(\.duration))
        #expect(Set(parts.segments.map(\.uri)).count == 1)
        let uri = parts.segments[0].uri
        var whole: [UInt8] = []
        if let map = plain.segments[0].map {
            let own = try #require(parts.segments[0].map)
            #expect(own.uri == uri)
            whole = served.get(try served.url(path, map.uri)).bytes
            #expect(try part(path, own.uri, own.byteRange) == whole)
        }
        for (segment, other) in zip(parts.segments, plain.segments) {
            #expect(segment.byteRange?.offset == Int64(whole.count))
            let bytes = served.get(try served.url(path, other.uri)).bytes
            #expect(try part(path, uri, segment.byteRange) == bytes)
            whole += bytes
        }
        let answer = served.get(try served.url(path, uri))
        #expect(answer.status == 200 && answer.headers[.contentLength] == "\(whole.count)")
        #expect(answer.bytes == whole)
        let head = served.get(try served.url(path, uri), method: "HEAD")
        #expect(head.headers[.contentLength] == "\(whole.count)" && head.bytes.isEmpty)
        #expect(head.headers[.eTag] == answer.headers[.eTag])
        let again = served.get(try served.url(path, uri), [.ifNoneMatch: answer.headers[.eTag] ?? ""])
        #expect(again.status == 304)
        let beyond = served.get(try served.url(path, uri), [.range: "bytes=\(whole.count)-"])
        #expect(beyond.status == 416)
        let middle = served.get(try served.url(path, uri), [.range: "bytes=5-\(whole.count - 7)"])
        #expect(middle.bytes == Array(whole[5...(whole.count - 7)]))
    }

    @Test func `appear in all playlists of a multivariant playlist, except subtitles`() throws {
        let answer = served.get(try served.url("films/tongues.mkv", "master.m3u8?byterange=1"))
        guard case .multivariant(let playlist) = try Playlist.parse(answer.text) else {
            throw PlaylistError(.notAPlaylist, line: nil, answer.text)
        }
        let uris = (playlist.variants + playlist.iFrameVariants).map(\.uri) + playlist.renditions.compactMap(\.uri)
        #expect(uris.count > 4 && uris.allSatisfy { $0.contains("&byterange=1") })
    }

    @Test func `change with the version of the file`() throws {
        let uri = try media("plain.wav", "?byterange=1").segments[0].uri
        _ = try served.folder.write([1, 2, 3], to: "plain.wav")
        #expect(served.get(try served.url("plain.wav", uri)).status == 404)
    }

    @Test func `layouts survive encoding`() {
        let layout = WholeLayout(numbers: [0, 2, 3], initSize: 700, sizes: [5, 1_099_511_627_776, 0])
        #expect(WholeLayout(encoded: layout.encoded) == layout)
        let end: Int64 = 705 + 1_099_511_627_776
        #expect(layout.ranges == [700..<705, 705..<end, end..<end])
    }

    @Test func `pieces are found by their bytes`() throws {
        let body = PiecewiseBody(name: "a", sizes: [3, 0, 4]) { piece, _ in
            KeptBytes([[1, 2, 3], [], [4, 5, 6, 7]][piece])
        }
        #expect(body.length == 7)
        #expect(body.pieces(in: 0..<3) == 0..<1)
        #expect(body.pieces(in: 2..<4) == 0..<3)
        #expect(body.pieces(in: 3..<4).contains(2))
        #expect(try body.bytes(in: 2..<5) == [3, 4, 5])
        #expect(try body.bytes(in: 0..<7) == [1, 2, 3, 4, 5, 6, 7])
        let other = PiecewiseBody(name: "b", sizes: [3]) { _, _ in KeptBytes([1]) }
        #expect(throws: PiecewiseBody.Changed.self) { try other.bytes(in: 0..<3) }
    }
}
