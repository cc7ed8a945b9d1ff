import ArgumentParser
import Foundation
import SegueBase
import SegueComparison
import SegueData
import SegueSuite

/// Runs the regression suite.
struct RegressCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "regress",
        abstract: "Runs files through server, network and player in virtual time and says what broke.",
        discussion: """
            Every file goes through every scenario, platform, app policy and network that is named. What was \
            delivered is decoded and compared with a direct decode of the file; the event log is read against rules.

            Examples, with test media; a folder of your own will do as well:
              segue testmedia media
              segue regress media --json report.json --html report.html
              segue regress media --rules default,budgets.yaml \\
                --known-issues issues.yaml
              segue regress media --history nightly.db
              segue compare last-green last --history nightly.db
              segue regress media/mp4/h264-aac-long.mp4 --log logs \\
                --platform ios-4.3 --network wifi,3g \\
                --app switch-if-was-playing,switch-when-ready

            Beside the model, players that people use (docs/drivers.md):
              segue regress film.mp4 --network wifi,3g \\
                --player chromium --player mpv

            A long run in a folder of its own, which goes on where it was ended:
              segue regress media --run nightly
              segue regress --resume nightly

            Exit codes: 0 all as expected; 1 a case failed; 2 it could not run, was ended, or judged nothing.
            """
    )

    @Argument(help: "Folders and files, URLs, and title lists (YAML).", completion: .file())
    var paths: [String] = []

    @OptionGroup var options: CaseOptions

    @Option(
        help: ArgumentHelp(
            """
            A real player beside the platforms, in real time: chromium, firefox, gstreamer, mpv, vlc, what starts a \
            driver, or where one listens for a WebSocket.
            """,
            valueName: "name|[name=]command|[name=]ws://…"
        )
    )
    var player: [String] = []

    @Option(
        help: ArgumentHelp(
            "The address of this machine at which real players reach the network, for those on other machines.",
            valueName: "address"
        )
    )
    var linkAt = RegressCommand.thisMachine

    /// Where players of this machine reach it.
    static let thisMachine = "127.0.0.1"

    @Option(
        help: "The device that the player names to the server: a name or a YAML file. (default: none)",
        completion: .names(of: .devices)
    )
    var device: String?

    @Option(.rules.defaulting(to: "all of the data folder")) var rules: NameList?

    @Option(
        help: "YAML files of known issues, besides those of the data folder.",
        completion: .yaml
    )
    var knownIssues: NameList?

    @Option(help: ArgumentHelp("A variable of the title lists, in place of theirs.", valueName: "name=value"))
    var set: [String] = []

    @Option(
        help: "Seconds that a title's server takes for each request. (default: as long as it really took, measured)"
    )
    var think: Double?

    @Option(.files) var jobs: Int?

    @Option(.eventLogs) var log: String?

    @OptionGroup var verification: VerifyOptions

    @OptionGroup var report: ReportOptions

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "A folder for the run: each case's result as soon as it has ended, its event log, and the reports.",
            valueName: "dir"
        )
    )
    var runFolder: String?

    @Option(help: ArgumentHelp("Go on with the run in this folder, where it was ended.", valueName: "dir"))
    var resume: String?

    @OptionGroup var keeping: HistoryOptions

    @Option(
        help: ArgumentHelp(
            "Run this part of so many of the cases, in a folder of its own (--run); segue merge joins the parts.",
            valueName: "number/parts"
        )
    )
    var shard: ShardNumber?

    @Option(
        help: ArgumentHelp(
            "Have the parts of --shard take as long as each other, by what cases took in this history, run or report.",
            valueName: "history|run|json"
        )
    )
    var balance: String?

    @Option(help: "Seconds of processor time, or of none, in which each file must come further.")
    var patience = 300.0

    @OptionGroup var config: ConfigOption

    func validate() throws {
        try JobCount.check(jobs)
        if let wrong = set.first(where: { !$0.contains("=") }) {
            throw ValidationError("--set \(wrong): give NAME=VALUE")
        }
        if let think, !(0...600).contains(think) { throw ValidationError("--think must be from 0 to 600 seconds") }
        if linkAt.contains("/") || ["0.0.0.0", "::", ""].contains(linkAt) {
            throw ValidationError("--link-at must be one address of this machine, such as 192.168.1.5")
        }
        if resume == nil, paths.isEmpty { throw ValidationError("Missing expected argument '<paths> ...'") }
        if shard != nil, runFolder == nil, resume == nil {
            throw ValidationError("--shard needs --run DIR, from which segue merge takes the part")
        }
        if balance != nil, shard == nil { throw ValidationError("--balance is for --shard") }
        guard patience > 0, patience <= 1_000_000 else {
            throw ValidationError("--patience must be above 0 and at most 1000000 seconds")
        }
    }

    func run() throws {
        guard let resume else { return try SuiteCommand(self, in: nil).run() }
        try RegressCommand.resumed(resume, self).run()
    }

    /// The variables that win over those of title lists.
    var variables: [String: String] {
        let pairs = set.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        return Dictionary(pairs.map { (String($0[0]), String($0[1])) }) { _, last in last }
    }
}
