public import ArgumentParser
import Foundation
public import SegueConformance
import SegueCurl
import SegueData
import SegueFetch
import SegueLiveMonitor
import SegueSuite
import SegueVerification

// Size: one property for each option.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Checks a playlist, its segments, and their delivery against the rules of HLS.",
        discussion: """
            The rules are those of RFC 8216 (R), its successor's draft (B), and Apple's authoring specification (A); \
            docs/validate.md lists them. Playlists may be on any server or in files.

            Example, with test media and a server:
              segue testmedia media
              segue serve media --listen 127.0.0.1:8080 &
              segue validate http://127.0.0.1:8080/items/g9dn05cqnx7h/master.m3u8

            The severity of a finding follows from the text: MUST is "must fix", SHOULD is "should fix", and \
            everything else is advice. Findings that only Apple's specification requires to be fixed are listed and \
            counted apart, and fail with --profile apple.

            Exit codes: 0 nothing must be fixed (with --strict: or should be fixed); 1 something must be; 2 it could \
            not run. Advice never counts.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A playlist (an http or https URL, or a file), or the folder of a recording to replay.",
            valueName: "url|file|recording"
        ),
        completion: .file()
    )
    var playlist: String

    @Option(.profile) var profile = Profile.usual

    @Flag(.strict) var strict = false

    @Option(
        help: ArgumentHelp("The number of segments to check in each media playlist. (default: all)", valueName: "count")
    )
    var segments: Int?

    @Option(
        help: ArgumentHelp("Rules whose findings are listed but do not count.", valueName: "rule[,rule]"),
        completion: .names(isList: true) { RuleCatalog.rules.map(\.id) }
    )
    var waive: NameList?

    @Option(
        help: ArgumentHelp(
            "Files with findings that do not count, and the reasons; Harness/waivers/README.md describes their keys.",
            valueName: "file[,file]"
        ),
        completion: .names(of: .waivers, isList: true)
    )
    var waivers: NameList?

    @Option(.json) var json: String?

    @Option(.patience) var patience = 30.0

    @Option(
        name: .customLong("for"),
        help: "The time limit in seconds; the report lists what was not checked by then."
    )
    var time = 3600.0

    @Option(
        name: .customLong("header"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "A header field for requests to the playlist's own server only; may be repeated.",
            valueName: "name: value"
        )
    )
    var headers: [RequestHeader] = []

    @Option(
        help: ArgumentHelp(
            "After the check, watch a live stream for a time such as 90s, 10min, or 2h, by the rules for live streams.",
            valueName: "time"
        ),
        transform: WatchOptions.period
    )
    var watch: Duration?

    @Option(help: ArgumentHelp("With --watch: the folder for a recording.", valueName: "folder"))
    var record: String?

    @OptionGroup(title: "Options with --watch") var media: MediaOptions

    @Option(.rate) var rate: Double?

    @Flag(
        help: "Do not decode segments: faster, but without checks of decoding, loudness, and pictures."
    )
    var undecoded = false

    @Flag(.quiet) var quiet = false

    @OptionGroup var config: ConfigOption

    func validate() throws {
        if let segments, segments < 0 { throw ValidationError("--segments must be 0 or more") }
        guard patience > 0, patience <= 86_400 else {
            throw ValidationError("--patience must be above 0 and at most 86400 seconds")
        }
        guard time > 0, time <= 604_800 else {
            throw ValidationError("--for must be above 0 and at most 604800 seconds")
        }
        try WatchOptions.check(rate: rate)
        guard record == nil || watch != nil else { throw ValidationError("--record requires --watch") }
        let known = RuleCatalog.rules.map(\.id)
        if let wrong = waive?.names.first(where: { !known.contains($0) }) {
            let meant = UnknownName(wrong, among: known).nearest.map { "did you mean \($0)? " }.joined()
            throw ValidationError("--waive \(wrong): no such rule; \(meant)docs/validate.md lists the rules")
        }
    }

    func run() async throws {
        let output = try json.map(OutputFile.init)
        var accepted = (waive?.names ?? []).map { Waiver(rule: $0, reason: "--waive") }
        if let waivers {
            let harness = try ProgramData.harness()
            for name in waivers.names {
                accepted += try WaiverFile.waivers(ofFileAt: harness.file(name, of: .waivers))
            }
        }
        if let report = try await watched(waiving: accepted) {
            try output?.write(JSONEncoder.readable.encode(report.document))
            if report.holds(strict ? .should : .must) { throw ExitCode(1) }
            return
        }
        let report: ValidationReport
        do {
            report = try PresentationLoader(playlist, by: BlockingFetcher(), options: options())
                .report(profile: profile, waiving: accepted)
        } catch {
            throw CommandFailure(error)
        }
        if !quiet { StandardOutput.write(report.text) }
        try output?.write(JSONEncoder.readable.encode(report.document))
        if report.holds(strict ? .should : .must) { throw ExitCode(1) }
    }

    /// The options of a single check, within a time limit.
    private func options(within most: Duration = .seconds(1 << 20)) -> ValidationOptions {
        var options = ValidationOptions()
        (options.mostSegments, options.patience) = (segments ?? .max, .seconds(patience))
        options.time = min(.seconds(time), most)
        options.headers = headers.map { ($0.name, $0.value) }
        options.rate = rate
        if !undecoded { options.decoder = { [time = options.time] in SegmentDecoder(within: time) } }
        return options
    }

    /// The report of a live stream or a recording; nil for a single check.
    private func watched(waiving waivers: [Waiver]) async throws -> ValidationReport? {
        var settings = StreamWatching.Settings([playlist])
        (settings.period, settings.recording, settings.rate) = (watch, record, rate)
        media.apply(to: &settings)
        if undecoded { settings.decoder = nil }
        var run = WatchRun(settings: settings, profile: profile, waivers: waivers, isQuiet: quiet)
        if RecordingFolder.exists(at: playlist) { return try run.replay(playlist) }
        guard let period = watch else { return nil }
        guard RemotePlace.isRemote(playlist) else { throw CommandFailure(playlist, "not an http or https URL") }
        do {
            run.look = try PresentationLoader(playlist, by: BlockingFetcher(), options: options(within: period))
                .look()
        } catch {
            // The watch shows whether the playlist becomes available.
            run.look.leftOut.append("the rules for a single check: \(error)")
        }
        return try await run.reports().first
    }
}

extension Profile: ExpressibleByArgument {}

extension RequestHeader: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
