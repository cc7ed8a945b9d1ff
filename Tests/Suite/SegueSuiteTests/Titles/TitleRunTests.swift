import Foundation
import SegueBase
import SegueComparison
import SegueData
import SegueEvents
import SegueFetch
import SegueHarnessFiles
import SegueSuite
import SegueTestSupport
import Testing

/// A suite of titles on an in-memory server, without processes.
@Suite struct `Titles of any server` {
    /// A server with resources by URL and a configurable delay.
    private final class Server: TitleServer {
        private let resources: [String: [UInt8]]
        private let delays: [String: [Duration]]
        private let redirects: [String: String]
        private(set) var asked: [FetchRequest] = []

        init(
            _ resources: [String: [UInt8]],
            delays: [String: [Duration]] = [:],
            redirects: [String: String] = [:]
        ) {
            (self.resources, self.delays, self.redirects) = (resources, delays, redirects)
        }

        func ask(_ request: FetchRequest) -> TimedAnswer {
            let times = delays[request.url] ?? [.zero]
            let before = asked.count { $0.url == request.url }
            asked.append(request)
            let body = resources[request.url]
            let head = FetchResponse(
                status: redirects[request.url] != nil ? 302 : body == nil ? 404 : 200,
                headers: [("content-length", "\(body?.count ?? 0)")]
                    + (redirects[request.url].map { [("location", $0)] } ?? []),
                url: request.url,
                serverAddress: "h:80"
            )
            return TimedAnswer(
                response: head,
                body: body ?? [],
                firstByte: times[min(before, times.count - 1)],
                rest: .zero
            )
        }
    }

