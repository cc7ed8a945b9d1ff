internal import Foundation
internal import FoundationXML
import SegueBase
import SegueCharts
import SegueComparison
import SegueEvents
import SegueTestSupport
import SegueWeb
import Testing

@testable import SegueSuite

@Suite struct `The report's page` {
    static let hostile = [
        "</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "a\u{202E}gpm.3\u{2066}", "<!--",
        "]]>",
        "\u{0}\u{1}\u{1F}\n\t\\u003c", "bytes-\u{FFFD}", "&lt;b&gt;", String(repeating: "long ", count: 400), "",
        "javascript:alert(1)", "${alert(1)}`", "\u{2028}\u{2029}", "日本語 🎬.mp4",
    ]

    static func name(_ file: String, network: String = "wifi") -> CaseName {
        CaseName(file: file, scenario: "s", network: network, platform: "p", app: "a", seed: 1)
    }

    static func story(_ item: String = "item-1", seconds: Double = 3) -> RunTimeline {
        var log = EventLog()
        log.append(.playerCommand(name: "play", item: item), at: .zero)
        log.append(.soundBegan(item: item, position: 0), at: Instant(seconds: 1))
        log.append(.itemFailed(item: item, domain: "d", code: 1, message: "<refused>"), at: Instant(seconds: 2))
        log.append(.soundEnded(item: item, position: 3, reason: "paused"), at: Instant(seconds: seconds))
        return RunTimeline(log: log)
    }

    static func template() throws -> ReportPage { try ReportPage(WebFolder(path: Checkout.path("Web"))) }

