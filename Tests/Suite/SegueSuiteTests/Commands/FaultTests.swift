import Foundation
import HTTPTypes
import SegueHarnessFiles
import SegueOrigin
import SegueOriginTestSupport
import SeguePackager
import SegueSuite
import SegueTestMedia
import SegueTestSupport
import Synchronization
import Testing

@Suite struct `Commands of a server` {
    @Test func `all pass on a server without a fault`() throws {
        let table = try AskedServer(AskedServer.all).table(Fault("nothing", tells: "") { _, _ in })
        #expect(table.findings == [])
        #expect(table.count > 1000)
    }

    @Test(arguments: Fault.all)
    func `find a planted fault and its place`(fault: Fault) throws {
        let findings = try AskedServer(AskedServer.few).table(fault).findings
        #expect(!findings.isEmpty)
        #expect(
            findings.allSatisfy { $0.contains(fault.tells) },
            "\(findings.first { !$0.contains(fault.tells) } ?? "")"
        )
    }

    @Test func `all pass on a server with a key`() throws {
        let nothing = Fault("nothing", tells: "") { _, _ in }
        let table = try AskedServer(AskedServer.few, hasKey: true).table(nothing)
        #expect(table.findings == [])
        #expect(table.lines.count { $0.contains("without a key") } > 30)
    }

    @Test(arguments: Fault.atTheDoor)
    func `find differences visible without a key`(fault: Fault) throws {
        let findings = try AskedServer(AskedServer.few, hasKey: true).table(fault).findings
        #expect(!findings.isEmpty)
        #expect(
            findings.allSatisfy { $0.contains(fault.tells) },
            "\(findings.first { !$0.contains(fault.tells) } ?? "")"
        )
    }
}

/// A responder with media for every command except the radio, which has no end here.
private struct AskedServer {
    /// A file for each kind of item.
    static let all = Result { try made { _ in true } }
    /// Enough items for a fault.
    static let few = Result { try made { ["film.mp4", "music/song.mp3", "broken.mp4"].contains($0) } }

    private let responder: Responder
    private let hasKey: Bool
    /// The time, which advances when all wait for it.
    private let clock = Clock()

    init(_ media: Result<TestFolder, any Error>, hasKey: Bool = false) throws {
        self.hasKey = hasKey
        responder = Responder(library: try Library(roots: [media.get().path])) { [clock] in
            $0.hosts = AllowedHosts(listeningOn: "127.0.0.1", named: [])
            $0.now = { clock.milliseconds }
            $0.page = TestPage()
        }
    }

    private static func made(_ isWanted: (String) -> Bool) throws -> TestFolder {
        let folder = try TestFolder()
        let recipes = try RecipeReader.recipes(inFolder: HarnessData.path + "/commands").filter { isWanted($0.file) }
        _ = try MediaMaker(recipes: recipes).makeAll(into: folder.path, jobs: 2)
        return folder
    }

    func table(_ fault: Fault) -> CommandTable {
        defer { responder.close() }
        let catalogue = CommandCatalogue(ServerFacts(devices: [], isLoopback: true, hasKey: hasKey))
        var run = CommandRun(catalogue.beginning.filter { $0.route != .radio })
        while let command = run.next() {
            var request = OriginRequest(
                method: command.method,
                target: "/" + command.target,
                headers: HTTPFields(named: command.headers)
            )
            request.body = command.body ?? []
            if request.headers[.hostField] == nil { request.headers[.hostField] = "127.0.0.1" }
            let target = fault.leads(request.target)
            var question = OriginRequest(method: request.method, target: target, headers: request.headers)
            question.body = request.body
            var answer = Self.refusal(of: command) ?? responder.respond(to: question)
            while let time = answer.blockedUntil {
                clock.go(to: time)
                answer = responder.respond(to: question)
            }
            if hasKey, let kept = answer.headers[.cacheControl], kept.hasPrefix("public") {
                answer.headers[.cacheControl] = kept.replacing("public", with: "private")
            }
            if command.key == .wrong { request.target = "/k/\(CommandKey.wrongKey)\(request.target)" }
            request.visitor.name = command.key == .own ? "" : "nobody"
            fault.plant(request, &answer)
            var body = answer.bytes
            if answer.headers[.contentEncoding] == "gzip" { body = gunzip(body) ?? [] }
            run.take(
                CommandResponse(
                    status: answer.status,
                    headers: answer.headers.map { (name: $0.name.canonicalName, value: $0.value) },
                    body: body
                ),
                to: command,
                after: 0
            )
        }
        return CommandTable(run)
    }

