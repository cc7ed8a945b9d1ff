import ArgumentParser
import Foundation
import SegueConformance
import SegueLiveMonitor
import SegueOrigin
import SegueVerification

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Validates live streams continuously.",
        discussion: """
            The playlists of each stream are reloaded as by a player, and the heads of its segments are requested. \
            Of each playlist, the newest segment is loaded once in four target durations, inspected, and decoded. \
            Findings are printed as they occur; docs/validate.md lists the rules under "Live". SIGINT and SIGTERM end the watch \
            with a report.

            Example:
              segue watch https://example.org/live/master.m3u8 --json findings.jsonl --listen 127.0.0.1:9100

            Exit codes: 0 nothing must be fixed (with --strict: or should be fixed); 1 something must be; 2 it could \
            not run. Advice never counts.
            """
    )

    @Argument(help: ArgumentHelp("The playlists of the streams: http or https URLs.", valueName: "url"))
    var urls: [String] = []

    @Option(help: "A file with additional URLs, one per line; lines with # are ignored.", completion: .file())
    var file: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "The duration, such as 90s, 10min, 2h, or 3d. (default: until a signal)",
            valueName: "time"
        ),
        transform: WatchOptions.period
    )
    var period: Duration?

    @OptionGroup var media: MediaOptions

    @Option(.rate) var rate: Double?

    @Option(help: ArgumentHelp("Append the findings to a JSON Lines file.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "The folder for recordings that segue validate can replay, with a subfolder per stream if there are several.",
            valueName: "folder"
        )
    )
    var record: String?

    @Option(
        help: ArgumentHelp(
            "The address of a status page, with Prometheus metrics at /metrics.",
            valueName: "host:port"
        ),
        transform: ListenAddress.init(argument:)
    )
    var listen: ListenAddress?

    @OptionGroup(title: "Alerts") var alerts: AlertOptions

    @Option(.allowedHost) var allowHost: [String] = []

    @Option(.profile) var profile = Profile.usual

    @Flag(.strict) var strict = false

    @Flag(.quiet) var quiet = false

    func validate() throws {
        guard !urls.isEmpty || file != nil else {
            throw ValidationError("no stream is given; give a URL, or a file of URLs with --file")
        }
        try WatchOptions.check(rate: rate)
    }

    func run() async throws {
        let (run, server) = try begun()
        defer { server?.cancel() }
        let reports = try await run.reports(besides: server)
        if reports.contains(where: { $0.holds(strict ? .should : .must) }) { throw ExitCode(1) }
    }

    /// Returns the watch, and the task of its status page.
    ///
    /// Within `run()`, which is asynchronous, these errors crash the optimizer of Swift 6.3.
    private func begun() throws -> (run: WatchRun, server: Task<Void, any Error>?) {
        let streams = try urls + (file.map(WatchOptions.list) ?? [])
        guard !streams.isEmpty else { throw CommandFailure(file ?? "", "the file contains no URLs") }
        for url in streams where !RemotePlace.isRemote(url) {
            throw CommandFailure(url, "not an http or https URL")
        }
        var settings = StreamWatching.Settings(streams)
        (settings.period, settings.recording, settings.rate) = (period, record, rate)
        media.apply(to: &settings)
        let lines = try json.map(FindingFile.init)
        let board = StreamBoard(streams, profile: profile)
        var run = WatchRun(settings: settings, profile: profile, isQuiet: quiet, board: board, lines: lines)
        run.alerts = try alerts.sender(profile)
        return (run, try listen.map { try page(of: board, at: $0) })
    }

    private func page(of board: StreamBoard, at address: ListenAddress) throws -> Task<Void, any Error> {
        let page = try BoardPage(ProgramData.web())
        return Task {
            let hosts = AllowedHosts(listeningOn: address.host, named: allowHost)
            let (host, port) = (address.host, address.port)
            try await BoardServer.run(board, page: page, host: host, port: port, hosts: hosts) { bound in
                StandardOutput.write("metrics at http://\(host):\(bound)/metrics\n")
            }
        }
    }
}

/// The parsing of watch options.
enum WatchOptions {
    static func period(_ text: String) throws -> Duration {
        guard let period = WatchPeriod.duration(text) else {
            throw ValidationError("must be a whole number of s, min, h, d, or w, such as 10min")
        }
        return period
    }

    static func check(rate: Double?) throws {
        guard let rate else { return }
        guard rate >= 0.01, rate <= 1e6 else {
            throw ValidationError("--rate must be at least 0.01 and at most 1000000 requests per second")
        }
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

/// The options for the media of watched streams.
struct MediaOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The segments that are loaded and inspected: all, sample (the newest of each playlist, once in four target \
            durations), or none.
            """,
            valueName: "share"
        )
    )
    var media = MediaShare.sample

    @Option(
        help: ArgumentHelp(
            "With --media sample: the maximum average rate of all streams in MB per second.",
            valueName: "rate"
        )
    )
    var mediaRate = 4.0

    func validate() throws {
        guard mediaRate > 0, mediaRate <= 100_000 else {
            throw ValidationError("--media-rate must be above 0 and at most 100000 MB per second")
        }
    }

    func apply(to settings: inout StreamWatching.Settings) {
        (settings.options.media, settings.mediaRate) = (media, mediaRate * 1e6)
        settings.decoder = { SegmentDecoder(within: .seconds(2), isThorough: true) }
    }
}

extension MediaShare: ExpressibleByArgument {}
