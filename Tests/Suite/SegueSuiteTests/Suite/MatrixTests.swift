import SegueComparison
import SegueData
import SeguePlayerModel
import SegueTestSupport
import Testing

@testable import SegueSuite

@Suite struct `Matrix of clients` {
    private static let harness = HarnessFolder(path: Checkout.path("Harness"))

    /// A suite of one title with the given clients.
    private static func suite(platforms: [String], devices: [String]?, apps: [String]) throws -> Suite {
        var choices = SuiteChoices(scenarios: ["play-through"], platforms: platforms, devices: devices)
        choices.apps = apps
        return try Suite(SuiteSources(titles: [Title(url: "http://a/b.m3u8")]), choices, harness: harness)
    }

    @Test func `clients that cannot be are left out and counted, with the reason`() throws {
        let suite = try Self.suite(
            platforms: ["ios-3.1", "ios-3.2-ipad", "ios-4.2"],
            devices: ["iphone-3g", "iphone-3gs", "iphone-4", "ipad"],
            apps: ["layer-trick"]
        )
        let clients = suite.matrix.cases(of: "a").map(\.client)
        #expect(
            clients == [
                "ios-3.1@iphone-3g", "ios-4.2@iphone-3g", "ios-3.1@iphone-3gs", "ios-4.2@iphone-3gs",
                "ios-4.2@iphone-4", "ios-3.2-ipad@ipad", "ios-4.2@ipad",
            ]
        )
        #expect(suite.leftOut.reduce(0) { $0 + $1.cases } == 5)
        let reasons = suite.leftOut.map(\.reason)
        #expect(reasons.contains("iphone-4 never ran iOS 3.1, only iOS 4.0 to 7.1.2"), "\(reasons)")
        #expect(reasons.contains("ipad never ran iOS 3.1, only iOS 3.2 to 3.2.2, iOS 4.2 to 5.1.1"), "\(reasons)")
    }

    @Test func `an app is left out on platforms without its player`() throws {
        let suite = try Self.suite(
            platforms: ["ios-4.0", "ios-4.3", "ios-15"],
            devices: nil,
            apps: ["layer-trick", "switch-when-ready"]
        )
        let pairs = suite.matrix.cases(of: "a").map { "\($0.platform) \($0.app)" }
        let (early, late) = ("layer-trick", "switch-when-ready")
        #expect(pairs == ["ios-4.0 \(early)", "ios-4.3 \(early)", "ios-4.3 \(late)", "ios-15 \(late)"])
        #expect(
            suite.leftOut.map(\.reason) == [
                "switch-when-ready needs a queue-player, which ios-4.0 does not have",
                "layer-trick needs a movie-player, which ios-15 does not have",
            ]
        )
        #expect(suite.leftOut.map(\.cases) == [1, 1])
    }

    @Test func `a title goes through the scenarios and networks of its selection only`() throws {
        var film = Title(url: "http://a/film.m3u8")
        film.selection = CaseSelection(scenarios: ["play-through"], networks: ["wifi"])
        let titles = [film, Title(url: "http://a/song.m3u8")]
        var choices = SuiteChoices(scenarios: ["play-through", "client-script"], platforms: ["ios-4.0", "ios-4.3"])
        (choices.apps, choices.networks) = (["switch-when-ready"], ["wifi", "3g"])
        let suite = try Suite(SuiteSources(titles: titles), choices, harness: Self.harness)
        let tasks = suite.tasks(logFolder: nil, wantsStories: false, limits: FileLimits())
        #expect(tasks[0].cases.map { "\($0.scenario) \($0.network)" } == ["play-through wifi"])
        #expect(tasks[1].cases.count == 4)
        // One of the film's combinations and four of the song's cannot be.
        #expect(suite.leftOut.map(\.cases) == [5])
    }

    @Test func `an unknown name in a title's selection is an error with the closest name`() throws {
        var film = Title(name: "film", url: "http://a/film.m3u8")
        film.selection.networks = ["wfi"]
        let error = try #require(throws: HarnessError.self) {
            try Suite(
                SuiteSources(titles: [film]),
                SuiteChoices(scenarios: ["play-through"]),
                harness: Self.harness
            )
        }
        #expect(error.description.hasPrefix("film: networks: wfi is unknown; did you mean wifi?"), "\(error)")
    }

    @Test func `iOS 4 has no multitasking on the iPhone 3G`() throws {
        let suite = try Self.suite(
            platforms: ["ios-4.0"],
            devices: ["iphone-3g", "iphone-3gs"],
            apps: ["layer-trick"]
        )
        let data = try CaseData(suite.sources)
        let runs = try suite.matrix.cases(of: "a").map { name in
            guard case .model(let platform, _) = try data.choice(for: name).player else { return false }
            #expect(platform.name == "ios-4.0")
            return platform.lifecycle.runsInBackground
        }
        #expect(runs == [false, true])
    }

    @Test func `the log file, the key, and the words of a case name its device`() throws {
        var name = CaseName(file: "f", scenario: "s", network: "n", platform: "p", app: "a", seed: 1)
        let key = name.key
        name.device = "phone"
        #expect(name.key != key && name.circumstances == "s n p@phone a")
        #expect([name, name].groupedByDevice == [[name, name]])
    }
}
