package import SegueBase

/// What is known of a run of a suite besides its cases: when, of what, by which command.
package struct RunFacts: Sendable, Equatable {
    /// When it began; nil where nobody wrote it down.
    package var began: UTCTime?
    /// The version of the program.
    package var version: String?
    /// The command line, without what is secret in it.
    package var command: String?
    /// The revision of what was tested, as its version control names it.
    package var revision: String?
    /// The branch of that revision.
    package var branch: String?
    /// Where the job can be seen that ran it.
    package var job: String?

    /// A run of which nothing is known.
    package init() {}

    /// The run in a few words: when, and which revision.
    package var words: String {
        var parts = [began?.short, revision.map { "revision \($0.prefix(12))" }, branch.map { "on \($0)" }]
        parts.append(version.map { "segue \($0)" })
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension RunFacts: Codable {
    private enum Key: String, CodingKey { case began, version, command, revision, branch, job }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        began = try fields.decodeIfPresent(String.self, forKey: .began).flatMap(UTCTime.init)
        version = try fields.decodeIfPresent(String.self, forKey: .version)
        command = try fields.decodeIfPresent(String.self, forKey: .command)
        revision = try fields.decodeIfPresent(String.self, forKey: .revision)
        branch = try fields.decodeIfPresent(String.self, forKey: .branch)
        job = try fields.decodeIfPresent(String.self, forKey: .job)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(began?.description, forKey: .began)
        try fields.encode(version, forKey: .version)
        try fields.encode(command, forKey: .command)
        try fields.encode(revision, forKey: .revision)
        try fields.encode(branch, forKey: .branch)
        try fields.encode(job, forKey: .job)
    }
}
