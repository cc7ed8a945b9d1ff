import ArgumentParser
import Foundation
import SegueData
import SegueServer
import SegueWeb

/// The options for the cases of a suite.
struct CaseOptions: ParsableArguments {
    @Option(.scenarios.defaulting(to: "play-through,background-and-return")) var scenario: NameList?

    @Option(.networks.defaulting(to: "wifi")) var network: NameList?

    @Option(.platforms.defaulting(to: "the scenario's own")) var platform: NameList?

    @Option(.apps.defaulting(to: "switch-when-ready")) var app: NameList?

    @Option(.seed) var seed = 1
}

/// The data files of the program.
enum ProgramData {
    /// The path of the program.
    static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    static func harness() throws -> HarnessFolder {
        try HarnessFolder.belonging(to: program, environment: ProcessInfo.processInfo.environment)
    }

    /// The folder with the HTML, CSS, and JavaScript of all pages.
    static func web() throws -> WebFolder {
        try WebFolder.belonging(
            to: program,
            beside: (try? harness())?.path,
            environment: ProcessInfo.processInfo.environment
        )
    }

    /// The page for browsers: the folder that `SEGUE_PAGE` names, or the folder `library` among the pages.
    static func page() throws -> PageFiles {
        try PageFiles(folder: ProcessInfo.processInfo.environment["SEGUE_PAGE"] ?? web().path + "/library")
    }

    /// The folder of the drivers of real players: `SEGUE_DRIVERS`, or `Drivers` beside the data folder or of the program.
    static func drivers() throws -> String {
        if let named = ProcessInfo.processInfo.environment["SEGUE_DRIVERS"] { return named }
        let beside =
            URL(fileURLWithPath: try harness().path).deletingLastPathComponent().appendingPathComponent("Drivers").path
        if ProgramFolder.holds("segue_drivers", beside) { return beside }
        return ProgramFolder.path(of: "Drivers", with: "segue_drivers", belongingTo: program) ?? beside
    }

    /// The folder of test media recipes, beside the data folder.
    static func recipes() throws -> String {
        URL(fileURLWithPath: try harness().path).deletingLastPathComponent().appendingPathComponent("TestMedia").path
    }

    /// The folder of recipes for `segue commands`.
    static func commandRecipes() throws -> String {
        URL(fileURLWithPath: try harness().path).appendingPathComponent("commands").path
    }
}
