internal import Foundation
internal import SegueBase
internal import SegueComparison

/// The compressed cases of a page: each a list of numbers that stand for names, with its findings and metrics.
struct PageRows {
    /// The change of a case since the last run.
    enum Change: Int {
        case new = 1, mended, worse, better, excused, added
    }

    /// The metrics, in the order of a case's values.
    static let metrics: [(name: String, value: @Sendable (CaseMetrics) -> Double?)] = [
        ("startupSeconds", { $0.startupSeconds }), ("stalls", { $0.stalls.map(Double.init) }),
        ("stallSeconds", { $0.stallSeconds }), ("stallShare", { $0.stallShare }),
        ("switchGapSeconds", { $0.switchGapSeconds }), ("silenceSeconds", { $0.silenceSeconds }),
        ("firstByteSeconds", { $0.firstByteSeconds }), ("bitrate", { $0.bitrate }),
        ("bytes", { $0.bytes.map(Double.init) }), ("requests", { $0.requests.map(Double.init) }),
        ("errors", { $0.errors.map(Double.init) }), ("heardSeconds", { $0.heardSeconds }),
        ("missingSamples", { $0.missingSamples.map(Double.init) }),
        ("repeatedSamples", { $0.repeatedSamples.map(Double.init) }),
        ("avOffsetMilliseconds", { $0.avOffsetMilliseconds }), ("serverSeconds", { $0.serverSeconds }),
    ]

    private(set) var blocks = PageBlocks(size: 500, divider: UInt8(ascii: "\n"))
    private(set) var titles = NameCounts()
    private(set) var scenarios = NameCounts()
    private(set) var networks = NameCounts()
    private(set) var platforms = NameCounts()
    private(set) var apps = NameCounts()
    private(set) var rules = NameCounts()
    private(set) var issues = NameCounts()
    private(set) var backgrounds = NameCounts()
    /// The reasons for missing timelines.
    private(set) var reasons = NameCounts()

    /// A case of the page.
    struct Row {
        let result: CaseResult
        /// The number of its cause; nil if it has none.
        let cause: Int?
        /// The number of its timeline; nil if it has none.
        let picture: Int?
        var change: Change?
        /// The nearest passing case of a failing one.
        var nearest: NearestPassing?

        init(_ result: CaseResult, cause: Int?, picture: Int?) {
            (self.result, self.cause, self.picture) = (result, cause, picture)
        }
    }

    /// Adds a case.
    ///
    /// - Throws: `Gzip.Failure` if there is no memory.
    mutating func add(_ row: Row) throws {
        let (result, name) = (row.result, row.result.name)
        let names = [
            titles.add(name.file), scenarios.add(name.scenario), networks.add(name.network),
            platforms.add(name.client), apps.add(name.app), name.seed,
        ]
        var json = PageJSON()
        json.raw("[\(names.map(String.init).joined(separator: ",")),")
        let shown = row.picture ?? PageTimelines.noRoom - 1 - reasons.add(result.whyNoPicture)
        json.raw("\(Verdict.allCases.firstIndex(of: result.verdict) ?? 0),\(row.cause ?? -1),\(shown),")
        json.raw("\(row.change?.rawValue ?? 0),")
        json.list(result.findings) { json, finding in
            json.raw("[\(rules.add(finding.rule)),")
            json.add(finding.message.text)
            if finding.at != nil || finding.known != nil {
                json.raw(",")
                json.add(finding.at)
                if let known = finding.known { json.raw(",\(issues.add(known))") }
            }
            json.raw("]")
        }
        json.raw(",\(result.metrics.background.map { backgrounds.add($0) } ?? -1),")
        if let nearest = row.nearest {
            json.list([ReportModel.CaseLink(nearest.name).key] + nearest.sentences)
        } else {
            json.raw("0")
        }
        var figures = Self.metrics.map { $0.value(result.metrics) }
        while figures.last == .some(nil) { figures.removeLast() }
        for figure in figures {
            json.raw(",")
            json.add(figure)
        }
        json.raw("]")
        try blocks.add(json.text.utf8)
    }

    /// Completes the last block.
    mutating func close() throws { try blocks.close() }
}