    /// The response of a server that requires a key to a request without it; nil for other requests.
    private static func refusal(of command: ServerCommand) -> OriginResponse? {
        if command.key == .own || command.route == .health { return nil }
        if command.headers.contains(where: { $0.value.hasPrefix("text/html") }) {
            var page = plain("<input type=\"password\">", "text/html")
            page.status = 401
            page.headers += [.cacheControl: "no-store", .contentSecurityPolicy: "default-src 'none'"] as HTTPFields
            return page
        }
        var answer = OriginFailure(status: 401, code: "unauthorized", message: "a key is needed").response
        if command.method == "HEAD" { answer.body = .empty }
        return answer
    }
}

/// A clock that the test sets.
private final class Clock: Sendable {
    private let time = Mutex<Int64>(1_700_000_000_000)

    /// The time in milliseconds since 1970.
    var milliseconds: Int64 { time.withLock { $0 } }

    /// Advances the clock.
    func go(to milliseconds: Int64) { time.withLock { $0 = milliseconds } }
}

/// A page with everything that commands request from one.
private struct TestPage: PageRendering {
    func page(of listing: ItemListing, for visit: PageVisit) -> RenderedPage {
        let items = listing.items.map { "<p id=\"\($0.id)\">\($0.title)</p>" }
        return RenderedPage(html: "<html>\(items.joined())</html>", securityPolicy: "default-src 'none'")
    }

    func file(_ name: String, version: String) -> PageFile? { nil }
}

/// A complete response.
private func plain(_ text: String, _ type: String) -> OriginResponse {
    let bytes = Array(text.utf8)
    let headers: HTTPFields = [.contentType: type, .contentLength: "\(bytes.count)"]
    return OriginResponse(status: 200, headers: headers, body: .bytes(bytes))
}

/// A fault of a server.
struct Fault: Sendable, CustomTestStringConvertible {
    /// The name of the fault.
    var testDescription: String
    /// A text that every finding about the fault contains, so that nothing else is blamed.
    var tells: String
    /// The new target of a request.
    var leads: @Sendable (String) -> String
    /// Changes a response.
    var plant: @Sendable (OriginRequest, inout OriginResponse) -> Void

    init(
        _ what: String,
        tells: String,
        leads: @escaping @Sendable (String) -> String = { $0 },
        _ plant: @escaping @Sendable (OriginRequest, inout OriginResponse) -> Void
    ) {
        testDescription = what
        self.tells = tells
        (self.leads, self.plant) = (leads, plant)
    }

    /// The response for a client without a key.
    static let atTheDoor = [
        Fault("segments for everybody", tells: ".ts") { request, answer in
            guard isUninvited(request), request.target.hasSuffix("0.ts") else { return }
            answer = plain("bytes", "video/mp2t")
        },
        Fault("which items there are", tells: "404") { request, answer in
            if isUninvited(request), request.target.hasPrefix("/api/items/none") { answer.status = 404 }
        },
        Fault("that a key has another length of answer", tells: "invalid key") { request, answer in
            guard isUninvited(request), request.target.hasPrefix("/k/") else { return }
            answer = OriginFailure(status: 401, code: "unauthorized", message: "no such key").response
        },
        Fault("figures", tells: "metrics") { request, answer in
            if isUninvited(request), request.target == "/metrics" { answer = plain("# a 1\n", "text/plain") }
        },
        Fault("whose pages may read answers", tells: "page of another server") { request, answer in
            guard isUninvited(request), let origin = request.headers[.origin] else { return }
            answer.headers[.accessControlAllowOrigin] = origin
        },
        Fault("that it is another host", tells: "another name of the host") { request, answer in
            guard isUninvited(request), request.headers[.hostField] == "evil.example" else { return }
            answer = OriginFailure(status: 403, code: "foreignHost", message: "no").response
        },
        Fault("a refusal that caches keep", tells: "Cache-Control") { request, answer in
            if isUninvited(request), answer.status == 401 { answer.headers[.cacheControl] = "public" }
        },
        Fault("nothing of how one logs in", tells: "by a browser") { request, answer in
            guard isUninvited(request), answer.headers[.contentType] == "text/html" else { return }
            answer = plain("no", "text/html")
            answer.status = 401
            answer.headers += [.cacheControl: "no-store", .contentSecurityPolicy: "default-src 'none'"] as HTTPFields
        },
    ]

