import ArgumentParser
import Foundation
import Media
import Packager
import Timeline

/// Says what is in files and how they would be served.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Says what is in a file, how it would be cut, and what would be copied and what transcoded.",
        discussion: """
            Example, with test media; files of your own will do as well:
              segue testmedia media
              segue probe media/mp4/*.mp4 --json probe.json

            Exit codes: 0 every file can be served; 1 one cannot; 2 one cannot be opened.
            """
    )

    @Argument(help: ArgumentHelp("Files.", valueName: "file"))
    var files: [String]

    @Option(help: "A file for the answer as JSON.")
    var json: String?

    @Flag(help: "Print nothing but errors.")
    var quiet = false

    @OptionGroup var indexCache: IndexCacheOption

    @OptionGroup var config: ConfigOption

    func run() async throws {
        let output = try json.map(OutputFile.init)
        var probes: [FileProbe] = []
        var code: Int32 = 0
        let keeper = indexCache.keeper(byDefault: nil)
        for file in files {
            do throws(PackagingError) {
                let began = ContinuousClock.now
                let opened = try Presentation.open(path: file, keeper: keeper, cancellation: Cancellation())
                let probe = FileProbe(opened, openedIn: .now - began)
                if !quiet { print((probes.isEmpty ? "" : "\n") + probe.text) }
                if probe.isUnserved { code = max(code, 1) }
                probes.append(probe)
            } catch {
                StandardError.write("segue: \(error)\n")
                code = error.reason == .unreadable ? 2 : max(code, 1)
            }
        }
        try output?.write(JSONEncoder.readable.encode(probes))
        if code != 0 { throw ExitCode(code) }
    }
}
