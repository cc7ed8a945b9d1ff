import Foundation
import SegueData
import SegueTestSupport
import Testing

@testable import SegueSuite

@Suite struct `Selected cases` {
    private static let harness = HarnessFolder(path: Checkout.path("Harness"))

    private static func title(_ name: String, scenarios: [String] = [], networks: [String] = []) -> Title {
        var title = Title(name: name, url: "http://a/\(name).m3u8")
        title.selection = CaseSelection(scenarios: scenarios, networks: networks)
        title.place = SourcePlace(path: "titles.yaml", line: 3)
        return title
    }

    private static func suite(
        _ titles: [Title],
        scenarios: [String]? = nil,
        networks: [String]? = nil
    ) throws -> Suite {
        let choices = SuiteChoices(scenarios: scenarios, networks: networks)
        return try Suite(SuiteSources(titles: titles), choices, harness: harness)
    }

    @Test(arguments: [1, 2, 3, 5]) func `each case of a title is in exactly one part`(count: Int) throws {
        let folder = try TestFolder()
        let program = try folder.write([1], to: "program")
        let titles = [
            Self.title("a"), Self.title("b", scenarios: ["play-through"]), Self.title("c", networks: ["3g"]),
        ]
        let suite = try Self.suite(titles, networks: ["wifi", "3g"])
        let whole = try RunHeader(
            of: suite,
            data: DataRecord(),
            program: (program, "1"),
            directory: "/",
            arguments: ["regress"]
        )
        #expect(whole.cases == 8)
        let parts = (1...count).map { number in
            var part = whole
            part.take(part: number, of: count, of: suite, times: PastCaseTimes())
            return part
        }
        #expect(parts.map(\.cases).reduce(0, +) == 8)
        #expect(!parts.contains { !$0.isValid })
        #expect(parts.contains { $0.cases == 0 } == (count > 3))
    }

    @Test func `a list that selects no case is an error with the reason`() throws {
        let error = try #require(throws: HarnessError.self) {
            try Self.suite([Self.title("film", scenarios: ["background-and-return"])], scenarios: ["play-through"])
        }
        #expect(
            error.description
                == "titles.yaml: selects no case of this run: film goes through the scenarios background-and-return only, and the run has play-through"
        )
    }

    @Test func `a scenario or network that no title goes through is an error`() throws {
        let film = Self.title("film", scenarios: ["play-through"], networks: ["wifi"])
        let error = try #require(throws: HarnessError.self) { try Self.suite([film], networks: ["wifi", "3g"]) }
        #expect(error.description == "--network: 3g: selects no case: the titles go through wifi only")
        #expect(throws: HarnessError.self) {
            try Self.suite([film], scenarios: ["play-through", "background-and-return"])
        }
        _ = try Self.suite([film, Self.title("song")], networks: ["wifi", "3g"])
    }

    @Test func `a title without a case among others is reported`() throws {
        let suite = try Self.suite([Self.title("film", networks: ["3g"]), Self.title("song")])
        #expect(
            suite.unselected == [
                "film has no case in this run: it goes through the networks 3g only, and the run has wifi"
            ]
        )
    }

    @Test func `a folder without files is an error, beside others with files`() throws {
        let folder = try TestFolder()
        for name in ["full", "empty"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        }
        _ = try folder.write([1], to: "full/a.mp4")
        _ = try folder.write([1], to: "empty/.hidden")
        let error = try #require(throws: MediaFilesError.self) {
            try MediaFiles.list([folder.file("full"), folder.file("empty")])
        }
        #expect(error.description == "\(folder.file("empty")): no files found; name a folder with media")
    }
}
