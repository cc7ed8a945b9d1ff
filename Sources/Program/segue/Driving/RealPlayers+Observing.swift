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
        // What is named as a test title is that one, which takes less time than to try them all.
        let name = URL(fileURLWithPath: file).lastPathComponent
        let named = titles.filter { TestTitles.isNamed($0, name) }
        var reader = RecordingReader(of: named.isEmpty ? titles : named)
        let observation = Observation(
            of: try reader.read(MediaInput(path: recording, cancellation: Cancellation())),
            from: nil
        )
        guard let summary = observation.summary else {
            return RecordedPlay(summary: "\(recording) shows nothing of the test media", unobserved: [])
        }
        let agreement = Agreement(of: Statement.all(of: log.events), with: observation)
        return RecordedPlay(
            summary: [summary, agreement.summary].compactMap { $0 }.joined(separator: "; "),
            unobserved: agreement.untrue.map { held in
                let place = held.position.map { " at \(DecimalText.fixed($0, places: 3)) s" } ?? ""
                return (held.said, "\(held.statement)\(place) was said, and not seen or heard")
            }
        )
    }
}
