package import SegueBase
package import SegueComparison

/// All cases of one file: the job of a worker process.
package struct FileTask: Sendable, Equatable {
    /// The file's path as bytes, since it need not be UTF-8.
    package var path: [UInt8]

    /// The path below the given folder, as reports show it.
    package var file: String

    /// The cases in the order of the matrix.
    package var cases: [CaseName]

    /// The data files of the names in the cases.
    package var sources: DataPaths

    /// The folder for event logs; nil for none.
    package var logFolder: String?

    /// True if to include timelines, which are much larger than the rest of an outcome.
    package var wantsStories = false

    /// The limits of the worker.
    package var limits: FileLimits

    /// The specifications whose requirements fail a case; a title may have its own.
    package var profile = RequirementProfile.usual

    /// The title of the cases, on a server of its own; nil for a file.
    package var title: Title?

    /// The server time per request for titles; nil for the measured one.
    package var think: Duration?

    package init(path: [UInt8], file: String, cases: [CaseName], sources: DataPaths, limits: FileLimits) {
        (self.path, self.file, self.cases, self.sources, self.limits) = (path, file, cases, sources, limits)
    }
}

/// The data files by the names in a suite.
package struct DataPaths: Sendable, Codable, Equatable {
    package var harness: String
    package var scenarios: [String: String] = [:]
    package var networks: [String: String] = [:]
    package var platforms: [String: String] = [:]
    package var apps: [String: String] = [:]

    /// The commands that start drivers of real players, by player name.
    package var players: [String: String] = [:]

    /// Rule files by name or path, which replace those of the data folder; nil for those.
    package var rules: [String]?

    /// Files of known issues by path, in addition to those of the data folder.
    package var knownIssues: [String] = []

    /// The day on which known issues may have expired; nil so that none expires.
    package var today: CalendarDay?

    /// The files of the devices that the player names to the server.
    package var devices: [String: String] = [:]

    package init(harness: String) { self.harness = harness }
}

/// The limits of a file's worker.
package struct FileLimits: Sendable, Codable, Equatable {
    /// The processor time in seconds without progress after which the worker is killed.
    ///
    /// Progress is a segment made or compared, a case run, or packets of the file decoded. The total time is unlimited.
    package var busySeconds = 300.0
    /// The wall-clock time in seconds without progress or processor time after which the worker is killed.
    ///
    /// Wall-clock time alone says nothing on a busy machine.
    package var idleSeconds = 300.0
    /// The maximum resident memory in bytes.
    package var memory: Int64 = 2 << 30

    package init() {}
}
