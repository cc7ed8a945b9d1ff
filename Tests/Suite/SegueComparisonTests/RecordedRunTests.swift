import Foundation
import SegueBase
import Testing

@testable import SegueComparison

@Suite struct `Recorded runs` {
    private static let report = #"""
        {
          "cases" : [ {"file":"a \"}],[{ b","n":[1,{"x":null}]} , {"file":"b\\"},3 ],
          "schema" : 1, "run":{"revision":"12"}, "empty":[], "text":"cases", "last":true
        }
        """#

    @Test(arguments: [1, 7, 10_000])
    func `are read in pieces of any size`(size: Int) throws {
        var pieces = ReportPieces()
        var told: [String] = []
        let bytes = Array(Self.report.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try pieces.read(bytes[start..<min(start + size, bytes.count)]) { piece in
                switch piece {
                case .recordedCase(let bytes): told.append("case " + String(decoding: bytes, as: UTF8.self))
                case .member(let name, let bytes): told.append(name + " " + String(decoding: bytes, as: UTF8.self))
                }
            }
        }
        try pieces.finish()
        #expect(
            told == [
                #"case {"file":"a \"}],[{ b","n":[1,{"x":null}]}"#, #"case {"file":"b\\"}"#, "case 3", "schema 1",
                #"run {"revision":"12"}"#, "empty []", #"text "cases""#, "last true",
            ]
        )
    }

    @Test(arguments: [
        ("", "is not a report in JSON"), ("\u{7F}ELF", "is not a report in JSON"), ("[1]", "is not a report in JSON"),
        ("{}", "has no cases"), (#"{"schema":1}"#, "has no cases"), (#"{"cases":{}}"#, "has no cases"),
        (#"{"cases":[{"a":1},{"#, "after 1 whole case"), (#"{"cases":[{}]"#, "after 1 whole case"),
        (#"{"cases":[{}]}}"#, "ends in the middle"), (#"{"cases"}"#, "ends in the middle"),
        (#"{"cases":[{}}"#, "ends in the middle"),
    ])
    func `are refused in one line if they are invalid`(text: String, words: String) throws {
        let failure = try #require(throws: ReportPieces.Failure.self) {
            var pieces = ReportPieces()
            try pieces.read(text.utf8) { _ in }
            try pieces.finish()
        }
        #expect(failure.description.contains(words), "\(failure)")
    }

    @Test func `are read whatever other fields they have`() throws {
        let json = #"""
            {"file":"a.mp4","scenario":"s","network":"n","platform":"p","app":"x","seed":1,"verdict":"fail","new":[],
             "findings":[{"rule":"r","message":"m","at":1.5,"known":null}],
             "metrics":{"startupSeconds":0.5,"background":"paused","stalls":null,"later":7}}
            """#
        let one = try JSONDecoder().decode(RecordedCase.self, from: Data(json.utf8))
        #expect(one.verdict == .fail && one.findings.map(\.at) == [1.5] && one.seconds == nil)
        #expect(one.metrics == ["startupSeconds": .number(0.5), "background": .word("paused"), "later": .number(7)])
        #expect(try JSONDecoder().decode(RecordedCase.self, from: JSONEncoder().encode(one)) == one)
    }

    @Test(arguments: [
        ("http://user:word@host/a", "http://…@host/a"),
        ("https://h/a?key=1&x=2#3", "https://h/a?key=…&x=…#3"), ("https://h/a?secret", "https://h/a?…"),
        ("http://h/a@b", "http://h/a@b"), ("plain", "plain"), ("it's", #"'it'\''s'"#), ("", "''"), ("a b", "'a b'"),
    ])
    func `contain no secrets of the command line`(word: String, expected: String) {
        let quoted = CommandWords.line(["segue", word])
        #expect(quoted == "segue " + (expected.contains("?") || expected.contains("#") ? "'\(expected)'" : expected))
    }

    @Test func `resume by their command line with secrets given again`() {
        let words = ["regress", "http://a:b@host/x?key=1", "http://host/y", "--set", "base=https://h/z?k=2", "--quiet"]
        let kept = words.map(CommandWords.withoutSecrets)
        #expect(
            kept == ["regress", "http://…@host/x?key=…", "http://host/y", "--set", "base=https://h/z?k=…", "--quiet"]
        )
        let given = ["run", "http://c:d@host/x?key=3", "http://host/x?key=4", "base=https://h/z?k=5"]
        let restored = CommandWords.restored(kept, from: given)
        #expect(restored.words == [words[0], given[1], words[2], words[3], given[3], words[5]])
        #expect(restored.missing.isEmpty)
        #expect(CommandWords.restored(kept, from: Array(given.dropLast())).missing == ["base=https://h/z?k=…"])
    }

    private static let systems: [(String, [String: String], String, String, String?)] = [
        (
            "GitHub Actions",
            [
                "GITHUB_ACTIONS": "true", "GITHUB_SHA": "r", "GITHUB_REF_NAME": "main", "GITHUB_HEAD_REF": "",
                "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "a/b", "GITHUB_RUN_ID": "7",
            ], "r", "main", "https://github.com/a/b/actions/runs/7"
        ),
        (
            "GitLab",
            ["GITLAB_CI": "true", "CI_COMMIT_SHA": "r", "CI_COMMIT_REF_NAME": "b", "CI_JOB_URL": "https://j"],
            "r", "b", "https://j"
        ),
        ("Jenkins", ["GIT_COMMIT": "r", "GIT_BRANCH": "origin/b", "BUILD_URL": "https://j"], "r", "b", "https://j"),
        (
            "Buildkite",
            [
                "BUILDKITE": "true", "BUILDKITE_COMMIT": "r", "BUILDKITE_BRANCH": "b",
                "BUILDKITE_BUILD_URL": "https://j",
                "BUILDKITE_JOB_ID": "8",
            ], "r", "b", "https://j#8"
        ),
        (
            "CircleCI",
            ["CIRCLECI": "true", "CIRCLE_SHA1": "r", "CIRCLE_TAG": "v1", "CIRCLE_BUILD_URL": "https://j"], "r", "v1",
            "https://j"
        ),
        (
            "Azure",
            [
                "TF_BUILD": "True", "BUILD_SOURCEVERSION": "r", "BUILD_SOURCEBRANCH": "refs/heads/a/b",
                "SYSTEM_TEAMFOUNDATIONCOLLECTIONURI": "https://dev/", "SYSTEM_TEAMPROJECT": "p", "BUILD_BUILDID": "9",
            ], "r", "a/b", "https://dev/p/_build/results?buildId=9"
        ),
        (
            "Travis",
            ["TRAVIS": "true", "TRAVIS_COMMIT": "r", "TRAVIS_BRANCH": "b", "TRAVIS_JOB_WEB_URL": "https://j"],
            "r", "b", "https://j"
        ),
        (
            "Bitbucket",
            [
                "BITBUCKET_BUILD_NUMBER": "3", "BITBUCKET_COMMIT": "r", "BITBUCKET_BRANCH": "b",
                "BITBUCKET_REPO_FULL_NAME": "a/b",
            ], "r", "b", "https://bitbucket.org/a/b/pipelines/results/3"
        ),
        ("TeamCity", ["TEAMCITY_VERSION": "1", "BUILD_VCS_NUMBER": "r", "TEAMCITY_BUILD_BRANCH": "b"], "r", "b", nil),
    ]

    @Test(arguments: systems)
    func `have the revision, branch, and job of the CI system`(
        system: String,
        environment: [String: String],
        revision: String,
        branch: String,
        job: String?
    ) {
        var facts = RunFacts()
        facts.read(environment: environment)
        #expect(facts.revision == revision && facts.branch == branch && facts.job == job, "\(system)")
    }

    @Test func `have no such facts without a CI system`() throws {
        var facts = RunFacts()
        facts.read(environment: ["HOME": "/", "GITHUB_ACTIONS": "", "BUILD_URL": "x"])
        #expect(facts == RunFacts())
        facts.began = UTCTime("2026-11-22T16:04:55Z")
        #expect(try JSONDecoder().decode(RunFacts.self, from: JSONEncoder().encode(facts)) == facts)
    }
}
