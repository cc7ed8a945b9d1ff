/// What a worker may use.
package struct WorkerLimits: Sendable {
    /// The greatest memory, in bytes.
    package var memory: Int64
    /// How long a task may stand still: read no packet, and not look whether it is still wanted.
    package var patience: Duration
    /// How long a task may take at all.
    package var time: Duration
    /// After how many tasks a worker makes way for a new one.
    package var tasks: Int

    /// Limits; the given ones suit a home.
    package init(
        memory: Int64 = 2 << 30,
        patience: Duration = .seconds(30),
        time: Duration = .seconds(600),
        tasks: Int = 2000
    ) {
        (self.memory, self.patience, self.time, self.tasks) = (memory, patience, time, tasks)
    }
}

/// Why there is no answer from a worker.
enum WorkerFailure: Error, Equatable {
    /// It ended with a signal.
    case signal(Int32)
    /// It was ended by somebody else.
    case killed(Int32)
    /// It ended by itself.
    case exit(Int32)
    /// It took more memory than it may.
    case memory(Int64)
    /// It did not get on.
    case stoodStill(Duration)
    /// It did not come to an end.
    case tookTooLong(Duration)
    /// It answered what nobody asked.
    case nonsense(String)
    /// Nobody waits any more; it had to be ended.
    case cancelled

    /// What happened, with libav as who did it.
    var words: String {
        switch self {
        case .signal(let number): "libav crashed with \(Self.name(number))"
        case .killed(let number): "libav's process was ended with \(Self.name(number))"
        case .exit(let code): "libav's process ended with code \(code)"
        case .memory(let limit): "libav took more than \(limit >> 20) MiB of memory"
        case .stoodStill(let time): "libav stood still for \(time.components.seconds) s"
        case .tookTooLong(let time): "libav took more than \(time.components.seconds) s"
        case .nonsense(let what): "libav's process answered what it was not asked (\(what))"
        case .cancelled: "the request was given up"
        }
    }

    /// Whether it says nothing of the file.
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
