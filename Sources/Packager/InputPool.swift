internal import Media
internal import Synchronization

/// A few opened inputs of one file, lent out one thread at a time.
final class InputPool: Sendable {
    /// The file.
    let path: String
    /// What was found out about it before.
    let findings: KeptFindings
    /// Decoders that stand somewhere in it.
    let decodings = ParkedDecodings()
    private let idle = Mutex<[MediaInput]>([])
    private let capacity: Int

    /// A pool that keeps at most `capacity` idle inputs.
    init(path: String, findings: KeptFindings = KeptFindings(), capacity: Int = 3) {
        self.path = path
        self.findings = findings
        self.capacity = capacity
    }

    /// An input that was used before, if one is idle.
    func takeUsed(_ cancellation: Cancellation) -> MediaInput? {
        guard let input = idle.withLock({ $0.popLast() }) else { return nil }
        input.use(cancellation)
        return input
    }

    /// An input that nothing was read from yet.
    ///
    /// - Throws: ``MediaError`` when the file cannot be opened.
    func openFresh(_ cancellation: Cancellation) throws(MediaError) -> MediaInput {
        try MediaInput(path: path, cancellation: cancellation)
    }

    /// Takes an input back.
    func giveBack(_ input: MediaInput) {
        input.use(Cancellation())
        idle.withLock { if $0.count < capacity { $0.append(input) } }
    }
}
