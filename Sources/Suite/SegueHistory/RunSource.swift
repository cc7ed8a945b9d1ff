internal import Foundation
internal import SegueBase
package import SegueComparison

/// A recorded run, in any form.
package struct RunSource {
    package enum Place: Equatable {
        /// A report in JSON.
        case report(String)
        /// A run folder.
        case folder(String)
        /// A run of the history, by its number.
        case recorded(Int64)
    }

    package let place: Place
    /// The name to show.
    package let title: String

    private let history: RunHistory?

    private init(_ place: Place, title: String, in history: RunHistory? = nil) {
        (self.place, self.title, self.history) = (place, title, history)
    }

    /// Resolves `last`, `last~2`, `last-green`, `#12`, a file, or a folder.
    ///
    /// `number` is the run to compare with; `last-green` is searched for before it.
    ///
    /// - Throws: ``RunFailure`` if there is no such run.
    package init(_ text: String, in history: RunHistory?, before number: Int64? = nil) throws(RunFailure) {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
        guard let wanted = Wanted(text), !isThere || text.hasPrefix("#") || text.hasPrefix("last") else {
            guard isThere else {
                throw RunFailure(text, "no such report or run folder; a run of a history is named \(Wanted.shape)")
            }
            self.init(isFolder.boolValue ? .folder(text) : .report(text), title: text)
            return
        }
        guard let history else { throw RunFailure(text, "names a run of a history; add --history FILE") }
        let run = try wanted.run(among: try history.runs(), of: history.path, before: number)
        self.init(.recorded(run.number), title: "run #\(run.number)", in: history)
    }

    /// The number in the history; nil for a file or folder.
    package var number: Int64? { if case .recorded(let number) = place { number } else { nil } }

    /// Reads the cases in their order, and returns the facts of the run.
    package func read(_ tell: (RecordedCase) throws -> Void) throws -> RunFacts {
        switch place {
        case .report(let path): return try ReportFile.read(path, tell)
        case .folder(let path): return try RunFolder.read(path, tell)
        case .recorded(let number):
            guard let history, let run = try history.runs().first(where: { $0.number == number }) else {
                throw RunFailure(title, "no longer exists")
            }
            try history.cases(of: number, tell)
            return run.facts
        }
    }

    /// A reference to a run of a history.
    private enum Wanted {
        case number(Int64)
        case last(Int)
        case lastGreen

        static let shape = "last, last~1, last-green or '#12', with --history FILE"

        init?(_ text: String) {
            if text == "last-green" {
                self = .lastGreen
            } else if text == "last" {
                self = .last(0)
            } else if text.hasPrefix("last~"), let back = Int(text.dropFirst(5)), back >= 0 {
                self = .last(back)
            } else if let number = Int64(text.hasPrefix("#") ? text.dropFirst() : text[...]), number > 0 {
                self = .number(number)
            } else {
                return nil
            }
        }

        /// The run among all runs, the newest first.
        func run(among runs: [RunHistory.Run], of path: String, before other: Int64?) throws(RunFailure)
            -> RunHistory.Run
        {
            switch self {
            case .number(let number):
                if let run = runs.first(where: { $0.number == number }) { return run }
                let range = runs.last.map { "; it has #\($0.number) to #\(runs[0].number)" } ?? ""
                throw RunFailure(path, "has no run #\(number)\(range)")
            case .last(let back):
                if back < runs.count { return runs[back] }
                throw RunFailure(
                    path,
                    "has \(runs.count) run\(runs.count == 1 ? "" : "s"), fewer than \(back) before the last"
                )
            case .lastGreen:
                if let run = runs.first(where: { $0.isGreen && $0.number < other ?? .max }) { return run }
                let beside = other.map { " before #\($0)" } ?? ""
                throw RunFailure(path, "has no run\(beside) without failures")
            }
        }
    }
}
