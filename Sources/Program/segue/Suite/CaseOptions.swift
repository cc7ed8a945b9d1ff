import ArgumentParser
import Foundation
import SegueData
import SegueServer
import SegueWeb

/// The options that say what a suite is crossed with; spelled the same in every command.
struct CaseOptions: ParsableArguments {
    @Option(
        help: "Scenarios: names or YAML files. (default: play-through,background-and-return)",
        completion: .names(of: .scenarios, isList: true)
    )
    var scenario: NameList?

    @Option(
        help: "Networks: names or YAML files. (default: wifi)",
        completion: .names(of: .networks, isList: true)
    )
    var network: NameList?

    @Option(
        help: "Platforms: names or YAML files. (default: each scenario's own)",
        completion: .names(of: .platforms, isList: true)
    )
    var platform: NameList?

    @Option(
        help: "App policies: names or YAML files. (default: switch-when-ready)",
        completion: .names(of: .apps, isList: true)
    )
    var app: NameList?

    @Option(help: "Seed of everything random; the same seed gives the same log.")
    var seed = 1
}

/// The data that belongs to this program.
enum ProgramData {
    /// The program's own path.
    static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// The data folder.
    static func harness() throws -> HarnessFolder {
        try HarnessFolder.belonging(to: program, environment: ProcessInfo.processInfo.environment)
    }

    /// The folder with the HTML, CSS, and JavaScript of all pages.
    static func web() throws -> WebFolder {
        try WebFolder.belonging(
            to: program,
            beside: harness().path,
            environment: ProcessInfo.processInfo.environment
        )
    }

    /// The page for browsers: the folder that `SEGUE_PAGE` names, or the folder `library` among the pages.
    static func page() throws -> PageFiles {
        try PageFiles(folder: ProcessInfo.processInfo.environment["SEGUE_PAGE"] ?? web().path + "/library")
    }

    /// The folder with the recipes of test media, which lies beside the data folder.
    static func recipes() throws -> String {
        URL(fileURLWithPath: try harness().path).deletingLastPathComponent().appendingPathComponent("TestMedia").path
    }

    /// The folder with the recipes of what `segue commands` serves.
    static func commandRecipes() throws -> String {
        URL(fileURLWithPath: try harness().path).appendingPathComponent("commands").path
    }
}
