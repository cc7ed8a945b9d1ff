import Foundation
import SegueBase
import SegueSuite

/// The progress of long work: an updated line on a terminal, otherwise a line from time to time.
struct ProgressLine {
    private let what: String
    private let isQuiet: Bool
    private let begun = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    /// The width of the line on the terminal; nil without one.
    private var columns: Int?
    private var text = ""

    init(_ what: String, isQuiet: Bool) {
        self.what = what
        self.isQuiet = isQuiet
    }

    mutating func show(_ progress: SuiteRunner.Progress) {
        guard !isQuiet else { return }
        let now = ContinuousClock.now
        let isLive = TerminalLook.isLive
        guard now - (shown ?? begun) >= pause(now, isLive) || (isLive && progress.done == progress.total) else {
            return
        }
        shown = now
        var look = TerminalLook.ofStandardError
        guard isLive else {
            look.isColoured = false
            var plain = progress
            // A permanent line shows only completed work.
            plain.running = []
            StandardError.write(ProgressText.line(plain, of: what, look) + "\n")
            return
        }
        // Some terminals wrap after the last column.
        look.columns = look.columns.map { max(1, $0 - 1) }
        let line = ProgressText.line(progress, of: what, look)
        guard line != text || columns == nil else { return }
        text = line
        StandardError.write(raw: cleared(look.columns) + ControlCharacters.shownLines(line, keepsColors: true))
        look.isColoured = false
        columns = TextColumns.width(of: ProgressText.line(progress, of: what, look))
    }

    /// Shows the progress over items of similar duration.
    mutating func show(done: Int, total: Int, item: String) {
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        let left = done > 0 ? seconds / Double(done) * Double(total - done) : nil
        show(SuiteRunner.Progress(done: done, total: total, file: item, running: [(item, "")], secondsLeft: left))
    }

    /// Clears the line.
    mutating func end() {
        if columns != nil { StandardError.write(raw: cleared(TerminalLook.ofStandardError.columns)) }
        columns = nil
    }

    /// The interval between lines, which grows with the duration of the work.
    private func pause(_ now: ContinuousClock.Instant, _ isLive: Bool) -> Duration {
        if isLive { return .milliseconds(200) }
        switch now - begun {
        case ..<(.seconds(60)): return .seconds(10)
        case ..<(.seconds(600)): return .seconds(30)
        default: return .seconds(60)
        }
    }

    /// The control sequence that clears the line, even if a narrower terminal has wrapped it.
    private func cleared(_ width: Int?) -> String {
        guard let columns, let width, width > 0, columns > width else { return "\r\u{1B}[K" }
        return "\r\u{1B}[\((columns - 1) / width)A\u{1B}[J"
    }
}
