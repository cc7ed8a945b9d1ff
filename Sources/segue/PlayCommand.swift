import ArgumentParser
import Fetch
import Foundation
import Harness
import Link
import Player
import Regression
import Story
import Timeline

/// Plays URLs through the queue player.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays HLS URLs through the queue player and tells the story.",
        discussion: """
            Any server's playlists will do. In real time the machine's own network is used; with --virtual the bytes \
            are fetched as fast as they come, and the story is what it would be over the named network.

            Example, with test media, a server and the 3G bug:
              segue testmedia media
              segue serve media --listen 127.0.0.1:8080 &
              segue play http://127.0.0.1:8080/items/g9dn05cqnx7h/index.m3u8 \\
                --virtual --network 3g --platform ios-4.3 \\
                --app switch-if-was-playing --scenario background-and-return

            Exit codes: 0 played as the scenario says; 1 it failed; 2 it could not run.
            """
    )

    @Argument(help: ArgumentHelp("Playlists, in the order of the queue.", valueName: "url"))
    var urls: [String]

    @Option(
        help: ArgumentHelp(
            "The playlist of the n-th URL's sound alone. (default: the URL with background=1, for items of segue serve)",
            valueName: "url"
        )
    )
    var background: [String] = []

    @Flag(help: "Play in virtual time, as fast as the bytes come.")
    var virtual = false

    @Option(help: "The network, with --virtual: a name or a YAML file. (default: wifi)")
    var network: String?

    @Option(help: "The platform: a name or a YAML file. (default: the scenario's own)")
    var platform: String?

    @Option(help: "The app policy: a name or a YAML file.")
    var app = "switch-when-ready"

    @Option(help: "The scenario: a name or a YAML file.")
    var scenario = "play-through"

    @Option(help: "Seed of everything random.")
    var seed = 1

    @Option(help: "A file for the event log (JSON Lines).")
    var log: String?

    @Option(help: "A file for what was measured, as JSON.")
    var json: String?

    @Option(help: ArgumentHelp("A picture of what happened: FILE.svg, or FILE.png.", valueName: "file"))
    var draw: String?

    @Option(
        help: ArgumentHelp(
            "Who asks, where the URLs' servers want a name and a password (Basic or Digest).",
            valueName: "name:password"
        )
    )
    var user: String?

    @Option(help: ArgumentHelp("A WAV file of what was heard, silence included.", valueName: "file"))
    var wav: String?

    @Option(
        name: .customLong("p1203"),
        help: ArgumentHelp("A file for the input of ITU-T P.1203's model, mode 0, as JSON.", valueName: "file")
    )
    var qualityModel: String?

    @Flag(help: "Print nothing but errors.")
    var quiet = false

    @OptionGroup var config: ConfigOption

    func validate() throws {
        if network != nil, !virtual {
            throw ValidationError("--network needs --virtual; in real time the machine's own network is used")
        }
        if let draw, PlayDrawing.Format(path: draw) == nil {
            throw ValidationError("--draw \(draw): a picture is written as .svg or .png")
        }
        if let user, !user.contains(":") { throw ValidationError("--user \(user): give NAME:PASSWORD") }
        guard background.count <= urls.count else { throw ValidationError("there are more --background than URLs") }
    }

    func run() async throws {
        let (run, server, scenario) = try ScenarioRunMaker(command: self).make()
        let outputs = (log: try log.map(OutputFile.init), json: try json.map(OutputFile.init))
        let picture = try draw.map { try PlayDrawing(path: $0) }
        let sound = try wav.map(OutputFile.init)
        let model = try qualityModel.map(OutputFile.init)
        let isKept = sound != nil || outputs.json != nil || model != nil
        let media = isKept ? try Self.kept(of: run) : nil
        if !quiet { run.logged = { kind, now in PlayStory.tell(kind, at: now) } }
        let stuck = run.run()
        try outputs.log?.write(Data(run.log.jsonLines.utf8))
        let heard = media.map { HeardSound($0, stretches: run.stretches, end: run.now, source: run.source) }
        let report = try Self.report(of: run, heard)
        try outputs.json?.write(JSONEncoder.readable.encode(report))
        if let model, let heard { try Self.write(heard, report.quality, to: model) }
        if let sound, let heard { try Self.write(heard, to: sound) }
        try picture?.write(run.log, title: title, about: report.metrics.words)
        if !quiet { for line in report.lines { StandardOutput.write(line + "\n") } }
        if let stuck { StandardError.write("segue: play: \(stuck.rule): \(stuck.message)\n") }
        let failure = scenario.expectsErrors ? nil : run.log.events.first { $0.kind.about.level == .error }
        if let failure {
            let cause = server?.lastFailure.map { "; \($0)" } ?? ""
            StandardError.write("segue: play: \(PlayStory.reason(failure))\(cause)\n")
        }
        if stuck != nil || failure != nil { throw ExitCode(1) }
    }
}

