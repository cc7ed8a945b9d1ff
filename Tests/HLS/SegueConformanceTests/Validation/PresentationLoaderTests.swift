import Foundation
import SegueBase
import SegueContainers
import SegueCurl
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueConformance

@Suite struct `Presentation loader` {
    /// A fault of a server, and the rule that finds it.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let rule: String
        let fault: Site.Fault
        var testDescription: String { rule }
    }

    @Test func `a correct server breaks no rule`() throws {
        let site = try Site()
        defer { site.stop() }
        let found = try site.rules()
        #expect(found.isDisjoint(with: Self.wrong.map(\.rule)), "\(found)")
    }

    @Test(
        arguments: [
            ("{\"VERSION\": 1, \"TTL\": 300, \"PATHWAY-PRIORITY\": [\".\"]}", []),
            ("{\"VERSION\": 2, \"TTL\": 300, \"PATHWAY-PRIORITY\": [\".\"]}", ["steering-manifest"]),
            ("", ["steering-manifest"]), (cloned(""), []), (cloned("&gone=1"), ["steering-clone"]),
        ] as [(String, [String])]
    )
    func `the steering manifest and the playlists of its clones are requested`(json: String, rules: [String])
        throws
    {
        let text = """
            #EXTM3U
            #EXT-X-CONTENT-STEERING:SERVER-URI="steer.json",PATHWAY-ID="."
            #EXT-X-STREAM-INF:BANDWIDTH=100000
            index.m3u8

            """
        let site = try Site { target, request in
            switch target {
            case "/master.m3u8":
                Site.answer(200, Array(text.utf8), type: "application/vnd.apple.mpegurl", to: request)
            case "/steer.json": json.isEmpty ? Site.answer(404) : Site.answer(200, Array(json.utf8))
            case "/index.m3u8?a=b&gone=1": Site.answer(404)
            default: nil
            }
        }
        defer { site.stop() }
        #expect(try site.rules("/master.m3u8").filter { $0.hasPrefix("steering-") } == Set(rules))
        #expect(site.requests.contains { $0.contains("?a=b") } == json.contains("PARAMS"))
    }

    @Test func `segments that another component has inspected are checked, and not fetched again`() throws {
        let site = try Site()
        defer { site.stop() }
        func rules(_ bytes: [UInt8]) throws -> Set<String> {
            try site.rules { options in
                options.inspected = { url in
                    url.hasSuffix("/0.ts")
                        ? nil : InspectedSegment(at: url, headers: [], bytes: bytes, initialization: nil)
                }
            }
        }
        let bytes = try #require(Site.stream.segment(1))
        #expect(try rules(bytes).contains("segment-repeated"))
        #expect(!(try site.rules().contains("segment-repeated")))
        let before = site.requests.count
        _ = try rules(bytes)
        let asked = site.requests.dropFirst(before)
        #expect(!asked.contains { $0.contains("1.ts") || $0.contains("2.ts") }, "\(asked)")
    }

    @Test func `no more segments are loaded than bytes are allowed, and the rest is listed`() throws {
        let site = try Site()
        defer { site.stop() }
        let report = try site.report { ($0.mostBytes, $0.width) = (1, 1) }
        #expect(report.leftOut.count == 1 && report.leftOut[0].hasSuffix(": over the limit of 1 bytes"))
    }

    @Test func `the decoder gets each segment in order, and its results are checked`() throws {
        let site = try Site()
        defer { site.stop() }
        let taken = Mutex<[Int]>([])
        let found = try site.rules { options in
            options.decoder = { NumberedDecoding { number in taken.withLock { $0.append(number) } } }
        }
        #expect(taken.withLock { $0 } == [0, 1, 2])
        #expect(found.contains("segment-decodes"))
    }

    /// Records the segments that it gets, and fails to decode the last.
    private final class NumberedDecoding: SegmentDecoding {
        private let told: (Int) -> Void
        private var last = 0

        init(_ told: @escaping (Int) -> Void) { self.told = told }

        func take(_ segment: DecodableSegment) {
            last = segment.number
            told(segment.number)
        }

        func facts() -> DecodedFacts {
            var facts = DecodedFacts()
            facts.failures = [DecodedFacts.Failure(segment: last, words: "nothing comes of it")]
            return facts
        }
    }

    private static func cloned(_ more: String) -> String {
        "{\"VERSION\": 1, \"TTL\": 300, \"PATHWAY-PRIORITY\": [\"b\"], \"PATHWAY-CLONES\": [{\"ID\": \"b\", "
            + "\"BASE-ID\": \".\", \"URI-REPLACEMENT\": {\"PARAMS\": {\"a\": \"b\(more)\"}}}]}"
    }

    @Test(arguments: wrong)
    func `each fault of a server is found`(wrong: Wrong) throws {
        let site = try Site(wrong.fault)
        defer { site.stop() }
        let found = try site.rules { options in
            (options.patience, options.mostSegmentBytes) = (.milliseconds(300), 500_000)
        }
        #expect(found.contains(wrong.rule), "\(found)")
    }

    static let wrong: [Wrong] = [
        on("/1.ts", "uri-resolves") { _ in Site.answer(404) },
        on("/1.ts", "uri-resolves") { _ in [.reset] },
        on("/1.ts", "uri-resolves") { _ in [.stall] },
        on("/1.ts", "body-whole") { _ in [Site.head("HTTP/1.1 200 OK", "Content-Length: 9000"), .send([0x47]), .close]
        },
        on("/1.ts", "body-whole") { _ in [Site.head("HTTP/1.1 200 OK", "Content-Length: 9000"), .send([0x47]), .stall]
        },
        on("/1.ts", "size-bound") { _ in
            [Site.head("HTTP/1.1 200 OK"), .sendForever([UInt8](repeating: 0x47, count: 65536))]
        },
        on("/1.ts", "size-bound") { _ in [Site.head("HTTP/1.1 200 OK", "Content-Length: 10000000000"), .stall] },
        on("/1.ts", "encoding-true") { _ in
            Site.answer(200, [1, 2, 3, 4], type: "video/mp2t", "Content-Encoding: gzip")
        },
        on("/1.ts", "encoding-true") { _ in
            Site.answer(200, [1, 2, 3, 4], type: "video/mp2t", "Content-Encoding: x-own")
        },
        on("/1.ts", "body-kind") { _ in Site.answer(200, Array("<!DOCTYPE html><p>Log in".utf8), type: "text/html") },
        on("/1.ts", "body-kind") { _ in Site.answer(200, Array(#"{"error": "no"}"#.utf8), type: "video/mp2t") },
        on("/1.ts", "body-kind") { _ in Site.answer(200, [], type: "video/mp2t") },
        on("/1.ts", "redirects-end") { _ in Site.redirect("/1.ts") },
        on("/1.ts", "redirects-end") { _ in Site.redirect("file:///etc/passwd") },
        Wrong(rule: "redirects-end") { path, _ in
            guard path.hasPrefix("/1.ts") else { return nil }
            return Site.redirect("/1.ts?\(path.count)x\(path)")
        },
        on("/1.ts", "media-redirected") { _ in Site.redirect("/2.ts") },
        on("/0.ts", "range-206") { request in Site.answer(200, Site.bytes("/0.ts") ?? [], type: "video/mp2t", to: nil)
        },
        on("/1.ts", "type-fits") { request in
            Site.answer(200, Site.bytes("/1.ts") ?? [], type: "video/mp4", to: request)
        },
        on("/1.ts", "not-modified-unasked") { _ in Site.answer(304) },
        on("/index.m3u8", "encoding-unasked") { request in
            guard request.header("accept-encoding") == "identity" else { return nil }
            return Site.answer(200, [], "Content-Encoding: br")
        },
        on("/1.ts", "cors-everywhere") { request in
            Site.answer(200, Site.bytes("/1.ts") ?? [], type: "video/mp2t", to: request)
        },
        on("/1.ts", "cors-value") { request in
            Site.answer(
                200,
                Site.bytes("/1.ts") ?? [],
                "Access-Control-Allow-Origin: *",
                "Access-Control-Allow-Origin: *"
            )
        },
        on("/1.ts", "vod-cache") { request in
            Site.answer(200, Site.bytes("/1.ts") ?? [], type: "video/mp2t", "Cache-Control: no-store", to: request)
        },
    ]

    private static func on(
        _ path: String,
        _ rule: String,
        _ answer: @escaping @Sendable (LoopbackServer.Request) -> [Site.Step]?
    ) -> Wrong {
        Wrong(rule: rule) { target, request in target == path ? answer(request) : nil }
    }

    @Test(arguments: ["cors-everywhere", "same-again", "entity-tag-true"])
    func `a difference on the second request is found`(rule: String) throws {
        let count = Mutex(0)
        let site = try Site { path, request in
            guard path == "/1.ts" else { return nil }
            let isFirst = count.withLock { number in
                number += 1
                return number == 1
            }
            var bytes = Site.bytes("/1.ts") ?? []
            if !isFirst, rule != "cors-everywhere" { bytes[1000] ^= 1 }
            let open = isFirst ? "Access-Control-Allow-Origin: *" : "X: y"
            return Site.answer(200, bytes, type: "video/mp2t", "ETag: \"a\"", open)
        }
        defer { site.stop() }
        #expect(try site.rules().contains(rule))
    }

    @Test func `segments are requested again, the last first`() throws {
        let site = try Site()
        defer { site.stop() }
        _ = try site.report()
        let names = site.requests.filter { $0.hasPrefix("GET") }.compactMap {
            $0.split(separator: " ").dropFirst().first
        }
        #expect(names.suffix(3) == ["/2.ts", "/1.ts", "/0.ts"])
    }

    @Test func `parallel requests are reported in the playlist's order`() throws {
        let site = try Site { path, _ in path.hasSuffix(".ts") ? Site.answer(404) : nil }
        defer { site.stop() }
        let finding = try #require(try site.report().found.first { $0.rule.id == "uri-resolves" })
        #expect(finding.places.map(\.url) == ["/0.ts", "/1.ts", "/2.ts"].map(site.url))
    }

    @Test func `no file of a playlist from a server is opened`() throws {
        let folder = try TestFolder()
        let secret = try folder.write(Array("secret".utf8), to: "secret.ts")
        let site = try Site { path, _ in
            guard path == "/index.m3u8" else { return nil }
            let text = Site.text.replacing("1.ts", with: "file://\(secret)")
            return Site.answer(200, Array(text.utf8), type: "application/vnd.apple.mpegurl")
        }
        defer { site.stop() }
        let report = try site.report()
        #expect(report.found.contains { $0.rule.id == "uri-scheme" })
        #expect(report.leftOut == ["file://\(secret): the scheme file is not supported"])
        #expect(report.text.contains("not checked:\n"))
    }

    @Test func `a file can refer to files only`() throws {
        let folder = try TestFolder()
        _ = try folder.write(Site.bytes("/0.ts") ?? [], to: "0.ts")
        let text = Site.text.replacing("1.ts", with: "file:///dev/zero")
        let path = try folder.write(Array(text.utf8), to: "index.m3u8")
        let report = try PresentationLoader(path, by: BlockingFetcher()).report()
        let messages = report.found.filter { $0.rule.id == "segment-readable" }.map(\.message.text)
        #expect(messages == ["not a regular file", "No such file or directory"])
    }

    @Test func `headers are sent to the playlist's server only`() throws {
        let other = try Site()
        defer { other.stop() }
        let place = other.url("/2.ts")
        let site = try Site { path, request in
            if path == "/2.ts" { return Site.redirect("\(place)") }
            return request.header("x-key") == nil ? Site.answer(403) : nil
        }
        defer { site.stop() }
        let report = try site.report { $0.headers = [("X-Key", "secret")] }
        #expect(!report.found.contains { $0.rule.id == "uri-resolves" })
        #expect(other.requests.count > 0)
        #expect(!other.requests.contains { $0.lowercased().contains("x-key") })
        #expect(throws: ValidationFailure.self) { try site.report() }
    }

    @Test func `segments that are served without credentials are reported`() throws {
        let site = try Site { path, request in
            path == "/index.m3u8" && request.header("x-key") == nil ? Site.answer(403) : nil
        }
        defer { site.stop() }
        #expect(try site.rules { $0.headers = [("X-Key", "secret")] }.contains("open-media"))
        let guarded = try Site { _, request in request.header("x-key") == nil ? Site.answer(403) : nil }
        defer { guarded.stop() }
        #expect(!(try guarded.rules { $0.headers = [("X-Key", "secret")] }.contains("open-media")))
    }

    @Test func `a token that segments lack is found`() throws {
        let site = try Site { path, _ in path.contains("?token=1") ? nil : Site.answer(403) }
        defer { site.stop() }
        #expect(try site.rules("/index.m3u8?token=1").isSuperset(of: ["token-carried", "uri-resolves"]))
    }

    @Test func `keys are requested, and an HTML page is not a key`() throws {
        let site = try Site { path, _ in
            if path == "/key" { return Site.answer(200, Array("<html>Log in".utf8), type: "text/html") }
            guard path == "/index.m3u8" else { return nil }
            let text = Site.text
                .replacing("#EXTINF", with: "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n#EXTINF", maxReplacements: 1)
            return Site.answer(200, Array(text.utf8), type: "application/vnd.apple.mpegurl")
        }
        defer { site.stop() }
        let finding = try #require(try site.report().found.first { $0.rule.id == "body-kind" })
        #expect(finding.places.map(\.url) == [site.url("/key")])
    }
}
