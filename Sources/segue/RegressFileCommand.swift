import ArgumentParser
import Foundation
import Regression

/// Runs one file's cases for `regress`: a task as JSON on standard input, results as JSON on standard output.
struct RegressFileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "regress-file", shouldDisplay: false)

    func run() async throws {
        let task: FileTask
        do {
            task = try JSONDecoder().decode(FileTask.self, from: FileHandle.standardInput.readDataToEndOfFile())
        } catch {
            throw CommandFailure("regress-file", "standard input is no task; use segue regress")
        }
        let outcomes: [CaseOutcome]
        do {
            let progress = FileProgress(path: task.path)
            ProgressTeller.begin(progress, to: FileHandle.standardInput.fileDescriptor)
            outcomes = try FileRunner(task: task, progress: progress).run()
        } catch {
            throw CommandFailure(error)
        }
        FileHandle.standardOutput.write(try JSONEncoder().encode(outcomes))
    }
}
