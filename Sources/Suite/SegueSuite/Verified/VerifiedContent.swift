internal import SegueFFmpeg
internal import SegueOrigin

/// What this program has verified before, as the workers of a suite have it.
///
/// It counts for the very bytes, program and settings alone.
package struct VerifiedContent: Sendable {
    private let open: @Sendable () -> any VerificationKeeping
    private let program: RunningProgram
    private let isBelieved: Bool

    /// What was verified before; nil where the program itself cannot be read.
    ///
    /// - Parameters:
    ///   - isBelieved: Whether what is kept counts; else everything is verified anew, and kept in its place.
    ///   - open: Opens what keeps it. It is called in each worker, and here: no connection is handed from one process
    ///     to another.
    package init?(isBelieved: Bool = true, open: @escaping @Sendable () -> any VerificationKeeping) {
        guard let program = RunningProgram(VerifiedBefore(open())) else { return nil }
        self.init(program, isBelieved: isBelieved, open: open)
    }

    /// What a program verified before that is not this one.
    init(_ program: RunningProgram, isBelieved: Bool = true, open: @escaping @Sendable () -> any VerificationKeeping) {
        (self.open, self.program, self.isBelieved) = (open, program, isBelieved)
    }

    /// What is known of a file; nil where its bytes cannot be read.
    ///
    /// - Parameters:
    ///   - device: The checksum of what the server is told of the device.
    ///   - progress: Is told while the file is read.
    func memory(of item: LibraryItem, device: String, _ progress: FileProgress) -> FileMemory? {
        memory(item.filePath, (device, item.id), [item.fileName], progress)
    }

    /// What is known of a file that titles were made of; nil where its bytes cannot be read.
    func memory(ofSource path: String, _ progress: FileProgress) -> FileMemory? {
        memory(path, ("", ""), [], progress)
    }

    private func memory(
        _ path: String,
        _ settings: (device: String, id: String),
        _ names: [String],
        _ progress: FileProgress
    ) -> FileMemory? {
        FileMemory(
            ofFileAt: path,
            settings: settings,
            names: names,
            program: program,
            before: VerifiedBefore(open(), isBelieved: isBelieved),
            progress: progress
        )
    }
}
