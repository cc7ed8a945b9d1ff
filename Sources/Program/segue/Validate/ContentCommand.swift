import ArgumentParser
import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SeguePlaylists
import SegueSuite
import SegueVerification

/// Compares segments on disk with their source, for tools that plant faults: those of Segue for `Tools/run edits`, and
/// of any packager for `Tools/run foreign`.
struct ContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Compares HLS on disk with its source file, and prints the differences as JSON.",
        shouldDisplay: false
    )

    @Argument(help: ArgumentHelp("The source file.", valueName: "file"))
    var file: String

    @Argument(
        help: ArgumentHelp(
            "Media playlists of its renditions, beside their segments.",
            valueName: "playlist"
        )
    )
    var playlists: [String]

    @Flag(help: "The playlists are of the background rendition.")
    var background = false

    @Flag(help: "The playlists are from any packager; a multivariant playlist represents all media playlists in it.")
    var foreign = false

    func run() async throws {
        guard !foreign else { return try runForeign() }
        var lines: [Line] = []
        do {
            let presentation = try Presentation.open(path: file, cancellation: Cancellation())
            for playlist in playlists {
                let report = try Verifier.verify(source: file, delivery: try delivery(playlist, of: presentation))
                lines.append(Line(playlist: playlist, report: report))
            }
        } catch {
            throw CommandFailure(error)
        }
        StandardOutput.write(json: try JSONEncoder.readable.encode(lines))
    }

    private func delivery(_ path: String, of presentation: Presentation) throws -> Delivery {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        guard case .media(let playlist) = try Playlist.parse(text) else {
            throw CommandFailure("content", "\(path) is not a media playlist")
        }
        let map = playlist.segments.first?.map
        let read: @Sendable (String) throws -> [UInt8] = {
            [UInt8](try Data(contentsOf: folder.appendingPathComponent($0)))
        }
        let names = playlist.segments.map(\.uri)
        let rendition = background ? Rendition.background : .full
        return Delivery(
            description: try presentation.rendition(rendition, in: map == nil ? .ts : .fmp4),
            plan: presentation.plan,
            initSegment: try map.map { try read($0.uri) } ?? [],
            segmentCount: names.count
        ) { try read(names[$0]) }
    }

    /// The findings of one delivery.
    private struct Line: Encodable {
        let playlist: String
        let findings: [Entry]

        struct Entry: Encodable {
            let rule: String
            let message: String
        }

        init(playlist: String, report: VerificationReport) {
            self.playlist = playlist
            findings = report.differences.map { Entry(rule: $0.rule.rawValue, message: $0.message.text) }
        }
    }
}
