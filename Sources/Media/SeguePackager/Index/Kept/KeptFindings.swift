/// What is kept of one file, as values.
struct KeptFindings: Sendable {
    private let keeper: (any IndexKeeping)?
    private let file: FileIdentity?

    /// What a keeper has of a file.
    ///
    /// - Parameters:
    ///   - file: The file as it is.
    ///   - keeper: Keeps bytes; nil where nothing is kept.
    init(of file: FileIdentity, by keeper: (any IndexKeeping)?) {
        self.file = file
        self.keeper = keeper
    }

    /// Nothing is kept.
    init() {
        file = nil
        keeper = nil
    }

    /// What was found before, or is found now and kept.
    ///
    /// - Parameters:
    ///   - part: What it is.
    ///   - read: Makes the value of bytes; nil where they are not those of such a value.
    ///   - write: Makes bytes of the value.
    ///   - find: Finds the value.
    /// - Returns: The value.
    func value<Value>(
        _ part: String,
        read: ([UInt8]) -> Value?,
        write: (Value) -> [UInt8],
        find: () throws -> Value
    ) rethrows -> Value {
        if let found = kept(part).flatMap(read) { return found }
        let value = try find()
        if keeper != nil { keep(write(value), as: part) }
        return value
    }

    /// The bytes that were kept of a part.
    private func kept(_ part: String) -> [UInt8]? {
        guard let keeper, let file else { return nil }
        return keeper.kept(part, of: file)
    }

    /// Keeps bytes, unless the file is another one by now.
    private func keep(_ bytes: [UInt8], as part: String) {
        guard let keeper, let file, (try? FileIdentity(ofFileAt: file.path)) == file else { return }
        keeper.keep(bytes, as: part, of: file)
    }
}
