internal import SegueBase
internal import SegueComparison

/// The contents of a page besides its timelines.
struct PageContents {
    let report: SuiteReport
    let causes: FindingCauses
    let rows: PageRows
    /// The changes since the run before; nil if there is none to compare with.
    let news: ReportNews?
}

/// The data of the page's script besides the cases: the names behind their numbers.
struct PageData {
    private let head: String

    /// The approximate size in bytes.
    var bytes: Int { head.utf8.count + 8192 }

    init(_ contents: PageContents) {
        let (report, rows) = (contents.report, contents.rows)
        var json = PageJSON()
        json.raw("{\"names\":{")
        let names: [(String, NameCounts)] = [
            ("title", rows.titles), ("scenario", rows.scenarios), ("network", rows.networks),
            ("platform", rows.platforms), ("app", rows.apps),
        ]
        for (number, (name, tally)) in names.enumerated() {
            json.raw("\(number > 0 ? "," : "")\"\(name)\":")
            json.list(tally.names)
        }
        json.raw("},\"rules\":")
        json.list(rows.rules.names)
        json.raw(",\"issues\":")
        json.list(rows.issues.names)
        json.raw(",\"backgrounds\":")
        json.list(rows.backgrounds.names)
        json.raw(",\"reasons\":")
        json.list(rows.reasons.names)
        json.raw(",\"paths\":")
        let paths = rows.titles.names.enumerated().compactMap { number, name in
            report.places[name].flatMap { $0.path == name ? nil : (String(number), $0.path) }
        }
        json.object(paths) { $0.add($1) }
        json.raw(",\"verdicts\":")
        json.list(Verdict.allCases.map(\.rawValue))
        json.raw(",\"metrics\":")
        json.list(PageRows.metrics) { json, metric in
            json.raw("[")
            json.add(metric.name)
            json.raw(",")
            let meaning = MetricDefinition.of(metric.name)
            json.add(meaning?.unit ?? "")
            json.raw(",\(meaning.map { $0.worse == .down ? -1 : 1 } ?? 0)]")
        }
        json.raw(",\"causes\":")
        json.list(contents.causes.causes) { json, cause in
            json.list([cause.verdict.rawValue, cause.rule, cause.message, cause.shape])
        }
        json.raw(",\"tags\":")
        let tagged = rows.titles.names.enumerated().compactMap { number, name in
            report.tags[name].flatMap { $0.isEmpty ? nil : (String(number), $0) }
        }
        json.object(tagged) { $0.list($1) }
        if let news = contents.news {
            json.raw(",\"former\":")
            json.object(news.former.networks.map { ($0, $0) }) { json, network in
                let spreads = PageRows.metrics.compactMap { metric in
                    news.former.spread(of: metric.name, over: network).map { (metric.name, $0) }
                }
                json.object(spreads) { json, spread in
                    json.list([spread.low, spread.middle, spread.high]) { $0.add($1) }
                }
            }
        }
        json.raw(",\"hasLogs\":\(report.outcomes.hasLogs),\"cases\":\(rows.blocks.count)")
        json.raw(",\"rowBlocks\":\(rows.blocks.blocks.count)")
        head = json.text
    }

    /// Returns the data with the number of timelines.
    func json(_ pictures: PageTimelines) -> String {
        var json = PageJSON()
        json.raw(head)
        json.raw(",\"together\":\(PageTimelines.together),\"pictureBlocks\":")
        json.list(pictures.ranks) { $0.raw("\($1.blocks.count)") }
        json.raw(",\"common\":")
        json.add(pictures.common)
        json.raw(",\"signs\":")
        json.object(TimelineText.table.map { (String($0.sign), $0.text) }) { $0.add($1) }
        json.raw("}")
        return json.text
    }
}