    /// The scripts of the page.
    static func scripts() throws -> [String] {
        let folder = Checkout.path("Web/report")
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".js") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }

    static func page(_ outcomes: [CaseOutcome], news: ReportNews? = nil) throws -> Page {
        let report = SuiteReport(try CaseOutcomes(outcomes), wallSeconds: 3)
        return Page(html: try template().html(of: report, since: news))
    }

    /// A page, read like its script reads it.
    struct Page {
        let html: String

        /// The content of a data element.
        func element(_ id: String) throws -> String {
            let parts = html.components(separatedBy: "id=\"\(id)\">")
            try #require(parts.count == 2, "\(id) is there \(parts.count - 1) times")
            return parts[1].components(separatedBy: "</script>")[0]
        }

        func unpacked(_ id: String) throws -> String {
            let packed = try #require(Data(base64Encoded: try element(id)))
            return String(decoding: try #require(gunzip([UInt8](packed))), as: UTF8.self)
        }

        func data() throws -> [String: Any] {
            try #require(JSONSerialization.jsonObject(with: Data(try element("data").utf8)) as? [String: Any])
        }

        func rows() throws -> [[Any]] {
            let blocks = try #require(try data()["rowBlocks"] as? Int)
            return try (0..<blocks).flatMap { block in
                try unpacked("rows-\(block)").split(separator: "\n").map { line in
                    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
                }
            }
        }

        /// The complete image of a row.
        func picture(_ row: [Any]) throws -> String? {
            let (number, data) = (try #require(row[8] as? Int), try data())
            let together = try #require(data["together"] as? Int)
            let blocks = try #require(data["pictureBlocks"] as? [Int])
            guard number >= 0, number / 3 / together < blocks[number % 3] else { return nil }
            let texts = try unpacked("pictures-\(number % 3)-\(number / 3 / together)").components(separatedBy: "\0")
            let signs = try #require(data["signs"] as? [String: String])
            var picture = ""
            for scalar in texts[number / 3 % together].unicodeScalars {
                if scalar.value == 31 {
                    picture += try #require(data["common"] as? String)
                } else if scalar.value < 32 {
                    picture += try #require(signs["\(scalar.value)"])
                } else {
                    picture.unicodeScalars.append(scalar)
                }
            }
            return picture
        }
    }

    @Test(arguments: hostile)
    func `names, findings, tags, and commands may contain anything, and stay text`(text: String) throws {
        let result = CaseResult(
            name: CaseName(file: text, scenario: text, network: text, platform: text, app: text, seed: 1),
            verdict: .fail,
            findings: [Finding(rule: text, message: Message(words: text), at: 1)]
        )
        var facts = RunFacts()
        (facts.command, facts.revision, facts.branch, facts.job) = (text, text, text, text)
        var report = SuiteReport(try CaseOutcomes([CaseOutcome(result, story: Self.story(text))]), wallSeconds: 1)
        (report.run, report.tags) = (facts, [text: [text]])
        let (row, now) = (try result.recorded(), "now")
        var comparison = RunComparison()
        comparison.add(onlyNew: row)
        comparison.add(onlyOld: row)
        let side = ComparedRuns.Side(title: text, facts: RunFacts(), cases: 1)
        let runs = ComparedRuns(
            old: side,
            new: ComparedRuns.Side(title: now, facts: RunFacts(), cases: 1),
            comparison: comparison
        )
        let news = ReportNews(runs: runs, former: NetworkFigures())
        let html = try Self.template().html(of: report, since: news)
        let page = Page(html: html)
        #expect(html.components(separatedBy: "</script>").count == html.components(separatedBy: "<script").count)
        #expect(html.components(separatedBy: "<script>").count == (try Self.scripts().count) + 1)
        #expect(!html.contains("<img") && !html.contains("href=\"javascript"))
        let names = try #require(try page.data()["names"] as? [String: [String]])
        #expect(names["title"] == [text] && names["network"] == [text])
        #expect(((try page.rows()[0][10] as? [[Any]])?[0][1] as? String) == text)
        let picture = try #require(try page.picture(try page.rows()[0]))
        #expect(XMLParser(data: Data(picture.utf8)).parse() && !picture.contains("<refused>"))
    }

    @Test func `every drawing equals that of the single case`() throws {
        let outcomes = (0..<40).map { number in
            let verdict: Verdict = [.pass, .fail, .known, .broken][number % 4]
            return CaseOutcome(
                CaseResult(name: Self.name("f\(number)"), verdict: verdict, findings: []),
                story: Self.story("item-\(number)", seconds: 3 + Double(number))
            )
        }
        let page = try Self.page(outcomes)
        let rows = try page.rows()
        #expect(rows.count == 40)
        for (number, row) in rows.enumerated() {
            let alone = TimelineDrawing.svg(
                try #require(outcomes[number].story),
                title: "f\(number): s · wifi · p · a",
                about: [outcomes[number].result.metrics.words]
            )
            #expect(try page.picture(row) == alone)
        }
    }

    @Test func `ids are unique and not in drawings, and the drawings share one style`() throws {
        let outcomes = (0..<50).map { number in
            CaseOutcome(CaseResult(name: Self.name("f\(number)"), verdict: .fail, findings: []), story: Self.story())
        }
        let page = try Self.page(outcomes)
        let ids = page.html.matches(of: /\sid="([^"]*)"/).map { String($0.output.1) }
        #expect(Set(ids).count == ids.count && ids.count > 8)
        let common = try #require(try page.data()["common"] as? String)
        #expect(common.hasPrefix("<style>") && common.hasSuffix("</style>") && !common.contains(" id="))
        for block in 0..<4 {
            let pictures = try page.unpacked("pictures-0-\(block)")
            #expect(!pictures.contains(" id=") && !pictures.contains("<style>"))
        }
    }

    @Test func `a case without a timeline has the reason, and each has its replay command`() throws {
        let findings = [Finding(.crash, "signal 11")]
        let crashed = CaseOutcome(CaseResult(name: Self.name("f"), verdict: .fail, findings: findings))
        let played = CaseOutcome(
            CaseResult(name: Self.name("g"), verdict: .pass, findings: []),
            story: Self.story()
        )
        let places = ["f": SourcePlace(path: "media/f"), "g": SourcePlace(path: "g")]
        var report = SuiteReport(try CaseOutcomes([crashed, played]), wallSeconds: 3)
        report.places = places
        let page = Page(html: try Self.template().html(of: report))
        let pictures = try page.rows().compactMap { $0[8] as? Int }
        #expect(pictures[0] == -3 && pictures[1] >= 0)
        #expect(try page.data()["reasons"] as? [String] == [crashed.result.whyNoPicture])
        #expect(try page.data()["paths"] as? [String: String] == ["0": "media/f"])
    }

    @Test func `failures keep their timeline if there is no room for all`() throws {
        var pictures = PageTimelines(room: 4000)
        var numbers: [[Int]] = [[], [], []]
        for number in 0..<600 {
            let rank: PageTimelines.Rank = number % 6 == 0 ? .failed : number % 2 == 0 ? .changed : .other
            guard pictures.hasRoom(for: rank) else { continue }
            let words = (0..<40).map { "\($0 &* 7919 &+ number &* 104_729)" }.joined(separator: " ")
            numbers[rank.rawValue].append(try pictures.add("<svg><text x=\"1\">\(words)</text></svg>", rank))
        }
        try pictures.limit(to: 4000)
        #expect(pictures.ranks.reduce(0) { $0 + $1.bytes } <= 4000)
        #expect(pictures.ranks[0].blocks.count >= 1)
        #expect(pictures.ranks[2].blocks.isEmpty)
        // The number of each image is its position among those of its rank.
        for (rank, given) in numbers.enumerated() { #expect(given == given.indices.map { $0 * 3 + rank }) }
    }

    @Test func `a run without cases, and one with a case, are pages too`() throws {
        #expect(try Self.page([]).rows().isEmpty)
        #expect(try Self.page([]).html.contains("No case failed."))
        let one = CaseOutcome(CaseResult(name: Self.name("f"), verdict: .pass, findings: []))
        #expect(try Self.page([one]).rows().count == 1)
        #expect(try Self.page([one]).html.contains("1 case, none failed") == false)
    }

    @Test func `it begins with the changes, or says that there is no run before`() throws {
        let failing = CaseResult(
            name: Self.name("f"),
            verdict: .fail,
            findings: [Finding(rule: "r", message: "late by 2 s")]
        )
        let alone = try Self.page([CaseOutcome(failing)])
        #expect(alone.html.contains("--history FILE"))
        var (was, comparison, figures) = (try failing.recorded(), RunComparison(), NetworkFigures())
        was.verdict = .pass
        was.metrics["startupSeconds"] = .number(1.5)
        comparison.add(was, try failing.recorded())
        figures.add(was)
        let side = ComparedRuns.Side(title: "run #4", facts: RunFacts(), cases: 1)
        let news = ReportNews(runs: ComparedRuns(old: side, new: side, comparison: comparison), former: figures)
        let page = try Self.page([CaseOutcome(failing)], news: news)
        let places = ["1</b> failed", "New failures", "id=\"causes\"", "id=\"cases\"", "id=\"charts\""].map { text in
            page.html.range(of: text).map { page.html.distance(from: page.html.startIndex, to: $0.lowerBound) } ?? -1
        }
        #expect(places == places.sorted() && places[0] > 0)
        #expect(try page.rows()[0][9] as? Int == PageRows.Change.new.rawValue)
        let former = try #require(try page.data()["former"] as? [String: [String: [Double]]])
        #expect(former["wifi"]?["startupSeconds"] == [1.5, 1.5, 1.5])
    }

    @Test func `the browser runs the page's own script and no other`() throws {
        let html = try Self.page([]).html
        #expect(html.contains("default-src 'none'") && html.contains("script-src 'sha256-"))
        #expect(try !Self.template().securityPolicy.contains("script-src 'unsafe-inline'"))
        #expect(try Self.scripts().allSatisfy { !$0.contains("innerHTML") && !$0.contains("eval(") })
    }
}
