import Foundation
import SegueBase
import SegueSuite

/// The progress of long work: one line kept up to date on a terminal, else a plain line now and then.
struct ProgressLine {
    private let what: String
    private let isQuiet: Bool
    private let begun = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    /// How many columns the line has that the terminal shows; nil where it shows none.
    private var columns: Int?
    /// The line itself.
    private var text = ""

    init(_ what: String, isQuiet: Bool) {
        self.what = what
        self.isQuiet = isQuiet
    }

    /// Shows how far the work has come.
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
            // A line that stays says what is done; what runs has changed before anybody reads it.
            plain.running = []
            StandardError.write(ProgressText.line(plain, of: what, look) + "\n")
            return
        }
        // In the last column some terminals begin a new line.
        look.columns = look.columns.map { max(1, $0 - 1) }
        let line = ProgressText.line(progress, of: what, look)
        guard line != text || columns == nil else { return }
        text = line
        StandardError.write(cleared(look.columns) + line)
        look.isColoured = false
        columns = TextColumns.width(of: ProgressText.line(progress, of: what, look))
    }

    /// Shows how many of things that take about as long as each other are done.
    mutating func show(done: Int, total: Int, item: String) {
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        let left = done > 0 ? seconds / Double(done) * Double(total - done) : nil
        show(SuiteRunner.Progress(done: done, total: total, file: item, running: [(item, "")], secondsLeft: left))
    }

    /// Clears the line, so that what follows begins on an empty one.
    mutating func end() {
        if columns != nil { StandardError.write(cleared(TerminalLook.ofStandardError.columns)) }
        columns = nil
    }

    /// How long a line stands: a log that is kept needs fewer, the longer it gets.
    private func pause(_ now: ContinuousClock.Instant, _ isLive: Bool) -> Duration {
        if isLive { return .milliseconds(200) }
        switch now - begun {
        case ..<(.seconds(60)): return .seconds(10)
        case ..<(.seconds(600)): return .seconds(30)
        default: return .seconds(60)
        }
    }

    /// What leads back to where the line began, and clears what is there: a terminal that has become narrower shows it in
    /// several.
    private func cleared(_ width: Int?) -> String {
        guard let columns, let width, width > 0, columns > width else { return "\r\u{1B}[K" }
        return "\r\u{1B}[\((columns - 1) / width)A\u{1B}[J"
    }
}
