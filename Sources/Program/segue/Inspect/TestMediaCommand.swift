import ArgumentParser
import Foundation
import SegueTestMedia
import Synchronization

struct TestMediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "testmedia",
        abstract: "Creates test files whose video and audio encode their position.",
        discussion: """
            Each file is created by a recipe in the folder TestMedia; the same recipe gives the same bytes. Existing \
            files are kept.

            Example:
              segue testmedia media
            """
    )

    @Argument(
        help: ArgumentHelp("The folder for the files; created if missing.", valueName: "dir"),
        completion: .directory
    )
    var folder: String

    @Option(.recipes) var recipes: String?

    @Option(.files) var jobs: Int?

    @Flag(.quiet) var quiet = false

    @OptionGroup var config: ConfigOption

    func validate() throws { try JobCount.check(jobs) }

    func run() async throws {
        try OutputFolder.make(folder)
        let maker: MediaMaker
        let result: MediaMaker.Result
        let progress = Mutex(ProgressLine("testmedia", isQuiet: quiet))
        do {
            maker = MediaMaker(recipes: try RecipeReader.recipes(inFolder: try recipes ?? ProgramData.recipes()))
            result = try maker.makeAll(into: folder, jobs: JobCount.chosen(jobs)) { step in
                progress.withLock { $0.show(done: step.done, total: step.total, item: step.file) }
            }
        } catch let error as CocoaError {
            throw CommandFailure(folder, SystemReason.of(error))
        } catch {
            throw CommandFailure(error)
        }
        progress.withLock { $0.end() }
        if !quiet {
            let counts = "\(result.made.count) files created in \(folder), \(result.upToDate.count) already existed"
            StandardOutput.write(counts + "\n")
        }
        for failure in result.failures { StandardError.write("segue: \(failure)\n") }
        if !result.failures.isEmpty { throw ExitCode(1) }
    }
}
