import ArgumentParser
import Foundation
import SegueConformance
import SegueLiveMonitor
import SegueOrigin

/// Validates live streams for as long as they last.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Validates live streams for as long as they last.",
        discussion: """
            Each stream's playlists are reloaded as a player would, and its segments are looked for. What breaks a rule \
            is told when it is seen; docs/validate.md lists the rules under "Live". SIGINT and SIGTERM end it with a \
            report.

            Example:
              segue watch https://example.org/live/master.m3u8 --json findings.jsonl --listen 127.0.0.1:9100

            Exit codes: 0 nothing that must be fixed, or with --strict nothing to fix; 1 something found; 2 it could not \
            run. Advice never counts.
            """
    )

    @Argument(help: ArgumentHelp("The streams' playlists: http or https URLs.", valueName: "url"))
    var urls: [String] = []

    @Option(help: "A file with further URLs, one a line; lines with # are left out.", completion: .file())
    var file: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "For how long, such as 90s, 10min, 2h or 3d. (default: until it is ended)",
            valueName: "time"
        ),
        transform: WatchOptions.period
    )
    var period: Duration?

    @Option(help: ArgumentHelp("A file for the findings as JSON Lines; those of before stay.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "A folder for what comes, which validate watches again; each of several in one of its own.",
            valueName: "folder"
        )
    )
    var record: String?

    @Option(
        help: ArgumentHelp("Where to show a page, and figures for Prometheus at /metrics.", valueName: "host:port"),
        transform: ListenAddress.init(argument:)
    )
    var listen: ListenAddress?

    @Option(.allowedHost) var allowHost: [String] = []

    @Option(.profile) var profile = Profile.all

    @Flag(.strict) var strict = false

    @Flag(.quiet) var quiet = false

    func validate() throws {
        guard !urls.isEmpty || file != nil else {
            throw ValidationError("no stream is named; give a URL, or --file with a file of them")
        }
    }

    func run() async throws {
        let streams = try urls + (file.map(WatchOptions.list) ?? [])
        guard !streams.isEmpty else { throw CommandFailure(file ?? "", "no stream is named in it") }
        for url in streams where !RemotePlace.isRemote(url) {
            throw CommandFailure(url, "not an http or https URL")
        }
        var settings = StreamWatching.Settings(streams)
        (settings.period, settings.recording) = (period, record)
        let lines = try json.map(FindingFile.init)
        let board = StreamBoard(streams)
        let run = WatchRun(settings: settings, profile: profile, isQuiet: quiet, board: board, lines: lines)
        let server = try listen.map { address in
            let page = try BoardPage(ProgramData.web())
            return Task {
                let hosts = AllowedHosts(listeningOn: address.host, named: allowHost)
                let (host, port) = (address.host, address.port)
                try await BoardServer.run(board, page: page, host: host, port: port, hosts: hosts) { bound in
                    StandardOutput.write("figures at http://\(host):\(bound)/metrics\n")
                }
            }
        }
        defer { server?.cancel() }
        let reports = try await run.reports(besides: server)
        if reports.contains(where: { $0.holds(strict ? .should : .must) }) { throw ExitCode(1) }
    }
}

/// What options of commands that watch mean.
enum WatchOptions {
    static func period(_ text: String) throws -> Duration {
        guard let period = WatchPeriod.duration(text) else {
            throw ValidationError("a time is a whole number of s, min, h, d or w, such as 10min")
        }
        return period
    }

    static func list(_ path: String) throws -> [String] {
        do {
            return try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        } catch {
            throw CommandFailure(path, SystemReason.of(error))
        }
    }
}