    /// The content of all files of a folder.
    private static func contents(of folder: TestFolder) throws -> String {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".jsonl") }.map {
            try String(contentsOfFile: folder.file($0), encoding: .utf8)
        }
        .joined()
    }

    private static func text(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    private static func media(_ names: String..., isLive: Bool = false) -> [UInt8] {
        let segments = names.map { "#EXTINF:4,\n\($0)" }
        return Array(
            (["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:4"] + segments + (isLive ? [] : ["#EXT-X-ENDLIST"]))
                .joined(separator: "\n").utf8
        )
    }

    /// A stream with two variants and an audio rendition; its segments are empty transport streams.
    private static let ladder: [String: [UInt8]] = [
        "http://h/m.m3u8": text(
            "#EXTM3U",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",DEFAULT=YES,URI=\"sound.m3u8\"",
            "#EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS=\"avc1.640015,mp4a.40.2\",RESOLUTION=320x180,AUDIO=\"a\"",
            "low.m3u8",
            "#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS=\"avc1.640015,mp4a.40.2\",RESOLUTION=640x360,AUDIO=\"a\"",
            "high.m3u8"
        ),
        "http://h/low.m3u8": media("l0.ts", "l1.ts"), "http://h/high.m3u8": media("h0.ts", "h1.ts"),
        "http://h/sound.m3u8": media("s0.ts", "s1.ts"),
    ]

    private static func run(
        _ server: Server,
        _ change: (inout Title) -> Void = { _ in },
        think: Duration? = nil,
        logs: String? = nil,
        networks: [String] = ["3g"],
        bodies: TitleBodies? = nil,
        profile: RequirementProfile = .none,
        scenario: String = "play-through"
    ) throws -> [CaseOutcome] {
        var title = Title(name: "t", url: "http://h/m.m3u8")
        change(&title)
        var choices = SuiteChoices(scenarios: [scenario], networks: networks)
        choices.profile = profile
        let suite = try Suite(
            SuiteSources(titles: [title]),
            choices,
            harness: HarnessFolder(path: HarnessData.path)
        )
        let task = try #require(
            suite.tasks(logFolder: logs, wantsStories: true, limits: FileLimits(), think: think).first
        )
        var outcomes: [CaseOutcome] = []
        try TitleRunner(task: task, title: title, server: server, bodies: bodies ?? TitleBodies()).run {
            outcomes.append($0)
        }
        return outcomes
    }

    @Test func `a live title is skipped with the reason`() throws {
        let server = Server(["http://h/m.m3u8": Self.media("a.ts", isLive: true), "http://h/a.ts": [1]])
        let outcome = try #require(try Self.run(server).first)
        #expect(
            outcome.result.verdict == .skip && outcome.result.findings.first?.message.text.contains("is live") == true
        )
    }

    /// The requirements in the findings of a case, by rule.
    private static func requirements(_ result: CaseResult?) -> [String: ViolatedRequirement] {
        Dictionary((result?.findings ?? []).compactMap { one in one.requirement.map { (one.rule, $0) } }) { $1 }
    }

    @Test func `a violated MUST of the profile fails each case, and others are remarks`() throws {
        let networks = ["wifi", "3g"]
        let usual = try Self.run(Server(Self.ladder), networks: networks, profile: .rfc)
        #expect(usual.count == 2)
        for outcome in usual {
            let found = Self.requirements(outcome.result)
            // The segments are missing.
            let missing = try #require(found["hls.uri-resolves"])
            #expect(missing.isViolation)
            let rates = try #require(found["hls.average-bandwidth"])
            #expect(rates.isMust && !rates.isCounted && rates.clauses == "A9.14")
            let words = outcome.result.findings.filter { !$0.isRemark }.map(\.words)
            #expect(words.contains { $0.hasPrefix("hls.uri-resolves (R6.2.1, B6.2.1): ") }, "\(words)")
            #expect(!words.contains { $0.contains("average-bandwidth") })
            #expect(outcome.result.verdict == .fail)
        }
        let apple = try Self.run(Server(Self.ladder), profile: .apple).first?.result
        let rates = try #require(Self.requirements(apple)["hls.average-bandwidth"])
        #expect(rates.isViolation)
        let none = try #require(try Self.run(Server(Self.ladder), profile: .none).first).result
        #expect(!none.findings.contains { $0.rule.hasPrefix("hls.") })
    }

    @Test func `without a rendition for the background, the platform decides, on today's one`() throws {
        let movie: [String: [UInt8]] = ["http://h/m.m3u8": Self.media("a.ts", "b.ts", "c.ts", "d.ts", "e.ts", "f.ts")]
        func outcome(_ background: Title.Background) throws -> CaseResult {
            try #require(
                try Self.run(Server(movie), { $0.background = background }, scenario: "background-and-return").first
            ).result
        }
        let found = try outcome(.found)
        #expect(found.name.platform == "ios-26.4")
        #expect(!found.findings.contains { $0.rule == "background-sound" }, "\(found.findings.map(\.words))")
        #expect(!(try outcome(.none)).findings.contains { $0.rule == "no-background" })
    }

    @Test func `a title's own profile overrides that of the run`() throws {
        let result = try Self.run(Server(Self.ladder), { $0.profile = RequirementProfile.none }, profile: .rfc).first
        let found = Self.requirements(result?.result)
        #expect(found.isEmpty)
    }

    @Test func `a validation fetches no media again, for any number of networks`() throws {
        let server = Server(Self.ladder)
        _ = try Self.run(server, networks: ["wifi", "3g"], profile: .rfc)
        let plain = server.asked.filter {
            $0.url == "http://h/low.m3u8" && !$0.isHead && $0.method == nil && $0.headers.isEmpty
        }
        // The response time is measured three times.
        #expect(plain.count == 3)
    }

    @Test func `a missing title fails, and an unreachable server is reported`() throws {
        let missing = try #require(try Self.run(Server([:])).first?.result)
        #expect(
            missing.verdict == .fail && missing.findings.map(\.words) == ["unopened: http://h/m.m3u8: status 404"]
        )
    }

    @Test func `headers go only to the title's server, and secrets appear nowhere`() throws {
        var stream = Self.ladder
        stream["http://h/low.m3u8"] = Self.text(
            "#EXTM3U",
            "#EXT-X-TARGETDURATION:4",
            "#EXTINF:4,",
            "http://cdn/l0.ts?key=s3cr3t-t0ken",
            "#EXT-X-ENDLIST"
        )
        let server = Server(stream)
        let folder = try TestFolder()
        let outcomes = try Self.run(
            server,
            {
                $0.headers = [.init(name: "Authorization", value: "Bearer s3cr3t-t0ken")]
                $0.secrets.add("s3cr3t-t0ken", as: "TOKEN")
            },
            logs: folder.path
        )
        let bearers = server.asked.filter { $0.headers.contains { $0.value == "Bearer s3cr3t-t0ken" } }
        #expect(
            bearers.contains { $0.url == "http://h/m.m3u8" } && !bearers.contains { $0.url.hasPrefix("http://cdn") }
        )
        #expect(server.asked.contains { $0.url.hasPrefix("http://cdn/l0.ts") })
        let told = "\(outcomes)" + (try Self.contents(of: folder))
        #expect(told.contains("{TOKEN}") && !told.contains("s3cr3t-t0ken"))
    }

    @Test func `virtual time charges the fastest response in whole milliseconds, unless fixed`()
        throws
    {
        func firstByte(think: Duration?) throws -> (slowest: Double?, startup: [Event]) {
            let delays = ["http://h/m.m3u8": [Duration.milliseconds(900), .microseconds(700_400), .milliseconds(800)]]
            let folder = try TestFolder()
            let outcomes = try Self.run(Server(Self.ladder, delays: delays), think: think, logs: folder.path)
            let log = try EventLog(jsonLines: try Self.contents(of: folder))
            return (outcomes.first?.result.metrics.serverSeconds, log.events)
        }
        let measured = try firstByte(think: nil)
        #expect(measured.slowest == 0.7)
        let told = measured.startup.compactMap { event in
            if case .originMeasured(let url, let seconds, _) = event.kind { (url, seconds) } else { nil }
        }
        #expect(told.first?.0 == "http://h/m.m3u8" && told.first?.1 == 0.7)
        let fixed = try firstByte(think: .milliseconds(20))
        #expect(fixed.slowest == 0.02)
        func chosen(_ events: [Event]) -> Double? {
            events.first { if case .playlistVariantChosen = $0.kind { true } else { false } }?.at.seconds
        }
        let (slow, fast) = (try #require(chosen(measured.startup)), try #require(chosen(fixed.startup)))
        #expect(abs(slow - fast - 0.68) < 0.001)
    }

    @Test func `a resource is requested once for all cases`() throws {
        let server = Server(Self.ladder.merging(["http://h/l0.ts": [0x47], "http://h/s0.ts": [0x47]]) { $1 })
        let outcomes = try Self.run(server, think: .zero, networks: ["3g", "wifi"])
        let found = server.asked.map(\.url).filter { Self.ladder[$0] != nil }
        #expect(outcomes.count == 2 && found.contains("http://h/sound.m3u8") && Set(found).count == found.count)
    }

    @Test func `a redirect is followed with its time, and no other server gets the title's headers`() throws {
        let stream = Dictionary(
            uniqueKeysWithValues: Self.ladder.map { ($0.key.replacing("http://h/", with: "http://cdn/"), $0.value) }
        )
        let server = Server(
            stream,
            delays: ["http://h/m.m3u8": [.milliseconds(300)], "http://cdn/m.m3u8": [.milliseconds(200)]],
            redirects: ["http://h/m.m3u8": "http://cdn/m.m3u8"]
        )
        let outcome = try Self.run(server, { $0.headers = [.init(name: "X-Key", value: "s3cr3t-t0ken")] }).first
        #expect(outcome?.result.metrics.serverSeconds == 0.5)
        let told = Set(server.asked.filter { $0.headers.contains { $0.name == "X-Key" } }.map(\.url))
        #expect(told == ["http://h/m.m3u8"] && server.asked.allSatisfy { !$0.followsRedirects })
        #expect(server.asked.contains { $0.url == "http://cdn/m.m3u8" })
    }

    @Test(arguments: [
        ("http://h/m.m3u8", "redirects more than 10 times"), ("file:///etc/passwd", "which is not an HTTP URL"),
    ])
    func `an endless redirect is an error`(place: String, says: String) throws {
        let result = try #require(try Self.run(Server([:], redirects: ["http://h/m.m3u8": place])).first?.result)
        #expect(result.verdict == .fail && result.findings.first?.message.text.contains(says) == true)
    }

    @Test func `a full disk is not a defect of the title`() throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let error = try #require(throws: (any Error).self) {
            try Self.run(Server(Self.ladder), bodies: TitleBodies(descriptor: full))
        }
        #expect("\(error)" == "cannot store the server's response: pwrite: No space left on device")
    }

    @Test func `only the first bytes of a plain file are requested before playback`() throws {
        let server = Server(["http://h/film": Array(repeating: 1, count: 5000)])
        _ = try Self.run(server, { $0.url = "http://h/film" }, think: .zero)
        #expect(server.asked.first?.range == FetchRange(offset: 0, length: 1024))
    }
}
