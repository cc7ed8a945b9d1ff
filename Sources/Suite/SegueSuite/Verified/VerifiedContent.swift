internal import SegueFFmpeg
internal import SegueOrigin

/// Earlier verifications by this program, as the workers of a suite use them.
///
/// They apply only to the same bytes, program, and settings.
package struct VerifiedContent: Sendable {
    private let open: @Sendable () -> any VerificationStore
    private let program: RunningProgram
    private let isBelieved: Bool

    /// `isBelieved` decides whether stored facts are used; otherwise all are computed again and replaced.
    ///
    /// `open` opens the store. It is called here and in each worker, since a connection must not cross a fork. Returns
    /// nil if the program cannot be read.
    package init?(isBelieved: Bool = true, open: @escaping @Sendable () -> any VerificationStore) {
        guard let program = RunningProgram(VerificationCache(open())) else { return nil }
        self.init(program, isBelieved: isBelieved, open: open)
    }

    /// Earlier verifications by another program.
    init(_ program: RunningProgram, isBelieved: Bool = true, open: @escaping @Sendable () -> any VerificationStore) {
        (self.open, self.program, self.isBelieved) = (open, program, isBelieved)
    }

    /// The facts about a file; nil if it cannot be read.
    ///
    /// `device` is the checksum of the device named to the server. `progress` records the reading of the file.
    func memory(of item: LibraryItem, device: String, _ progress: FileProgress) -> FileMemory? {
        memory(ofFileAt: item.filePath, settings: (device, item.id), names: [item.fileName], progress)
    }

    /// The facts about a source file of titles; nil if it cannot be read.
    func memory(ofSource path: String, _ progress: FileProgress) -> FileMemory? {
        memory(ofFileAt: path, settings: ("", ""), names: [], progress)
    }

    private func memory(
        ofFileAt path: String,
        settings: (device: String, id: String),
        names: [String],
        _ progress: FileProgress
    ) -> FileMemory? {
        FileMemory(
            ofFileAt: path,
            settings: settings,
            names: names,
            program: program,
            before: VerificationCache(open(), isBelieved: isBelieved),
            progress: progress
        )
    }
}
