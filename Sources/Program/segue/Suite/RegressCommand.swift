import ArgumentParser
import Foundation
import SegueBase
import SegueComparison
import SegueData
import SegueSuite

// Size: the command's options, a property for each.
struct RegressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "regress",
        abstract: "Plays files through server, network, and player in virtual time, and reports failures.",
        discussion: """
            Every file is combined with every scenario, platform, app policy, and network. The delivered content is \
            decoded and compared with the decoded file, and the event log is checked by rules.

            Examples, with test media; a folder of your own works as well:
              segue testmedia media
              segue regress media --json report.json --html report.html
              segue regress media --history nightly.db
              segue compare last-green last --history nightly.db
              segue regress media/mp4/h264-aac-long.mp4 --log logs \\
                --platform ios-4.3 --network wifi,3g \\
                --app switch-if-was-playing,switch-when-ready

            With rules and known issues of your own (Harness/rules and Harness/known-issues describe the files):
              segue regress media --rules default,budgets.yaml \\
                --known-issues issues.yaml

            With real players in addition to the model (docs/drivers.md):
              segue regress film.mp4 --network wifi,3g \\
                --player chromium --player mpv

            A long run in a folder of its own, which can be resumed:
              segue regress media --run nightly
              segue regress --resume nightly

            Exit codes: 0 all cases are as expected; 1 a case failed; 2 the suite could not run, was interrupted, or \
            judged no case.
            """
    )

    @Argument(help: "Folders, files, URLs, and title lists (YAML).", completion: .file())
    var paths: [String] = []

    @OptionGroup var options: CaseOptions

    @Option(
        help: ArgumentHelp(
            """
            A real player in addition to the platforms, in real time: chromium, firefox, gstreamer, mpv, vlc, the \
            command of a driver, or its WebSocket address.
            """,
            valueName: "name|[name=]command|[name=]ws://…"
        )
    )
    var player: [String] = []

    @Option(
        help: ArgumentHelp(
            "The address of this machine for real players on other machines.",
            valueName: "address"
        )
    )
    var linkAt = RegressCommand.thisMachine

    /// The default address for players on this machine.
    static let thisMachine = "127.0.0.1"

    @Option(
        help: "The devices that the player names to the server: names or YAML files. (default: none)",
        completion: .names(of: .devices)
    )
    var device: NameList?

    @Option(.rules.defaulting(to: "all in the data folder")) var rules: NameList?

    @Option(
        help: ArgumentHelp("YAML files of known issues, in addition to those of the data folder.", valueName: "file"),
        completion: .yaml
    )
    var knownIssues: NameList?

    @Option(
        help: ArgumentHelp(
            "The specifications whose requirements fail a case: rfc (RFC 8216, its successor's draft, HTTP, and media), apple (also Apple's specification), all, none.",
            valueName: "profile"
        )
    )
    var profile = RequirementProfile.usual

    @Option(help: ArgumentHelp("The value of a variable in title lists.", valueName: "name=value"))
    var set: [String] = []

    @Option(
        help: ArgumentHelp(
            "The response time of a title's server in seconds. (default: the measured time)",
            valueName: "seconds"
        )
    )
    var think: Double?

    @Option(.files) var jobs: Int?

    @Option(.eventLogs) var log: String?

    @OptionGroup var verification: VerifyOptions

    @OptionGroup var report: ReportOptions

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "The folder for the results and event logs of cases, written as they end, and for the reports.",
            valueName: "dir"
        )
    )
    var runFolder: String?

    @Option(help: ArgumentHelp("Resume the run in this folder.", valueName: "dir"))
    var resume: String?

    @OptionGroup var keeping: HistoryOptions

    @Option(
        help: ArgumentHelp(
            "Run only one of several parts, such as 3/40, in its own folder (--run); segue merge joins the parts.",
            valueName: "number/parts"
        )
    )
    var shard: ShardNumber?

    @Option(
        help: ArgumentHelp(
            "Balance the parts of --shard by the times of cases in this history, run folder, or report.",
            valueName: "history|run|json"
        )
    )
    var balance: String?

    @Option(
        help: ArgumentHelp(
            "The seconds without progress, of processor time or idleness, after which a file's worker is killed.",
            valueName: "seconds"
        )
    )
    var patience = 300.0

    @OptionGroup var config: ConfigOption

    func validate() throws {
        try JobCount.check(jobs)
        if let wrong = set.first(where: { !$0.contains("=") }) {
            throw ValidationError("--set \(wrong): must be NAME=VALUE")
        }
        if let think, !(0...600).contains(think) { throw ValidationError("--think must be from 0 to 600 seconds") }
        if linkAt.contains("/") || ["0.0.0.0", "::", ""].contains(linkAt) {
            throw ValidationError("--link-at must be one address of this machine, such as 192.168.1.5")
        }
        if resume == nil, paths.isEmpty { throw ValidationError("Missing expected argument '<paths> ...'") }
        if shard != nil, runFolder == nil, resume == nil {
            throw ValidationError("--shard requires --run DIR, which segue merge reads")
        }
        if balance != nil, shard == nil { throw ValidationError("--balance requires --shard") }
        guard patience > 0, patience <= 1_000_000 else {
            throw ValidationError("--patience must be above 0 and at most 1000000 seconds")
        }
    }

    func run() throws {
        guard let resume else { return try SuiteCommand(self, in: nil).run() }
        try RegressCommand.resumed(resume, self).run()
    }

    /// The variables that override those of title lists.
    var variables: [String: String] {
        let pairs = set.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        return Dictionary(pairs.map { (String($0[0]), String($0[1])) }) { _, last in last }
    }
}

extension RequirementProfile: ExpressibleByArgument {}
