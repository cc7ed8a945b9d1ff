import ArgumentParser
import Foundation
import SegueConcurrency
import SegueData
import SegueEvents
import SegueFFmpeg
import SegueTestMedia

struct ObserveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "observe",
        abstract: "Measures a player from a screen recording of test media: gaps, dropped frames, and audio offset.",
        discussion: """
            The recording may be a screen capture, the output of a capture card, or a camera recording of a screen with \
            audio. The player must play one of the files of segue testmedia, delivered in any way: its frames show \
            their numbers, and its audio encodes its position. The report lists uninterrupted stretches, the gaps \
            between them, dropped, repeated, and frozen frames, and the offset between audio and video.

            With --log, the events that the player logged are compared with the recording; segue events lists the kinds.

            Example:
              segue observe screen.mp4 --log played.jsonl --json observed.json

            docs/observe.md explains how to film a screen.

            Exit codes: 0 the recording was read; 1 it shows no test media, or contradicts an event of the log; 2 \
            the recording or the log could not be read.
            """
    )

    @Argument(help: ArgumentHelp("The recording.", valueName: "recording"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("The player's event log (JSON Lines).", valueName: "file"),
        completion: .file(extensions: ["jsonl"])
    )
    var log: String?

    @Option(
        help: ArgumentHelp(
            """
            The marks of variants, each with a part of its playlist's URL, such as 1=v0/,2=v1/. (default: the variants in \
            the log are not compared with the recording)
            """,
            valueName: "mark=part"
        )
    )
    var marks: NameList?

    @Option(
        help: ArgumentHelp(
            "The test files that it may show, by their names in testmedia. (default: all)",
            valueName: "name[,name]"
        )
    )
    var of: NameList?

    @Option(.recipes) var recipes: String?

    @Option(
        help: ArgumentHelp(
            "The time from which start-up counts, in seconds. (default: the first change of the image)",
            valueName: "seconds"
        )
    )
    var from: Double?

    @Option(.json) var json: String?

    @Flag(.quiet) var quiet = false

    @OptionGroup var config: ConfigOption

    func validate() throws {
        if let from, !from.isFinite || from < 0 {
            throw ValidationError("--from must be a number of seconds, 0 or more")
        }
        if let marks, MarkedVariants(marks.names) == nil {
            throw ValidationError("--marks must be a list of marks and parts of URLs, such as 1=v0/,2=v1/")
        }
    }

    func run() async throws {
        let output = try json.map(OutputFile.init)
        let variants = marks.flatMap { MarkedVariants($0.names) } ?? .none
        let statements = try log.map { try Self.statements(ofLog: $0, variants: variants) }
        let observation: Observation
        do {
            var reader = RecordingReader(of: try candidates())
            let recording = try reader.read(MediaInput(path: file, cancellation: Cancellation()))
            observation = Observation(of: recording, from: from)
        } catch {
            throw CommandFailure(error)
        }
        let agreement = statements.map { Agreement(of: $0, with: observation) }
        if !quiet {
            StandardOutput.write(observation.text)
            if let agreement { StandardOutput.write("\n" + agreement.text) }
        }
        try output?.write(
            JSONEncoder.readable.encode(Answer(recording: file, observation: observation, agreement: agreement))
                + Data("\n".utf8)
        )
        let isEmpty = observation.video.isEmpty && observation.audio.isEmpty
        if isEmpty || agreement?.untrue.isEmpty == false { throw ExitCode(1) }
    }

    private func candidates() throws -> [RecordingReader.Candidate] {
        let all = try TestTitles.all(inFolder: recipes ?? ProgramData.recipes())
        guard let names = of?.names else { return all }
        return try names.map { name in
            guard let found = all.first(where: { TestTitles.isNamed($0, name) }) else {
                throw CommandFailure("--of", UnknownName(name, among: all.map(\.name)).description)
            }
            return found
        }
    }

    private static func statements(ofLog path: String, variants: MarkedVariants) throws -> [Statement] {
        do {
            let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
            return Statement.all(of: try EventLog(jsonLines: text).events, variants: variants)
        } catch let error as CocoaError {
            throw CommandFailure(path, SystemReason.of(error))
        } catch {
            throw CommandFailure(path, "\(error)")
        }
    }

    /// The JSON output.
    private struct Answer: Encodable {
        let recording: String
        let observation: Observation
        let agreement: Agreement?
    }
}
