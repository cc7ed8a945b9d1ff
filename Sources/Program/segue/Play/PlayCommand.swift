import ArgumentParser
import Foundation
import SegueBase
import SegueCharts
import SegueCurl
import SegueData
import SegueEvents
import SegueFetch
import SegueNetworkModel
import SeguePlayerModel
import SegueSuite

// Size: the command's options, a property for each.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays HLS, plain files, and internet radio in the player model and prints the events.",
        discussion: """
            URLs may be playlists, plain files, or radio stations on any server; the response shows the kind. Local \
            files are served to the player as by segue serve. In real time the machine's own network is used. With \
            --virtual the bytes are fetched as fast as possible, and the events are those over the simulated \
            network. Radio requires real time and has no end: Control-C (SIGINT or SIGTERM) ends any run, and all \
            outputs are written.

            Example, with test media, a server, and the 3G bug:
              segue testmedia media
              segue serve media --listen 127.0.0.1:8080 &
              segue play http://127.0.0.1:8080/items/g9dn05cqnx7h/index.m3u8 \\
                --virtual --network 3g --platform ios-4.3 \\
                --app switch-if-was-playing --scenario background-and-return

            The same without a server:
              segue play media/mp4/h264-aac-long.mp4 --virtual --network 3g

            With the rules of the suite, for a nightly check of your own server:
              segue play https://cdn.example/title/master.m3u8 --rules default

            Exit codes: 0 the scenario finished, or a signal ended it; 1 it failed or broke a rule; 2 it could not \
            run, or a file could not be written.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Playlist, file, or radio URLs, or local files, in the order of the queue.",
            valueName: "url|file"
        ),
        completion: .file()
    )
    var urls: [String]

    @Option(
        help: ArgumentHelp(
            "The audio-only playlist of the n-th URL. (default: the URL with background=1, for items of segue serve)",
            valueName: "url"
        )
    )
    var background: [String] = []

    @Flag(help: "Play in virtual time, as fast as the bytes come.")
    var virtual = false

    @Option(.network.defaulting(to: "wifi, with --virtual")) var network: String?

    @Option(.platform.defaulting(to: "the scenario's own")) var platform: String?

    @Option(.app) var app = "switch-when-ready"

    @Option(.scenario) var scenario = "play-through"

    @Option(.rules.defaulting(to: "none")) var rules: NameList?

    @Option(.tags) var tag: NameList?

    @Option(.seed) var seed = 1

    @Option(help: ArgumentHelp("Write the event log to a file (JSON Lines).", valueName: "file"))
    var log: String?

    @Option(
        help: ArgumentHelp(
            "Write the access logs of all items to a file in the W3C extended log format.",
            valueName: "file"
        )
    )
    var accessLog: String?

    @Option(help: ArgumentHelp("Write the error logs of all items to a file in the same format.", valueName: "file"))
    var errorLog: String?

    @Option(.json) var json: String?

    @Option(.picture) var draw: String?

    @Option(
        help: ArgumentHelp(
            "The credentials for the servers of the URLs (Basic or Digest).",
            valueName: "name:password"
        )
    )
    var user: String?

    @Option(help: ArgumentHelp("Write the heard audio, including silence, to a WAV file.", valueName: "file"))
    var wav: String?

    @Option(
        name: .customLong("p1203"),
        help: ArgumentHelp("Write the input of the ITU-T P.1203 model, mode 0, to a JSON file.", valueName: "file")
    )
    var qualityModel: String?

    @Flag(.quiet) var quiet = false

    @OptionGroup var config: ConfigOption

    func validate() throws {
        if network != nil, !virtual {
            throw ValidationError("--network needs --virtual; in real time the machine's own network is used")
        }
        if let draw, ImageFile.Format(path: draw) == nil {
            throw ValidationError("--draw \(draw): the file must end in .svg or .png")
        }
        if let wav, !HeardAudio.isFileName(wav) {
            throw ValidationError("--wav \(wav): the file must end in .wav")
        }
        if let user, !user.contains(":") { throw ValidationError("--user must be NAME:PASSWORD") }
        guard background.count <= urls.count else {
            throw ValidationError("there are more --background options than URLs")
        }
    }

    func run() async throws {
        let maker = try await ScenarioRunMaker(command: self)
        do {
            try play(maker)
            await maker.items.end()
        } catch {
            await maker.items.end()
            throw error
        }
    }

    private func play(_ maker: ScenarioRunMaker) throws {
        let (run, scenario, rules) = try maker.make()
        let outputs = try PlayOutputs(of: self, run)
        var lines = PlaybackLines()
        if !quiet { run.logged = { kind, now in lines.tell(kind, at: now) } }
        let end = run.end
        let signals = TerminationSignals { end("ended by \($0)") }
        let stuck = run.run()
        signals.stop()
        let failure = scenario.expectsErrors ? nil : run.log.firstError
        let broken = rules?.judge(run) ?? []
        let ofServer = virtual ? [] : maker.reliability.findings(run.log)
        for finding in ofServer { run.note(.finding(rule: finding.rule, message: finding.message.text)) }
        let findings = broken + ofServer
        if let stuck { run.note(.finding(rule: stuck.rule, message: stuck.message.text)) }
        let written = outputs.write(run, findings: findings + [stuck].compactMap(\.self))
        if !quiet { for line in written.lines { StandardOutput.write(line + "\n") } }
        if let stuck { StandardError.write("segue: play: \(stuck.words)\n") }
        if let failure { StandardError.write("segue: play: \(failure.sentence)\n") }
        for finding in findings { StandardError.write("segue: play: \(finding.words)\n") }
        for failure in written.failures { StandardError.write("segue: \(failure)\n") }
        if stuck != nil || failure != nil || findings.contains(where: { !$0.isRemark }) {
            throw ExitCode(1)
        }
        if !written.failures.isEmpty { throw ExitCode(2) }
    }
}

extension PlayCommand {
    /// The title of the drawing.
    var title: String {
        let names = urls.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }.joined(separator: ", ")
        let line = virtual ? network ?? "wifi" : "real time"
        return ([names, scenario, line, platform, app].compactMap { $0 }).joined(separator: " · ")
    }
}

/// Creates the run of a play command.
private struct ScenarioRunMaker {
    let command: PlayCommand
    let scenario: Scenario
    let items: PlayItems
    /// The judge of the servers in a real network.
    let reliability = ServerReliability()
    private let harness: HarnessFolder

    init(command: PlayCommand) async throws {
        self.command = command
        do {
            harness = try ProgramData.harness()
            scenario = try Scenario(fileAt: harness.file(command.scenario, of: .scenarios), in: harness)
            try Self.check(scenario, command)
            items = try await PlayItems(command.urls, background: command.background, isVirtual: command.virtual)
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The run, its scenario, and the rules to check; nil without rules.
    func make() throws -> (run: ScenarioRun, scenario: Scenario, rules: PlayRules?) {
        do {
            let platform = try harness.file(scenario.platform(or: command.platform), of: .platforms)
            let setup = ScenarioRun.Setup(
                scenario: scenario,
                items: items.addresses,
                platform: try PlatformProfile(contentsOfFile: platform, in: harness),
                app: try AppProfile(contentsOfFile: harness.file(command.app, of: .apps), in: harness),
                seed: UInt64(bitPattern: Int64(command.seed))
            )
            guard command.virtual else {
                let run = try ScenarioRun(setup, inRealTimeBy: 1) { recipient throws(FetchError) in
                    try LiveFetcher(reliability.counting(for: recipient), credentials: credentials)
                }
                return (run, scenario, try rules(setup, over: nil))
            }
            let network = try harness.file(command.network ?? "wifi", of: .networks)
            let server = try BlockingFetcher(credentials: credentials)
            let profile = try LinkProfile(contentsOfFile: network)
            let pace = RealPace()
            let run = ScenarioRun(setup, network: profile) { items.answer($0, at: pace, else: server) }
            return (run, scenario, try rules(setup, over: profile))
        } catch {
            throw CommandFailure(error)
        }
    }

    private func rules(_ setup: ScenarioRun.Setup, over network: LinkProfile?) throws -> PlayRules? {
        try command.rules.map {
            try PlayRules($0.names, of: command, scenario: scenario, setup: setup, over: network, in: harness)
        }
    }

    /// Checks that the command's options suit the scenario.
    private static func check(_ scenario: Scenario, _ command: PlayCommand) throws {
        if scenario.changesNetwork, !command.virtual {
            throw CommandFailure(command.scenario, "the scenario changes the network, which requires --virtual")
        }
        let (needed, given) = (scenario.needs.items, command.urls.count)
        guard given >= needed else {
            throw CommandFailure(command.scenario, "the scenario needs \(needed) URLs; \(given) given")
        }
    }

    /// The credentials by host; other hosts in playlists receive none.
    private var credentials: [String: FetchCredential] {
        guard let parts = command.user?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false),
            parts.count == 2
        else { return [:] }
        let credential = FetchCredential(user: String(parts[0]), password: String(parts[1]))
        return credential.forHosts(of: command.urls + command.background)
    }
}

extension JSONEncoder {
    /// JSON for people, with sorted keys.
    static var readable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
