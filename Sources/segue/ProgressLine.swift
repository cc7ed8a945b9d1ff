/// The progress of long work: one line kept up to date on a terminal, else a plain line every few seconds.
struct ProgressLine {
    private let what: String
    private let isQuiet: Bool
    private let begun = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    private var wasShown = false

    init(_ what: String, isQuiet: Bool) {
        self.what = what
        self.isQuiet = isQuiet
    }

    /// Shows how far the work has come.
    mutating func show(done: Int, total: Int, item: String) {
        guard !isQuiet else { return }
        let now = ContinuousClock.now
        let pause: Duration = StandardError.isTerminal ? .milliseconds(100) : .seconds(5)
        guard now - (shown ?? begun) >= pause || (StandardError.isTerminal && done == total) else { return }
        shown = now
        wasShown = true
        let seconds = (now - begun) / .seconds(1)
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let left = rate > 0 ? Int((Double(total - done) / rate).rounded(.up)) : 0
        let text = "\(what): \(done)/\(total), \(Int(rate.rounded()))/s, \(left) s left"
        if StandardError.isTerminal {
            StandardError.write("\r\u{1B}[K\(text)  \(item.suffix(60))")
        } else {
            StandardError.write(text + "\n")
        }
    }

    /// Clears the line, so that what follows begins on an empty one.
    func end() {
        if wasShown, StandardError.isTerminal { StandardError.write("\r\u{1B}[K") }
    }
}
