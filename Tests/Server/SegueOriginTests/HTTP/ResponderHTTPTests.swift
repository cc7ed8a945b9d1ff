import Foundation
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `HTTP of the responder` {
    let served: ServedFolder

    init() throws { served = try ServedFolder() }

    /// The compressible documents: page, list, item, both playlists.
    private var documents: [String] {
        get throws {
            let film = "films/film.mp4"
            return [
                "/", "/api/items", "/api/items/\(try served.item(film).id)", try served.url(film, "index.m3u8"),
                try served.url(film, "index.m3u8?background=1"), try served.url(film, "master.m3u8"),
            ]
        }
    }

    @Test(arguments: [("films/old.mkv", "libx264"), ("films/film.mp4", nil)])
    func `a segment with encoded video names the encoder`(path: String, encoder: String?) throws {
        let playlist = served.get(try served.url(path, "index.m3u8"))
        let segment = try #require(try served.uris(playlist, of: path).last)
        #expect(served.get(segment).header("Segue-Video-Encoder") == encoder)
    }

    private func segment() throws -> String {
        let path = "films/film.mp4"
        return try #require(try served.uris(served.get(try served.url(path, "index.m3u8")), of: path).first)
    }

    @Test func `documents are compressed if the client accepts gzip`() throws {
        _ = served.get("/api/items")
        for target in try documents {
            let plain = served.get(target)
            #expect(
                plain.header("Content-Encoding") == nil && plain.header("Vary")?.hasPrefix("Accept-Encoding") == true
            )
            let packed = served.get(target, [("Accept-Encoding", "br"), ("accept-encoding", "gzip;q=0.5")])
            #expect(packed.status == 200 && packed.header("Content-Encoding") == "gzip")
            #expect(
                packed.header("Vary")?.hasPrefix("Accept-Encoding") == true && packed.header("Accept-Ranges") == nil
            )
            #expect(packed.header("Content-Type") == plain.header("Content-Type"))
            #expect(packed.header("Content-Length") == "\(packed.bytes.count)")
            #expect(packed.bytes.count < plain.bytes.count && gunzip(packed.bytes) == plain.bytes)
            let head = served.get(target, [("Accept-Encoding", "gzip")], method: "HEAD")
            #expect(head.header("Content-Length") == "\(packed.bytes.count)" && head.body.length == 0)
            #expect(head.headers.map(\.name) == packed.headers.map(\.name))
        }
    }

    @Test func `compressed documents have their own entity tag`() throws {
        _ = served.get("/api/items")
        for target in try documents {
            let gzip = ("Accept-Encoding", "gzip")
            let plain = try #require(served.get(target).header("ETag"))
            let packed = try #require(served.get(target, [gzip]).header("ETag"))
            #expect(plain != packed && packed.hasPrefix("\"") && packed.hasSuffix("\""))
            let known = served.get(target, [gzip, ("If-None-Match", "\"other\""), ("If-None-Match", packed)])
            #expect(known.status == 304 && known.header("ETag") == packed && known.body.length == 0)
            #expect(
                known.header("Vary")?.hasPrefix("Accept-Encoding") == true && known.header("Content-Encoding") == nil
            )
            #expect(served.get(target, [gzip, ("If-None-Match", plain)]).status == 200)
            #expect(served.get(target, [("If-None-Match", packed)]).status == 200)
        }
    }

    @Test func `ranges of documents apply to the uncompressed bytes`() throws {
        for target in try documents {
            let plain = served.get(target)
            let part = served.get(target, [("Accept-Encoding", "gzip"), ("Range", "bytes=3-9")])
            #expect(part.status == 206 && part.bytes == Array(plain.bytes[3..<10]))
            #expect(part.header("Content-Encoding") == nil && part.header("ETag") == plain.header("ETag"))
        }
    }

    @Test func `media are never compressed`() throws {
        let targets = [
            try segment(), try served.url("song.mp3", "original"), try served.url("song.mp3", "artwork.jpg"),
        ]
        for target in targets {
            let answer = served.get(target, [("Accept-Encoding", "gzip")])
            #expect(answer.header("Content-Encoding") == nil && answer.header("Vary") == nil)
            #expect(answer.bytes == served.get(target).bytes)
        }
    }

    @Test func `several ranges are a multipart body`() throws {
        for target in [try segment(), try served.url("films/film.mp4", "original")] {
            let whole = served.get(target)
            let (bytes, size) = (whole.bytes, whole.bytes.count)
            let answer = served.get(target, [("Range", "bytes=0-9, 20-29,-5")])
            let type = try #require(answer.header("Content-Type"))
            #expect(answer.status == 206 && type.hasPrefix("multipart/byteranges; boundary="))
            #expect(answer.header("Content-Range") == nil && answer.header("ETag") == whole.header("ETag"))
            let boundary = type.drop { $0 != "=" }.dropFirst()
            let ranges = [(0, 9), (20, 29), (size - 5, size - 1)]
            var expected: [UInt8] = []
            for (first, last) in ranges {
                expected += "\r\n--\(boundary)\r\nContent-Type: \(whole.header("Content-Type") ?? "")\r\n".utf8
                expected += "Content-Range: bytes \(first)-\(last)/\(size)\r\n\r\n".utf8
                expected += bytes[first...last]
            }
            expected += "\r\n--\(boundary)--\r\n".utf8
            #expect(answer.bytes == expected && answer.header("Content-Length") == "\(expected.count)")
            #expect(answer.body.length == Int64(expected.count))
            let head = served.get(target, [("Range", "bytes=0-9, 20-29,-5")], method: "HEAD")
            #expect(head.status == 206 && head.header("Content-Length") == "\(expected.count)")
        }
    }

    @Test func `merged ranges are one part, and too many are the whole body`() throws {
        let target = try segment()
        let size = served.get(target).bytes.count
        let one = served.get(target, [("Range", "bytes=0-9,5-19")])
        #expect(one.status == 206 && one.header("Content-Range") == "bytes 0-19/\(size)" && one.bytes.count == 20)
        let flood = "bytes=" + (0..<1000).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
        let whole = served.get(target, [("Range", flood)])
        #expect(whole.status == 200 && whole.bytes.count == size)
    }

    @Test func `If-Range must match for a range`() throws {
        let target = try served.url("films/film.mp4", "original")
        let whole = served.get(target)
        let tag = try #require(whole.header("ETag"))
        let date = try #require(whole.header("Last-Modified"))
        for (condition, status) in [(tag, 206), (date, 206), ("W/" + tag, 200), ("\"x\"", 200), (Self.longAgo, 200)] {
            #expect(served.get(target, [("Range", "bytes=0-0"), ("If-Range", condition)]).status == status)
        }
    }

    @Test func `If-Modified-Since results in a 304`() throws {
        let target = try served.url("films/film.mp4", "original")
        let date = try #require(served.get(target).header("Last-Modified"))
        let known = served.get(target, [("If-Modified-Since", date)])
        #expect(known.status == 304 && known.body.length == 0 && known.header("Last-Modified") == date)
        #expect(served.get(target, [("If-Modified-Since", Self.longAgo)]).status == 200)
        #expect(served.get(target, [("If-Modified-Since", "yesterday")]).status == 200)
        // An entity tag has precedence over a date.
        #expect(served.get(target, [("If-Modified-Since", date), ("If-None-Match", "\"x\"")]).status == 200)
        // Without a modification time there is nothing to compare.
        #expect(served.get("/api/items", [("If-Modified-Since", date)]).status == 200)
    }

    @Test func `failed preconditions result in a 412`() throws {
        let target = try served.url("films/film.mp4", "original")
        let whole = served.get(target)
        let tag = try #require(whole.header("ETag"))
        let date = try #require(whole.header("Last-Modified"))
        for (name, value) in [("If-Match", tag), ("If-Match", "*"), ("If-Unmodified-Since", date)] {
            #expect(served.get(target, [(name, value)]).status == 200)
        }
        for (name, value) in [("If-Match", "\"x\""), ("If-Match", "W/" + tag), ("If-Unmodified-Since", Self.longAgo)] {
            let answer = served.get(target, [(name, value)])
            #expect(answer.status == 412 && answer.code == "preconditionFailed")
        }
    }

    @Test func `media have their types and are immutable`() throws {
        let path = "films/film.mp4"
        for (query, map, part) in [
            ("container=fmp4", "video/mp4", "video/mp4"), ("container=ts", "", "video/mp2t"),
            ("container=fmp4&background=1", "audio/mp4", "audio/mp4"),
        ] {
            let playlist = served.get(try served.url(path, "index.m3u8?\(query)"))
            #expect(playlist.header("Content-Type") == "application/vnd.apple.mpegurl")
            #expect(playlist.header("Cache-Control") == "no-cache")
            let segment = served.get(try #require(try served.uris(playlist, of: path).first))
            #expect(segment.header("Content-Type") == part)
            #expect(segment.header("Cache-Control") == "public, max-age=31536000, immutable")
            guard let line = playlist.text.split(separator: "\n").first(where: { $0.hasPrefix("#EXT-X-MAP:") }) else {
                #expect(map.isEmpty)
                continue
            }
            let uri = line.split(separator: "\"")[1]
            #expect(served.get(try served.url(path, String(uri))).header("Content-Type") == map)
        }
    }

    private static let longAgo = "Sat, 01 Jan 2000 00:00:00 GMT"
}
