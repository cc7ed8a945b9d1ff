import ArgumentParser
import Foundation

/// The number of parallel jobs.
enum JobCount {
    /// - Throws: A `ValidationError` for a number below 1.
    static func check(_ jobs: Int?) throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1") }
    }

    /// The given number, or one per core.
    static func chosen(_ jobs: Int?) -> Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}
