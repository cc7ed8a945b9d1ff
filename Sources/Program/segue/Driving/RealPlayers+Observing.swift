import Foundation
import SegueBase
import SegueConcurrency
import SegueEvents
import SegueFFmpeg
import SegueSuite
import SegueTestMedia

extension RealPlayers {
    func observe(_ recording: String, of file: String, against log: EventLog) throws -> RecordedPlay {
        let titles = try TestTitles.all(inFolder: ProgramData.recipes())
        // A file with the name of a test title is that title, which is faster than trying all of them.
        let name = URL(fileURLWithPath: file).lastPathComponent
        let named = titles.filter { TestTitles.isNamed($0, name) }
        var reader = RecordingReader(of: named.isEmpty ? titles : named)
        let observation = Observation(
            of: try reader.read(MediaInput(path: recording, cancellation: Cancellation())),
            from: nil
        )
        guard let summary = observation.summary else {
            return RecordedPlay(summary: "\(value: recording) shows no test media", unobserved: [])
        }
        let agreement = Agreement(of: Statement.all(of: log.events), with: observation)
        return RecordedPlay(
            summary: [summary, agreement.summary].compactMap { $0 }.joined(separator: "; "),
            unobserved: agreement.untrue.map { held in
                let place: Message =
                    held.position.map { " at \($0, as: DecimalText.fixed($0, places: 3)) s" } ?? ""
                return (held.said, "\(held.statement)\(place) was reported by the player but not recorded")
            }
        )
    }
}
