extension RunFacts {
    /// Reads the revision, branch, and job from the environment variables of a CI system.
    ///
    /// The first known system counts. Values that it does not provide stay nil.
    package mutating func read(environment: [String: String]) {
        func text(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let system = Self.systems.first(where: { text($0.sign) != nil }) else { return }
        revision = system.revision.lazy.compactMap(text).first
        branch = system.branch.lazy.compactMap(text).first.map(Self.plain)
        let pieces = system.job.map { $0.hasPrefix("$") ? text(String($0.dropFirst())) : $0 }
        job = pieces.isEmpty || pieces.contains(nil) ? nil : pieces.compactMap(\.self).joined()
    }

    /// The variables of a CI system.
    private struct System {
        /// The variable that identifies it.
        let sign: String
        /// The variables of the revision and the branch, in order of preference.
        let revision: [String]
        let branch: [String]
        /// The parts of the job's address: literal text, and variables with a `$`.
        let job: [String]
    }

    /// The systems by their own documentation; the variables of a merge request come before those of its target.
    private static let systems = [
        System(
            sign: "GITHUB_ACTIONS",
            revision: ["GITHUB_SHA"],
            branch: ["GITHUB_HEAD_REF", "GITHUB_REF_NAME"],
            job: ["$GITHUB_SERVER_URL", "/", "$GITHUB_REPOSITORY", "/actions/runs/", "$GITHUB_RUN_ID"]
        ),
        System(
            sign: "GITLAB_CI",
            revision: ["CI_COMMIT_SHA"],
            branch: ["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME"],
            job: ["$CI_JOB_URL"]
        ),
        System(
            sign: "BUILDKITE",
            revision: ["BUILDKITE_COMMIT"],
            branch: ["BUILDKITE_BRANCH"],
            job: ["$BUILDKITE_BUILD_URL", "#", "$BUILDKITE_JOB_ID"]
        ),
        System(
            sign: "CIRCLECI",
            revision: ["CIRCLE_SHA1"],
            branch: ["CIRCLE_BRANCH", "CIRCLE_TAG"],
            job: ["$CIRCLE_BUILD_URL"]
        ),
        System(
            sign: "TF_BUILD",
            revision: ["SYSTEM_PULLREQUEST_SOURCECOMMITID", "BUILD_SOURCEVERSION"],
            branch: ["SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCH"],
            job: [
                "$SYSTEM_TEAMFOUNDATIONCOLLECTIONURI", "$SYSTEM_TEAMPROJECT", "/_build/results?buildId=",
                "$BUILD_BUILDID",
            ]
        ),
        System(
            sign: "TRAVIS",
            revision: ["TRAVIS_PULL_REQUEST_SHA", "TRAVIS_COMMIT"],
            branch: ["TRAVIS_PULL_REQUEST_BRANCH", "TRAVIS_BRANCH"],
            job: ["$TRAVIS_JOB_WEB_URL"]
        ),
        System(
            sign: "BITBUCKET_BUILD_NUMBER",
            revision: ["BITBUCKET_COMMIT"],
            branch: ["BITBUCKET_BRANCH", "BITBUCKET_TAG"],
            job: [
                "https://bitbucket.org/", "$BITBUCKET_REPO_FULL_NAME", "/pipelines/results/", "$BITBUCKET_BUILD_NUMBER",
            ]
        ),
        System(
            sign: "TEAMCITY_VERSION",
            revision: ["BUILD_VCS_NUMBER"],
            branch: ["TEAMCITY_BUILD_BRANCH"],
            job: ["$BUILD_URL"]
        ),
        // Jenkins and systems that imitate it.
        System(
            sign: "GIT_COMMIT",
            revision: ["GIT_COMMIT"],
            branch: ["CHANGE_BRANCH", "BRANCH_NAME", "GIT_BRANCH"],
            job: ["$BUILD_URL"]
        ),
    ]

    /// A branch without the prefix that some systems add.
    private static func plain(_ branch: String) -> String {
        for head in ["refs/heads/", "refs/tags/", "origin/"] where branch.hasPrefix(head) {
            return String(branch.dropFirst(head.count))
        }
        return branch
    }
}
