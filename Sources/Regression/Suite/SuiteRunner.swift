internal import Foundation

/// Runs many files' cases, a few files at a time.
package struct SuiteRunner: Sendable {
    /// How far a suite has come.
    package struct Progress: Sendable {
        /// Files that are done.
        package let done: Int
        /// Files in all.
        package let total: Int
        /// The file that was done last.
        package let file: String
    }

    /// What runs one file.
    package let worker: FileWorker

    /// How many files at a time, at least 1.
    package let jobs: Int

    /// A runner.
    package init(worker: FileWorker, jobs: Int) {
        self.worker = worker
        self.jobs = max(1, jobs)
    }

    /// Runs all tasks.
    ///
    /// - Parameters:
    ///   - tasks: The files.
    ///   - progress: Called after each file, from one task at a time.
    /// - Returns: The results in the order of the tasks, whatever order they ended in.
    package func run(_ tasks: [FileTask], progress: (Progress) -> Void) async -> [CaseOutcome] {
        var results: [[CaseOutcome]] = Array(repeating: [], count: tasks.count)
        await withTaskGroup(of: (Int, [CaseOutcome]).self) { group in
            var waiting = tasks.indices[...]
            for index in waiting.prefix(jobs) { group.addTask { (index, await worker.run(tasks[index])) } }
            waiting = waiting.dropFirst(jobs)
            var done = 0
            while let (index, outcomes) = await group.next() {
                results[index] = outcomes
                done += 1
                progress(Progress(done: done, total: tasks.count, file: tasks[index].file))
                if let index = waiting.popFirst() { group.addTask { (index, await worker.run(tasks[index])) } }
            }
        }
        return results.flatMap(\.self)
    }
}
