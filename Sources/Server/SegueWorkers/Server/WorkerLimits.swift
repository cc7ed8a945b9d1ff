package struct WorkerLimits: Sendable {
    /// The maximum memory in bytes.
    package var memory: Int64
    /// The time after which a task without progress is given up: no packet is read, and the cancellation is not
    /// checked.
    package var patience: Duration
    /// The time limit of a task.
    package var time: Duration
    /// The number of tasks after which a worker is replaced.
    package var tasks: Int

    /// Creates limits; the defaults suit a home server.
    package init(
        memory: Int64 = 2 << 30,
        patience: Duration = .seconds(30),
        time: Duration = .seconds(600),
        tasks: Int = 2000
    ) {
        (self.memory, self.patience, self.time, self.tasks) = (memory, patience, time, tasks)
    }
}

enum WorkerFailure: Error, Equatable {
    /// It crashed with a signal.
    case signal(Int32)
    /// Another program killed it.
    case killed(Int32)
    case exit(Int32)
    /// It exceeded its memory limit.
    case memory(Int64)
    /// It made no progress.
    case stoodStill(Duration)
    /// It exceeded its time limit.
    case tookTooLong(Duration)
    /// It sent a malformed or unexpected answer.
    case nonsense(String)
    /// The request was cancelled, and the worker had to be killed.
    case cancelled

    /// The failure as a phrase about libav.
    var words: String {
        switch self {
        case .signal(let number): "libav crashed with \(Self.name(number))"
        case .killed(let number): "libav's process was killed with \(Self.name(number))"
        case .exit(let code): "libav's process exited with code \(code)"
        case .memory(let limit): "libav exceeded its memory limit of \(limit >> 20) MiB"
        case .stoodStill(let time): "libav made no progress for \(time.components.seconds) s"
        case .tookTooLong(let time): "libav exceeded its time limit of \(time.components.seconds) s"
        case .nonsense(let what): "libav's process sent an invalid answer (\(what))"
        case .cancelled: "the request was cancelled"
        }
    }

    /// True if the file is not the cause.
    var isFromOutside: Bool {
        if case .killed = self { true } else { false }
    }

    private static func name(_ number: Int32) -> String {
        let names: [Int32: String] = [
            4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV",
            15: "SIGTERM", 24: "SIGXCPU", 31: "SIGSYS",
        ]
        return names[number] ?? "signal \(number)"
    }
}
