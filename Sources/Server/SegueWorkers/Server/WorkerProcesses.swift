import Dispatch
import Foundation
import SegueBase
package import SegueConcurrency
import SegueFFmpeg
package import SegueOrigin
package import SeguePackager

/// A pool of a few worker processes for files, each with one task at a time.
///
/// A worker that crashes, hangs, or exceeds its memory limit costs only its request, which is retried once in another
/// worker. If that one fails in the same way, the file is quarantined.
package final class WorkerProcesses: FileWork {
    package struct Configuration: Sendable {
        /// The maximum number of workers; at least 1.
        package var count: Int
        /// The number of workers that are started in advance; nil for all.
        package var ready: Int?
        package var limits = WorkerLimits()
        /// The folders and files that they may read.
        package var reach: [String]
        /// The program: this one, even if its file was replaced in the meantime.
        package var program = "/proc/self/exe"
        /// The first arguments, which make the program a worker.
        package var arguments: [String]
        /// The duration of a quarantine.
        package var setAside = Duration.seconds(600)

        package init(count: Int, reach: [String], arguments: [String]) {
            (self.count, self.reach, self.arguments) = (count, reach, arguments)
        }

        /// The arguments of a worker that may read some folders and files.
        func arguments(reaching reach: [String]) -> [String] {
            arguments + ["--memory", "\(limits.memory)"] + reach.flatMap { ["--reach", $0] }
        }
    }

    /// The number of retries of a request whose workers were killed by other programs.
    private static let killLimit = 4
    /// The number of answers between two checks of a worker's memory.
    private static let answersBetweenLooks = 16

    private let configuration: Configuration
    /// The folders and files that new workers may read.
    private let reach: Monitor<[String]>
    private let keeper: (any IndexKeeping)?
    private let notice: @Sendable (String) -> Void
    private let force: Monitor<Workforce<Worker>>
    private let aside: Monitor<FileQuarantine>
    // Only the thread that starts workers waits here, for a bounded time.
    private let news = DispatchSemaphore(value: 0)

    /// Starts workers; returns before they are ready.
    ///
    /// - Parameters:
    ///   - keeper: The store of indexes; nil for none.
    ///   - notice: Receives one line for each event of workers and files.
    package init(
        _ configuration: Configuration,
        keeper: (any IndexKeeping)? = nil,
        notice: @escaping @Sendable (String) -> Void
    ) {
        precondition(configuration.count >= 1)
        (self.configuration, self.keeper, self.notice) = (configuration, keeper, notice)
        reach = Monitor(configuration.reach)
        force = Monitor(Workforce(count: configuration.count, ready: configuration.ready))
        aside = Monitor(FileQuarantine(for: configuration.setAside))
        // The thread has to live as long as the processes, which end with the thread that started them.
        WorkThread.begin("workers") { [force, news, configuration, reach, notice] in
            let reach = { @Sendable in reach.withLock { $0 } }
            WorkerStarting(force: force, news: news, configuration: configuration, reach: reach, notice: notice).run()
        }
    }

    /// Replaces the folders and files that workers may read.
    ///
    /// Workers without access to them are replaced when they are idle.
    ///
    /// - Returns: The former folders and files.
    @discardableResult
    package func read(_ reach: [String]) -> [String] {
        let former = self.reach.withLock { now in
            defer { now = reach }
            return now
        }
        guard former != reach else { return former }
        force.withLock { force in _ = force.dismiss { $0.reach != reach } }
        news.signal()
        return former
    }

    deinit { stop() }

    /// Ends all workers; busy ones complete their tasks.
    package func stop() {
        _ = force.withLock { $0.stop() }
        news.signal()
    }

    /// Blocks until a number of workers are ready; for tests.
    package func waitUntilReady(_ count: Int) { force.wait(for: { $0.idle.count >= count || $0.isStopped }) }

    /// The process IDs of idle workers.
    package var idleProcesses: [Int32] { force.withLock { $0.idle.map(\.process.number) } }

    package var report: FileWorkReport? {
        let (force, resident) = force.withLock { force in
            (force, force.idle.reduce(Int64(0)) { $0 + $1.process.residentBytes })
        }
        var report = FileWorkReport()
        (report.alive, report.busy, report.waiting) = (force.alive, force.busy, force.waiting)
        (report.lost, report.retried, report.residentBytes) = (force.lost, force.retried, resident)
        report.setAside = aside.withLock { $0.count(now: .now) }
        return report
    }

    package func open(
        _ identity: FileIdentity,
        for device: DeviceProfile,
        in container: SegmentContainer?,
        cancellation: Cancellation
    ) throws(PackagingError) -> any Presenting {
        var question = Question(.open, identity)
        (question.device, question.opening) = (device, container)
        do {
            return try RemotePresentation(
                question,
                perform(question, isLong: false, cancellation).answer,
                workers: self
            )
        } catch {
            throw PackagingError.wrapping(error, file: identity.path)
        }
    }

    package func look(into path: String, cancellation: Cancellation) throws -> MediaDescription {
        let question = Question(.look, try FileIdentity(ofFileAt: path))
        guard let look = try perform(question, isLong: false, cancellation).answer.look else {
            throw PackagingError(.broken, file: path, "a worker's answer lacks the requested value")
        }
        return look
    }

    package func artwork(of path: String, _ wish: ArtworkWish, cancellation: Cancellation) throws -> [UInt8] {
        var question = Question(.artwork, try FileIdentity(ofFileAt: path))
        question.artwork = wish
        return try perform(question, isLong: false, cancellation).bytes
    }

    package func radio(_ format: RadioFormat, emit: @escaping ([UInt8]) throws -> Void) throws -> any RadioPlaying {
        RemoteRadio(format, self, emit: emit)
    }

    /// Starts a worker outside of the pool; it ends with the calling thread.
    ///
    /// - Throws: ``PackagingError`` on failure.
    func startAlone() throws(PackagingError) -> Worker {
        do {
            let reach = reach.withLock { $0 }
            let arguments = configuration.arguments(reaching: reach)
            let worker = Worker(try StartedProcess(configuration.program, arguments), reach: reach)
            _ = try worker.greeting(within: WorkerStarting.startLimit)
            return worker
        } catch {
            let why = (error as? WorkerFailure)?.words ?? "\(error)"
            throw PackagingError(.unreadable, file: configuration.program, "cannot start a worker process: \(why)")
        }
    }

    func setting(_ cancellation: Cancellation) -> Worker.Setting {
        Worker.Setting(limits: configuration.limits, keeper: keeper, cancellation: cancellation)
    }

    /// Checks that a file is not quarantined.
    ///
    /// - Throws: ``PackagingError`` with `.setAside` and the reason.
    func checkSetAside(_ file: FileIdentity) throws(PackagingError) {
        guard let reason = aside.withLock({ $0.reason(file, now: .now) }) else { return }
        throw PackagingError(.setAside, file: file.path, reason)
    }

    /// Quarantines a file on which a worker failed that cannot be retried.
    ///
    /// - Returns: The error to report.
    func lost(at question: Question, _ failure: WorkerFailure) -> PackagingError {
        if failure == .cancelled { return cancelled(question.file) }
        if failure.isFromOutside { return PackagingError(.unreadable, file: question.file.path, failure.words) }
        return setAside(question.file, after: failure, question: question)
    }

    /// Returns a worker's answer to a question.
    ///
    /// - Parameters:
    ///   - isLong: True if it requires encoding.
    /// - Returns: The answer.
    /// - Throws: The worker's error; ``PackagingError`` with `.cancelled`, or with `.setAside` if workers fail on the
    ///   file.
    func perform(_ question: Question, isLong: Bool, _ cancellation: Cancellation) throws -> Worker.Reply {
        let file = question.file
        try checkSetAside(file)
        var failures: [WorkerFailure] = []
        while true {
            let worker = try lease(question, isLong: isLong, cancellation)
            var setting = setting(cancellation)
            var isHeld = false
            if !isLong {
                setting.whenHeld = { [force, news] in
                    guard !isHeld else { return }
                    isHeld = true
                    force.withLock { $0.hold() }
                    news.signal()
                }
            }
            let answered = AwaitedWork.ofThisThread.guarded {
                Result { () throws(WorkerFailure) in try worker.ask(question, setting) }
            }
            if isHeld { force.withLock { $0.release() } }
            switch answered {
            case .success(let reply):
                giveBack(worker, wasLong: isLong)
                if let failure = reply.answer.failure { throw failure.error(file: file.path) }
                return reply
            case .failure(let failure):
                force.withLock { $0.leave(wasLong: isLong, isLost: true) }
                news.signal()
                if failure == .cancelled { throw cancelled(file) }
                failures.append(failure)
                let own = failures.filter { !$0.isFromOutside }
                guard own.count < 2, failures.count <= Self.killLimit else {
                    throw setAside(file, after: failure, question: question)
                }
                force.withLock { $0.retried += 1 }
                notice("\(file.path): \(failure.words) while \(question.words); retrying once")
            }
        }
    }

    private func cancelled(_ file: FileIdentity) -> PackagingError {
        PackagingError(.cancelled, file: file.path, "cancelled")
    }

    private func setAside(_ file: FileIdentity, after failure: WorkerFailure, question: Question) -> PackagingError {
        let minutes = configuration.setAside.components.seconds / 60
        let reason =
            "\(failure.words) while \(question.words); the file is quarantined for \(minutes) minutes or until "
            + "it changes"
        aside.withLock { $0.add(file, because: reason, now: .now) }
        notice("\(file.path): \(reason)")
        return PackagingError(.setAside, file: file.path, reason)
    }

    // MARK: Who is free

    private func lease(_ question: Question, isLong: Bool, _ cancellation: Cancellation) throws -> Worker {
        let registration = cancellation.whenCancelled { [force] in force.withLock { _ in } }
        defer { cancellation.forget(registration) }
        let opened = question.opened
        force.withLock { $0.waiting += 1 }
        defer { force.withLock { $0.waiting -= 1 } }
        news.signal()
        let worker: Worker? = AwaitedWork.ofThisThread.guarded {
            force.wait { [reach, news] force -> Worker?? in
                if force.isStopped || cancellation.isCancelled { return .some(nil) }
                while let worker = force.take(isLong: isLong, { $0.opened.contains(opened) }) {
                    let isLost = worker.isLost
                    if !isLost, worker.reach == reach.withLock({ $0 }) { return worker }
                    force.leave(wasLong: isLong, isLost: isLost)
                    news.signal()
                }
                return nil
            }
        }
        guard let worker else { throw cancelled(question.file) }
        return worker
    }

    private func giveBack(_ worker: Worker, wasLong: Bool) {
        let isLookedAt = worker.answered % Self.answersBetweenLooks == 0
        let isGrown = isLookedAt && worker.process.residentBytes > configuration.limits.memory / 2
        let isOutOfReach = worker.reach != reach.withLock { $0 }
        if isGrown || isOutOfReach || worker.answered >= configuration.limits.tasks {
            force.withLock { $0.leave(wasLong: wasLong, isLost: false) }
            news.signal()
        } else {
            // If there are enough workers, it ends with its socket.
            _ = force.withLock { $0.giveBack(worker, wasLong: wasLong) }
        }
    }
}
