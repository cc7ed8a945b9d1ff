import SegueBase
import Testing

@testable import SegueSuite

@Suite struct `The line of progress` {
    private let progress = SuiteRunner.Progress(
        done: 120,
        total: 363,
        file: "a.mp4",
        failed: 3,
        running: [("films/a long film.mp4", "comparing segment 12 of the full rendition"), ("b\u{1B}[2J.mp4", "")],
        secondsLeft: 252
    )

    private func line(_ columns: Int? = nil, coloured: Bool = false, unicode: Bool = true) -> String {
        ProgressText.line(
            progress,
            of: "regress",
            ProgressText.Look(columns: columns, isColoured: coloured, isUnicode: unicode)
        )
    }

    @Test func `has done, failed, remaining, and running files`() {
        #expect(
            line().hasPrefix("regress: 120/363, 3 failed, 4 min 15 s left  films/a long film.mp4: comparing segment 12")
        )
        // A file name may contain anything, but no control sequence reaches the terminal.
        #expect(!line().contains("\u{1B}"))
    }

    @Test(arguments: 0..<140)
    func `is never wider than the terminal`(columns: Int) {
        #expect(TextColumns.width(of: line(columns)) <= columns)
        #expect(TextColumns.width(of: line(columns, unicode: false)) <= columns)
    }

    @Test func `leaves out the least important parts first`() {
        #expect(line(80).contains("4 min 15 s left") && !line(80).contains("comparing"))
        #expect(line(40).hasPrefix("regress: 120/363, 3 failed, 4 min"))
    }

    @Test func `has colors where they are shown, and the same words`() {
        let coloured = line(60, coloured: true)
        #expect(coloured.contains("\u{1B}[31m3 failed\u{1B}[0m"))
        let plain = coloured.replacing("\u{1B}[31m", with: "").replacing("\u{1B}[0m", with: "")
        #expect(plain == line(60))
    }

    @Test func `is ASCII on terminals without Unicode`() {
        let names = SuiteRunner.Progress(done: 1, total: 2, file: "", running: [("Čaj – 茶.mp4", "")])
        let look = ProgressText.Look(columns: 30, isUnicode: false)
        #expect(ProgressText.line(names, of: "regress", look) == "regress: 1/2  ?aj - ?.mp4")
        #expect(line(20, unicode: false).hasSuffix("..."))
    }

    @Test(arguments: [
        (0.2, "1 s"), (7.4, "7 s"), (13, "15 s"), (57, "55 s"), (58, "1 min"), (100, "1 min 45 s"), (125, "2 min"),
        (599, "10 min"), (700, "12 min"), (7300, "2 h 0 min"), (9000, "2 h 30 min"), (.infinity, "?"),
        (1e300, "277777 h 50 min"),
    ])
    func `durations are as exact as they are known`(seconds: Double, words: String) {
        #expect(ProgressText.words(seconds) == words)
    }

    @Test(arguments: [("a", 1), ("é", 1), ("e\u{301}", 1), ("茶", 2), ("한", 2), ("🎬", 2), ("", 0)])
    func `characters have their terminal width`(text: String, columns: Int) {
        #expect(TextColumns.width(of: text) == columns)
    }

    @Test(arguments: [
        WorkerProgress(words: "opening", share: nil), WorkerProgress(words: "comparing", share: 0.25),
        WorkerProgress(words: "", share: 1),
    ])
    func `a worker's report is parsed`(told: WorkerProgress) {
        #expect(WorkerProgress(line: told.line) == told)
    }

    @Test(arguments: ["", "\t", "a\tb", "a\t99999999999999999999", "a\t-7", "a\tb\t500"])
    func `a worker's report may contain anything`(line: String) {
        let share = WorkerProgress(line: line).share
        #expect(share.map { (0...1).contains($0) } ?? true)
        #expect(!WorkerProgress(words: "a\nb\tc", share: .nan).line.dropLast(2).contains { $0 == "\n" || $0 == "\t" })
    }
}
