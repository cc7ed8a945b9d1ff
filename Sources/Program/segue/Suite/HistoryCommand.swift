import ArgumentParser
import Foundation
import SegueComparison
import SegueData
import SegueHistory

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows how a case's result and metrics changed from run to run.",
        discussion: """
            CASE consists of words in the case's name: parts of the title, the scenario, network, platform, or app \
            policy. If several cases match all words, they are listed; without words, the runs are listed.

            Examples:
              segue history --history nightly.db
              segue history tram.mp4 3g --history nightly.db
              segue history tram.mp4 3g --history nightly.db \\
                --metric startupSeconds --draw startup.svg

            In the rows, each character stands for a run: · pass, ✗ fail, k known, – skip, ? broken.
            """
    )

    /// The maximum number of listed cases.
    private static let most = 40

    @Argument(help: ArgumentHelp("Words in the case's name.", valueName: "case"))
    var words: [String] = []

    @Option(.history) var history: String

    @Option(help: "The metric, by its name in the JSON. (default: the one with the largest change)")
    var metric: String?

    @Option(.picture) var draw: String?

    @Option(.json) var json: String?

    @Flag(.quiet) var quiet = false

    @OptionGroup var config: ConfigOption

    func validate() throws {
        if words.isEmpty, draw != nil || json != nil || metric != nil {
            throw ValidationError("--metric, --draw, and --json require the words of a case")
        }
        if let draw, ImageFile.Format(path: draw) == nil {
            throw ValidationError("--draw \(draw): the file must end in .svg or .png")
        }
    }

    func run() throws {
        let history: RunHistory
        let found: [CaseName]
        do {
            history = try RunHistory(path: self.history, isMade: false)
            if words.isEmpty { return tell(RunTable.text(try history.runs())) }
            found = try named(in: history)
            guard found.count == 1 else {
                let courses = try found.prefix(Self.most).map { try history.course(of: $0) }
                tell("\(found.count) cases match:\n\n" + CaseHistoryText.list(courses, metric: metric))
                if found.count > Self.most { tell("… and \(found.count - Self.most) more\n") }
                if draw != nil || json != nil {
                    throw CommandFailure(
                        words.joined(separator: " "),
                        "matches \(found.count) cases; add words to select one"
                    )
                }
                return
            }
        } catch let failure as RunFailure {
            throw CommandFailure(failure)
        }
        try show(try history.course(of: found[0]))
    }

    private func show(_ course: CaseHistory) throws {
        let known = course.metrics
        if let metric, !known.contains(metric) {
            throw CommandFailure("--metric", UnknownName(metric, among: known).description)
        }
        let metric = metric ?? course.tellingMetric
        let picture = try draw.map(ImageFile.init)
        let output = try json.map(OutputFile.init)
        tell(CaseHistoryText.text(course, metric: metric))
        try picture?.write(svg: CaseHistoryDrawing.svg(course, metric: metric))
        try output?.write(JSONEncoder.readable.encode(course))
    }

    /// The cases that match all words.
    private func named(in history: RunHistory) throws -> [CaseName] {
        var names: [CaseName] = []
        try history.names { names.append($0) }
        let found = CaseSearch(words).found(among: names)
        guard !found.isEmpty else {
            let parts = Set(names.flatMap { [$0.file, $0.scenario, $0.network, $0.platform, $0.app] })
            let unknown = words.first { CaseSearch([$0]).found(among: names).isEmpty }
            let hint = unknown.map { UnknownName($0, among: Array(parts)).nearest.prefix(5) } ?? []
            let meant = hint.isEmpty ? "" : "; did you mean \(hint.joined(separator: " or "))?"
            throw RunFailure(
                words.joined(separator: " "),
                (unknown.map { "no case in \(history.path) matches \($0)" } ?? "no case matches all words")
                    + meant
            )
        }
        return found
    }

    private func tell(_ text: String) { if !quiet { StandardOutput.write(text) } }
}