extension PlayCommand {
    /// What a picture is headed with.
    private var title: String {
        let names = urls.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }.joined(separator: ", ")
        let line = virtual ? network ?? "wifi" : "real time"
        return ([names, scenario, line, platform, app].compactMap { $0 }).joined(separator: " · ")
    }
}

extension PlayCommand {
    /// Keeps what is delivered in a run.
    private static func kept(of run: ScenarioRun) throws -> DeliveredMedia {
        do {
            let media = try DeliveredMedia()
            run.delivered = media.take
            return media
        } catch {
            throw CommandFailure(error)
        }
    }

    /// What was measured; samples are counted where what was delivered was kept.
    private static func report(of run: ScenarioRun, _ heard: HeardSound?) throws -> PlayReport {
        do {
            return PlayReport(
                metrics: CaseMetrics(run.metrics, sampleRate: try heard?.format()?.rate),
                quality: PlaybackQuality(log: run.log),
                switches: try heard?.reports(of: run.switches) ?? []
            )
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func write(_ heard: HeardSound, _ quality: PlaybackQuality, to file: OutputFile) throws {
        do {
            try file.write(JSONEncoder.readable.encode(heard.qualityModelInput(quality)))
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func write(_ heard: HeardSound, to file: OutputFile) throws {
        do {
            _ = try heard.write(to: file.path)
        } catch {
            throw CommandFailure(file.path, "\(error)")
        }
    }
}

/// Makes the run that a play command asks for.
private struct ScenarioRunMaker {
    let command: PlayCommand

    /// The run, and what fetches for it where its network is simulated.
    func make() throws -> (run: ScenarioRun, server: BlockingFetcher?, scenario: Scenario) {
        do {
            let harness = try ProgramData.harness()
            let scenario = try Scenario(fileAt: harness.file(command.scenario, of: .scenarios), in: harness)
            try check(scenario)
            let platform = try harness.file(command.platform ?? scenario.platform, of: .platforms)
            let setup = ScenarioRun.Setup(
                scenario: scenario,
                items: try items(),
                platform: try PlatformProfile(contentsOfFile: platform, in: harness),
                app: try AppProfile(contentsOfFile: harness.file(command.app, of: .apps), in: harness),
                seed: UInt64(bitPattern: Int64(command.seed))
            )
            guard command.virtual else {
                return (try ScenarioRun(setup, inRealTimeBy: 1, credentials: credentials), nil, scenario)
            }
            let network = try harness.file(command.network ?? "wifi", of: .networks)
            let server = try BlockingFetcher(credentials: credentials)
            let profile = try LinkProfile(contentsOfFile: network)
            return (ScenarioRun(setup, network: profile, respond: server.respond), server, scenario)
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Makes sure that the scenario can be played as it is asked for.
    private func check(_ scenario: Scenario) throws {
        if scenario.changesNetwork, !command.virtual {
            throw CommandFailure(command.scenario, "the scenario changes the network, which takes --virtual")
        }
        let (needed, given) = (scenario.needs.items, command.urls.count)
        guard given >= needed else {
            throw CommandFailure(command.scenario, "the scenario needs \(needed) URLs, and \(given) was given")
        }
    }

    /// Who asks, by host: whatever the playlists name elsewhere is told nothing.
    private var credentials: [String: FetchCredential] {
        guard let parts = command.user?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false),
            parts.count == 2
        else { return [:] }
        let credential = FetchCredential(user: String(parts[0]), password: String(parts[1]))
        return credential.forHosts(of: command.urls + command.background)
    }

    private func items() throws -> [ItemAddress] {
        try command.urls.enumerated().map { index, url in
            guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
                throw CommandFailure(url, "not an HTTP URL; segue serve DIR makes URLs of files")
            }
            let sound = index < command.background.count ? command.background[index] : ServedURL.background(of: url)
            return ItemAddress(full: url, background: sound, multivariant: ServedURL.multivariant(of: url))
        }
    }
}

extension JSONEncoder {
    /// JSON for people, with keys in a fixed order.
    static var readable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
