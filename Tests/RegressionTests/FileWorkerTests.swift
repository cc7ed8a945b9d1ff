internal import Foundation
import Regression
import TestSupport
import Testing

@Suite struct `File worker` {
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
        let answer = String(decoding: try JSONEncoder().encode([outcome]), as: UTF8.self)
        #expect(try await run("cat >/dev/null; printf %s '\(answer)'") == [outcome])
    }

    @Test func `a crash fails the file's cases and names the signal and the last words`() async throws {
        let finding = try await finding("cat >/dev/null; echo 'last words' >&2; kill -SEGV $$")
        #expect(finding.rule == "crash")
        #expect(finding.message.contains("Segmentation fault"))
        #expect(finding.message.contains("last words"))
    }

    @Test func `a worker that waits without end is ended`() async throws {
        var limits = FileLimits()
        limits.idleSeconds = 0.5
        let finding = try await finding("exec sleep 600", limits: limits)
        #expect(finding.rule == "hang" && finding.message == "has not moved for 0.5 s")
    }

    @Test func `a worker that works and comes no further is ended, and what it told last is named`() async throws {
        var limits = FileLimits()
        limits.busySeconds = 0.4
        let finding = try await finding(
            "cat >/dev/null; printf '\none' >&0; printf '\ncomparing' >&0; while :; do :; done",
            limits: limits
        )
        #expect(finding.rule == "hang" && finding.message == "has come no further in 0.4 s of work (last: comparing)")
    }

    @Test func `a worker that comes further may take as long as it takes`() async throws {
        var limits = FileLimits()
        limits.busySeconds = 0.4
        let outcome = CaseOutcome(CaseResult(name: name, verdict: .pass, findings: []))
        let answer = String(decoding: try JSONEncoder().encode([outcome]), as: UTF8.self)
        // 1.2 s of processor time as the system counts it, and a word after each tenth of a second.
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

    @Test func `a worker that eats memory is ended`() async throws {
        var limits = FileLimits()
        limits.memory = 32 << 20
        let finding = try await finding(
            "x=$(head -c 100000000 /dev/zero | tr '\\0' x); while :; do :; done",
            limits: limits
        )
        #expect(finding.rule == "memory")
    }

    @Test func `an answer that is none fails the file's cases`() async throws {
        #expect(try await finding("cat >/dev/null; echo '[]'").rule == "crash")
        #expect(try await finding("cat >/dev/null; echo nonsense").rule == "crash")
        #expect(try await finding("cat >/dev/null; exit 3").message.contains("3"))
    }

    @Test func `a program that is not there fails the file's cases`() async throws {
        let worker = FileWorker(program: "/none/such", arguments: [])
        #expect(await worker.run(task(FileLimits())).map(\.result.verdict) == [.fail])
    }

    @Test func `outcomes keep the order of the files whatever order they end in`() async throws {
        let script = """
            file=$(cat | sed 's/.*"file":"\\([a-z]*\\)".*/\\1/')
            [ "$file" = slow ] && sleep 0.2
            echo "[]"
            """
        let runner = SuiteRunner(worker: FileWorker(program: "/bin/sh", arguments: ["-c", script]), jobs: 2)
        let names = ["slow", "fast", "quick"]
        let tasks = names.map { file in
            var task = task(FileLimits())
            task.file = file
            task.cases[0].file = file
            return task
        }
        var done: [Int] = []
        let outcomes = await runner.run(tasks) { done.append($0.done) }
        #expect(outcomes.map(\.result.name.file) == names)
        #expect(done == [1, 2, 3])
    }

    private func finding(_ script: String, limits: FileLimits = FileLimits()) async throws -> Finding {
        let outcomes = try await run(script, limits: limits)
        #expect(outcomes.map(\.result.verdict) == [.fail])
        return try #require(outcomes.first?.result.findings.first)
    }

    private func run(_ script: String, limits: FileLimits = FileLimits()) async throws -> [CaseOutcome] {
        await FileWorker(program: "/bin/sh", arguments: ["-c", script]).run(task(limits))
    }

    private func task(_ limits: FileLimits) -> FileTask {
        FileTask(
            path: Array("/a.mp4".utf8),
            file: "a.mp4",
            cases: [name],
            sources: DataPaths(harness: "/"),
            logFolder: nil,
            limits: limits
        )
    }
}
