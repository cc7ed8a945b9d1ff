import Foundation
import HTTPTypes
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
        #expect(served.get(segment).headers[.segueVideoEncoder] == encoder)
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
                plain.headers[.contentEncoding] == nil && plain.headers[.vary]?.hasPrefix("Accept-Encoding") == true
            )
            let packed = served.get(target, [.acceptEncoding: "br", .acceptEncoding: "gzip;q=0.5"])
            #expect(packed.status == 200 && packed.headers[.contentEncoding] == "gzip")
            #expect(
                packed.headers[.vary]?.hasPrefix("Accept-Encoding") == true && packed.headers[.acceptRanges] == nil
            )
            #expect(packed.headers[.contentType] == plain.headers[.contentType])
            #expect(packed.headers[.contentLength] == "\(packed.bytes.count)")
            #expect(packed.bytes.count < plain.bytes.count && gunzip(packed.bytes) == plain.bytes)
            let head = served.get(target, [.acceptEncoding: "gzip"], method: "HEAD")
            #expect(head.headers[.contentLength] == "\(packed.bytes.count)" && head.body.length == 0)
            #expect(head.headers.map(\.name) == packed.headers.map(\.name))
        }
    }

    @Test func `compressed documents have their own entity tag`() throws {
        _ = served.get("/api/items")
        for target in try documents {
            let gzip: HTTPFields = [.acceptEncoding: "gzip"]
            let plain = try #require(served.get(target).headers[.eTag])
            let packed = try #require(served.get(target, gzip).headers[.eTag])
            #expect(plain != packed && packed.hasPrefix("\"") && packed.hasSuffix("\""))
            let known = served.get(target, gzip + [.ifNoneMatch: "\"other\"", .ifNoneMatch: packed])
            #expect(known.status == 304 && known.headers[.eTag] == packed && known.body.length == 0)
            #expect(
                known.headers[.vary]?.hasPrefix("Accept-Encoding") == true && known.headers[.contentEncoding] == nil
            )
            #expect(served.get(target, gzip + [.ifNoneMatch: plain]).status == 200)
            #expect(served.get(target, [.ifNoneMatch: packed]).status == 200)
        }
    }

    @Test func `ranges of documents apply to the uncompressed bytes`() throws {
        for target in try documents {
            let plain = served.get(target)
            let part = served.get(target, [.acceptEncoding: "gzip", .range: "bytes=3-9"])
            #expect(part.status == 206 && part.bytes == Array(plain.bytes[3..<10]))
            #expect(part.headers[.contentEncoding] == nil && part.headers[.eTag] == plain.headers[.eTag])
        }
    }

    @Test func `media are never compressed`() throws {
        let targets = [
            try segment(), try served.url("song.mp3", "original"), try served.url("song.mp3", "artwork.jpg"),
        ]
        for target in targets {
            let answer = served.get(target, [.acceptEncoding: "gzip"])
            #expect(answer.headers[.contentEncoding] == nil && answer.headers[.vary] == nil)
            #expect(answer.bytes == served.get(target).bytes)
        }
    }

    @Test func `several ranges are a multipart body`() throws {
        for target in [try segment(), try served.url("films/film.mp4", "original")] {
            let whole = served.get(target)
            let (bytes, size) = (whole.bytes, whole.bytes.count)
            let answer = served.get(target, [.range: "bytes=0-9, 20-29,-5"])
            let type = try #require(answer.headers[.contentType])
            #expect(answer.status == 206 && type.hasPrefix("multipart/byteranges; boundary="))
            #expect(answer.headers[.contentRange] == nil && answer.headers[.eTag] == whole.headers[.eTag])
            let boundary = type.drop { $0 != "=" }.dropFirst()
            let ranges = [(0, 9), (20, 29), (size - 5, size - 1)]
            var expected: [UInt8] = []
            for (first, last) in ranges {
                expected += "\r\n--\(boundary)\r\nContent-Type: \(whole.headers[.contentType] ?? "")\r\n".utf8
                expected += "Content-Range: bytes \(first)-\(last)/\(size)\r\n\r\n".utf8
                expected += bytes[first...last]
            }
            expected += "\r\n--\(boundary)--\r\n".utf8
            #expect(answer.bytes == expected && answer.headers[.contentLength] == "\(expected.count)")
            #expect(answer.body.length == Int64(expected.count))
            let head = served.get(target, [.range: "bytes=0-9, 20-29,-5"], method: "HEAD")
            #expect(head.status == 206 && head.headers[.contentLength] == "\(expected.count)")
        }
    }

    @Test func `merged ranges are one part, and too many are the whole body`() throws {
        let target = try segment()
        let size = served.get(target).bytes.count
        let one = served.get(target, [.range: "bytes=0-9,5-19"])
        #expect(one.status == 206 && one.headers[.contentRange] == "bytes 0-19/\(size)" && one.bytes.count == 20)
        let flood = "bytes=" + (0..<1000).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
        let whole = served.get(target, [.range: flood])
        #expect(whole.status == 200 && whole.bytes.count == size)
    }

    @Test func `If-Range must match for a range`() throws {
        let target = try served.url("films/film.mp4", "original")
        let whole = served.get(target)
        let tag = try #require(whole.headers[.eTag])
        let date = try #require(whole.headers[.lastModified])
        for (condition, status) in [(tag, 206), (date, 206), ("W/" + tag, 200), ("\"x\"", 200), (Self.longAgo, 200)] {
            #expect(served.get(target, [.range: "bytes=0-0", .ifRange: condition]).status == status)
        }
    }

    @Test func `If-Modified-Since results in a 304`() throws {
        let target = try served.url("films/film.mp4", "original")
        let date = try #require(served.get(target).headers[.lastModified])
        let known = served.get(target, [.ifModifiedSince: date])
        #expect(known.status == 304 && known.body.length == 0 && known.headers[.lastModified] == date)
        #expect(served.get(target, [.ifModifiedSince: Self.longAgo]).status == 200)
        #expect(served.get(target, [.ifModifiedSince: "yesterday"]).status == 200)
        // An entity tag has precedence over a date.
        #expect(served.get(target, [.ifModifiedSince: date, .ifNoneMatch: "\"x\""]).status == 200)
        // Without a modification time there is nothing to compare.
        #expect(served.get("/api/items", [.ifModifiedSince: date]).status == 200)
    }

    @Test func `failed preconditions result in a 412`() throws {
        let target = try served.url("films/film.mp4", "original")
        let whole = served.get(target)
        let tag = try #require(whole.headers[.eTag])
        let date = try #require(whole.headers[.lastModified])
        for field in [.ifMatch: tag, .ifMatch: "*", .ifUnmodifiedSince: date] as HTTPFields {
            #expect(served.get(target, HTTPFields([field])).status == 200)
        }
        for field in [.ifMatch: "\"x\"", .ifMatch: "W/" + tag, .ifUnmodifiedSince: Self.longAgo] as HTTPFields {
            let answer = served.get(target, HTTPFields([field]))
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
            #expect(playlist.headers[.contentType] == "application/vnd.apple.mpegurl")
            #expect(playlist.headers[.cacheControl] == "no-cache")
            let segment = served.get(try #require(try served.uris(playlist, of: path).first))
            #expect(segment.headers[.contentType] == part)
            #expect(segment.headers[.cacheControl] == "public, max-age=31536000, immutable")
            guard let line = playlist.text.split(separator: "\n").first(where: { $0.hasPrefix("#EXT-X-MAP:") }) else {
                #expect(map.isEmpty)
                continue
            }
            let uri = line.split(separator: "\"")[1]
            #expect(served.get(try served.url(path, String(uri))).headers[.contentType] == map)
        }
    }

    private static let longAgo = "Sat, 01 Jan 2000 00:00:00 GMT"
}
