import Foundation
import Glibc
import SegueBase
import SegueComparison
import SegueSuite
import SegueTestSupport
import Testing

@Suite struct `Suite runner` {
    private let name = CaseName(
        file: "a.mp4",
        scenario: "s",
        network: "n",
        platform: "p",
        app: "a",
        seed: 1
    )

    @Test func `a worker's outcomes are passed on`() async throws {
        let outcome = CaseOutcome(CaseResult(name: name, verdict: .pass, findings: []))
        let answer = String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self)
        #expect(try await run("cat >/dev/null; printf %s '\(answer)'") == [outcome])
    }

    @Test func `a crash fails the file's cases and names the signal and the last words`() async throws {
        let finding = try await finding("cat >/dev/null; echo 'last words' >&2; kill -SEGV $$")
        #expect(finding.rule == "crash")
        #expect(finding.message.text.contains("Segmentation fault"))
        #expect(finding.message.text.contains("last words"))
    }

    @Test func `a worker that waits forever is killed`() async throws {
        var limits = FileLimits()
        limits.idleSeconds = 0.5
        let finding = try await finding("exec sleep 600", limits: limits)
        #expect(finding.rule == "hang" && finding.message.text == "was idle for 0.5 s")
    }

    @Test func `a worker without progress is killed, and its last report is shown`() async throws {
        var limits = FileLimits()
        limits.busySeconds = 0.4
        let finding = try await finding(
            "cat >/dev/null; printf '\none' >&0; printf '\ncomparing' >&0; while :; do :; done",
            limits: limits
        )
        #expect(
            finding.rule == "hang"
                && finding.message.text == "made no progress in 0.4 s of processor time (last: comparing)"
        )
    }

    @Test func `a worker with progress may take any time`() async throws {
        var limits = FileLimits()
        limits.busySeconds = 0.4
        let outcome = CaseOutcome(CaseResult(name: name, verdict: .pass, findings: []))
        let answer = String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self)
        // 1.2 s of processor time as the system counts it, and a progress line every tenth of a second.
        let script = """
            cat >/dev/null
            used() { read -r line </proc/$$/stat; set -- $line; ticks=$((${14} + ${15})); }
            for part in 1 2 3 4 5 6 7 8 9 10 11 12; do
                used; end=$((ticks + 10))
                while used; [ $ticks -lt $end ]; do :; done
                printf '\n%s' $part >&0
            done
            printf %s '\(answer)'
            """
        #expect(try await run(script, limits: limits) == [outcome])
    }

    @Test func `a worker over its memory limit is killed`() async throws {
        var limits = FileLimits()
        limits.memory = 32 << 20
        let finding = try await finding(
            "x=$(head -c 100000000 /dev/zero | tr '\\0' x); while :; do :; done",
            limits: limits
        )
        #expect(finding.rule == "memory")
    }

    @Test func `an invalid outcome fails the file's cases`() async throws {
        #expect(try await finding("cat >/dev/null; echo '[]'").rule == "crash")
        #expect(try await finding("cat >/dev/null; echo nonsense").rule == "crash")
        #expect(try await finding("cat >/dev/null; exit 3").message.text.contains("3"))
    }

    @Test func `too few, too many, or other outcomes fail all cases, and none is stored twice`() async throws {
        let outcome = CaseOutcome(CaseResult(name: name, verdict: .pass, findings: []))
        let answer = String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self)
        let other = answer.replacing("a.mp4", with: "b.mp4")
        let pairs = [
            ("true", "too few"), ("echo '\(answer)'; echo '\(answer)'", "too many"), ("echo '\(other)'", "not given"),
        ]
        for (script, word) in pairs { #expect(try await finding(script).message.text.contains(word)) }
    }

    @Test func `a process that cannot be started is not the file's failure`() async throws {
        let outcomes = try await onThread { [task = task(FileLimits())] in
            Result { try SuiteRunner(jobs: 1, start: { _, _, _ in throw CocoaError(.fileNoSuchFile) }).all([task]) }
        }.get()
        #expect(outcomes.map(\.result.verdict) == [.broken])
        #expect(outcomes.first?.result.findings.map(\.rule) == ["not-run"])
    }

    @Test(arguments: [
        (
            "echo 'segue: No space left on device' >&2; exit 2",
            "the worker could not continue: segue: No space left on device"
        ),
        ("kill -KILL $$", "the worker was killed from outside (Killed), for example by a system out of memory"),
        ("kill -TERM $$", "the worker was killed from outside (Terminated)"),
    ])
    func `outcomes before a machine failure count, and the rest is broken`(
        ending: String,
        message: String
    ) async throws {
        var task = task(FileLimits())
        task.cases.append(task.cases[0])
        task.cases[1].seed = 2
        let done = CaseOutcome(CaseResult(name: name, verdict: .pass, findings: []))
        let answer = String(decoding: try JSONEncoder().encode(done), as: UTF8.self)
        let outcomes = try await onThread { [task] in
            Result {
                try SuiteRunner(
                    jobs: 1,
                    start: { _, _, files in try script("cat >/dev/null; echo '\(answer)'; \(ending)", files) }
                ).all([task])
            }
        }.get()
        #expect(outcomes.map(\.result.verdict) == [.pass, .broken])
        #expect(outcomes.last?.result.findings.map(\.words) == ["not-run: \(message)"])
    }

    @Test func `an interruption ends the workers and keeps earlier outcomes`() async throws {
        var task = task(FileLimits())
        task.cases.append(task.cases[0])
        task.cases[1].seed = 2
        let done = CaseOutcome(CaseResult(name: name, verdict: .pass, findings: []))
        let answer = String(decoding: try JSONEncoder().encode(done), as: UTF8.self)
        let folder = try TestFolder()
        let outcomes = try await onThread { [task] in
            Result {
                try SuiteRunner(
                    jobs: 1,
                    isInterrupted: { FileManager.default.fileExists(atPath: folder.file("told")) },
                    start: { _, _, files in
                        try script("echo '\(answer)'; printf half; : >\(folder.file("told")); exec sleep 600", files)
                    }
                ).all([task, named("other")])
            }
        }.get()
        #expect(outcomes == [done])
    }

    @Test func `outcomes have the order of the files, not of completion`() async throws {
        let names = ["slow", "fast", "quick"]
        let tasks = names.map { named($0) }
        let (outcomes, done) = try await onThread {
            var done: [Int] = []
            let runner = SuiteRunner(jobs: 2) { task, _, files in
                // The slow task waits for the core that another task frees.
                try script(task.file == "slow" ? "head -c 1 <&3 >/dev/null; echo '[]'" : "echo '[]'", files)
            }
            return Result { try (runner.all(tasks) { if $0.done > done.last ?? 0 { done.append($0.done) } }, done) }
        }.get()
        #expect(outcomes.map(\.result.name.file) == names)
        #expect(done == [1, 2, 3])
    }

    @Test func `the file with most work starts first`() async throws {
        let folder = try TestFolder()
        let sizes = [("small.mp4", 10), ("sound.ogg", 4000), ("film.mp4", 5000), ("film.webm", 3000), ("none", 0)]
        let tasks = try sizes.map { name, size in
            named(name, at: try folder.write([UInt8](repeating: 0, count: size), to: name))
        }
        let begun = try await onThread {
            var begun: [String] = []
            let runner = SuiteRunner(jobs: 1) { task, _, files in
                begun.append(task.file)
                return try script("echo '[]'", files)
            }
            return Result { _ = try runner.all(tasks) }.map { begun }
        }.get()
        #expect(begun == ["film.webm", "sound.ogg", "film.mp4", "small.mp4", "none"])
    }

    @Test(arguments: [(1, 1, [1]), (1, 4, [4]), (2, 4, [2, 2]), (3, 8, [2, 2, 2])])
    func `fewer files than cores share them from the beginning`(files: Int, jobs: Int, shares: [Int]) async throws {
        let tasks = (0..<files).map { named("\($0).mp4") }
        let cores = try await onThread {
            var cores: [Int] = []
            let runner = SuiteRunner(jobs: jobs) { _, share, files in
                cores.append(share)
                return try script("echo '[]'", files)
            }
            return Result { _ = try runner.all(tasks) }.map { cores }
        }.get()
        #expect(cores == shares)
    }

    private func finding(_ script: String, limits: FileLimits = FileLimits()) async throws -> Finding {
        let outcomes = try await run(script, limits: limits)
        #expect(outcomes.map(\.result.verdict) == [.fail])
        return try #require(outcomes.first?.result.findings.first)
    }

    private func run(_ text: String, limits: FileLimits = FileLimits()) async throws -> [CaseOutcome] {
        try await onThread { [task = task(limits)] in
            Result { try SuiteRunner(jobs: 1, start: { _, _, files in try script(text, files) }).all([task]) }
        }.get()
    }

    private func named(_ file: String, at path: String? = nil) -> FileTask {
        var task = task(FileLimits())
        task.path = Array((path ?? "/none/\(file)").utf8)
        task.file = file
        task.cases[0].file = file
        return task
    }

    private func task(_ limits: FileLimits) -> FileTask {
        FileTask(
            path: Array("/a.mp4".utf8),
            file: "a.mp4",
            cases: [name],
            sources: DataPaths(harness: "/"),
            limits: limits
        )
    }
}

extension SuiteRunner {
    /// The outcomes of tasks.
    fileprivate func all(_ tasks: [FileTask], progress: (Progress) -> Void = { _ in }) throws -> [CaseOutcome] {
        var outcomes: [CaseOutcome] = []
        try run(tasks, progress: progress).each { outcomes.append($0) }
        return outcomes
    }
}

/// Starts a shell script as a worker whose connection is descriptor 3.
private func script(_ text: String, _ files: WorkerFiles) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (place, file) in [files.told, files.output, files.words, files.line].enumerated() {
        posix_spawn_file_actions_adddup2(&actions, file, Int32(place))
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", text].map { (word: String) in strdup(word) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/bin/sh", &actions, nil, arguments, [nil])
    guard code == 0 else { throw CocoaError(.executableLoad) }
    return process
}

/// Runs a blocking call on its own thread.
private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