    private static func isUninvited(_ request: OriginRequest) -> Bool { request.visitor.name == "nobody" }

    static let all = [
        Fault("segments without a tag", tells: "ETag") { request, answer in
            if request.target.contains(".m4s") { answer.headers[.eTag] = nil }
        },
        Fault("parts that are a byte too long", tells: "bytes=1-9") { request, answer in
            guard request.headers[.range] == "bytes=1-9", answer.status == 206 else { return }
            answer.body = .bytes(answer.bytes + [0])
        },
        Fault("parts that begin a byte too late", tells: "bytes=0-0") { request, answer in
            guard request.headers[.range] == "bytes=0-0", answer.status == 206 else { return }
            answer.headers[.contentRange] = "bytes 1-1/9"
        },
        Fault("the whole for what is behind the end", tells: "a range beyond the end") { _, answer in
            if answer.status == 416 { answer.status = 200 }
        },
        Fault("a body for HEAD", tells: "HEAD") { request, answer in
            if request.method == "HEAD" { answer.body = .bytes([1]) }
        },
        Fault("the whole where nothing has changed", tells: "the status is 200") { _, answer in
            if answer.status == 304 { answer.status = 200 }
        },
        Fault("packing that was refused", tells: "gzip;q=0") { request, answer in
            guard request.headers[.acceptEncoding] == "gzip;q=0, identity" else { return }
            answer.headers[.contentEncoding] = "gzip"
        },
        Fault("an item for an id that there is not", tells: "none") { request, answer in
            if request.target.contains("/none/"), answer.status == 404 { answer.status = 200 }
            if request.target.hasSuffix("/none"), answer.status == 404 { answer.status = 200 }
        },
        Fault(
            "the picture in the background",
            tells: "the media has video",
            leads: { $0.replacing("/background.ts/", with: "/full.ts/") },
            { _, _ in }
        ),
        Fault("an offset before the beginning", tells: "offset=-1") { request, answer in
            if request.target.hasSuffix("offset=-1") { answer.status = 200 }
        },
        Fault("methods that are refused without saying which are not", tells: "Allow") { _, answer in
            if answer.status == 405 { answer.headers[.allow] = nil }
        },
        Fault("an answer under anybody's name", tells: "another host") { _, answer in
            if answer.status == 403 { answer.status = 200 }
        },
        Fault("other bytes the second time", tells: "once more") { request, answer in
            if request.target.hasSuffix("?again") { answer.body = .bytes(answer.bytes.reversed()) }
        },
        Fault("playlists as text", tells: "Content-Type") { request, answer in
            guard request.target.contains(".m3u8?background") else { return }
            answer.headers[.contentType] = "text/plain"
        },
        Fault("a path that climbs", tells: "path traversal") { request, answer in
            if request.target.contains("etc") || request.target.contains("%252e") { answer.status = 200 }
        },
        Fault("a playlist that begins at its beginning", tells: "EXT-X-START") { request, answer in
            guard request.target.hasSuffix("offset=0.5"), request.target.contains("index.m3u8"),
                case .bytes(let bytes) = answer.body
            else { return }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            let text = Array(lines.filter { !$0.hasPrefix("#EXT-X-START") }.joined(separator: "\n").utf8)
            answer.body = .bytes(text)
            answer.headers[.contentLength] = "\(text.count)"
        },
        Fault("figures without a kind", tells: "metrics") { request, answer in
            guard request.target == "/metrics", case .bytes(let bytes) = answer.body else { return }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            let text = Array(lines.filter { !$0.hasPrefix("# TYPE") }.joined(separator: "\n").utf8)
            answer.body = .bytes(text)
            answer.headers[.contentLength] = "\(text.count)"
        },
        Fault("a page that may run anything", tells: "Content-Security-Policy") { _, answer in
            answer.headers[.contentSecurityPolicy] = nil
        },
        Fault("all items where one is asked for", tells: "limit=1") { request, answer in
            guard request.target.hasSuffix("limit=1"), request.target.hasPrefix("/api/items") else { return }
            answer.body = .bytes(Array(#"{"items":[],"total":0,"offset":0}"#.utf8))
            answer.headers[.contentLength] = "33"
        },
    ]
}
