package import SegueBase

/// All cases of one file: what a worker process is asked to run.
package struct FileTask: Sendable, Equatable {
    /// The file's path as bytes, since a file's name need not be UTF-8.
    package var path: [UInt8]

    /// The file's path below the folder that was given, as reports show it.
    package var file: String

    /// The cases, in the order of the matrix.
    package var cases: [CaseName]

    /// Where the cases' names of scenarios, networks, platforms and app policies are looked up: names to file paths.
    package var sources: DataPaths

    /// The folder for the cases' event logs; nil where none are wanted.
    package var logFolder: String?

    /// Whether the stories of the cases are wanted, which are much larger than all else that is told of them.
    package var wantsStories: Bool

    /// What the worker may use.
    package var limits: FileLimits

    /// The title whose cases they are, on a server of its own; nil for a file.
    package var title: Title?

    /// How long a title's server is said to take for each request; nil for as long as it takes.
    package var think: Duration?

    /// All cases of one file.
    package init(
        path: [UInt8],
        file: String,
        cases: [CaseName],
        sources: DataPaths,
        logFolder: String?,
        wantsStories: Bool = false,
        limits: FileLimits
    ) {
        self.path = path
        self.file = file
        self.cases = cases
        self.sources = sources
        self.logFolder = logFolder
        self.wantsStories = wantsStories
        self.limits = limits
    }
}

/// The data files that a suite's names stand for.
package struct DataPaths: Sendable, Codable, Equatable {
    /// The data folder.
    package var harness: String
    /// Scenario files by name.
    package var scenarios: [String: String] = [:]
    /// Network files by name.
    package var networks: [String: String] = [:]
    /// Platform files by name.
    package var platforms: [String: String] = [:]
    /// App policy files by name.
    package var apps: [String: String] = [:]

    /// The commands that start the drivers of real players, by what the players are called.
    package var players: [String: String] = [:]

    /// Rule files, by name or path, in place of all that the data folder has; nil for those.
    package var rules: [String]?

    /// Files of known issues, by path, besides those of the data folder.
    package var knownIssues: [String] = []

    /// The day on which known issues are judged; nil where nobody says, and none expires.
    package var today: CalendarDay?

    /// The file of the device that the player names to the server; nil for none.
    package var device: String?

    /// No names yet.
    package init(harness: String) { self.harness = harness }
}

/// What one file's worker may use before it is ended.
package struct FileLimits: Sendable, Codable, Equatable {
    /// Seconds of processor time in which it must come further.
    ///
    /// To come further is to have a segment made or compared, a case run, or packets of the file decoded. How long all
    /// of it takes is limited by nothing.
    package var busySeconds = 300.0
    /// Seconds on the clock in which it must come further or use processor time.
    ///
    /// The clock alone says nothing of a file on a machine that is busy with others.
    package var idleSeconds = 300.0
    /// Bytes of resident memory.
    package var memory: Int64 = 2 << 30

    /// The usual limits.
    package init() {}
}
