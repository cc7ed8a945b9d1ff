import ArgumentParser
import Foundation

/// How many pieces of work are done at a time.
enum JobCount {
    /// - Throws: A `ValidationError` for a number below 1.
    static func check(_ jobs: Int?) throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be 1 at the least") }
    }

    /// The chosen number, else one for each core.
    static func chosen(_ jobs: Int?) -> Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}
