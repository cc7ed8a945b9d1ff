package import SegueBase

/// The facts of a run: date, version, command, revision, branch, and job.
package struct RunFacts: Sendable, Equatable {
    /// The start; nil if it was not recorded.
    package var began: UTCTime?
    package var version: String?
    /// The command line, without secrets.
    package var command: String?
    /// The revision that was tested.
    package var revision: String?
    /// The branch of the revision.
    package var branch: String?
    /// The address of the CI job.
    package var job: String?
    /// The releases of apps, by the name of the policy.
    package var releases: [String: AppRelease] = [:]

    package init() {}

    /// The date, revision, branch, and version in one line.
    package var words: String {
        var parts = [began?.short, revision.map { "revision \($0.prefix(12))" }, branch.map { "on \($0)" }]
        parts.append(version.map { "segue \($0)" })
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension RunFacts: Codable {
    private enum Key: String, CodingKey { case began, version, command, revision, branch, job, releases }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        began = try fields.decodeIfPresent(String.self, forKey: .began).flatMap(UTCTime.init)
        version = try fields.decodeIfPresent(String.self, forKey: .version)
        command = try fields.decodeIfPresent(String.self, forKey: .command)
        revision = try fields.decodeIfPresent(String.self, forKey: .revision)
        branch = try fields.decodeIfPresent(String.self, forKey: .branch)
        job = try fields.decodeIfPresent(String.self, forKey: .job)
        releases = try fields.decodeIfPresent([String: AppRelease].self, forKey: .releases) ?? [:]
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(began?.description, forKey: .began)
        try fields.encode(version, forKey: .version)
        try fields.encode(command, forKey: .command)
        try fields.encode(revision, forKey: .revision)
        try fields.encode(branch, forKey: .branch)
        try fields.encode(job, forKey: .job)
        if !releases.isEmpty { try fields.encode(releases, forKey: .releases) }
    }
}
