/// Typed access to the cached facts of one file.
struct KeptFindings: Sendable {
    private let keeper: (any IndexKeeping)?
    private let file: FileIdentity?

    /// Opens the cache for a file; nil disables caching.
    init(of file: FileIdentity, by keeper: (any IndexKeeping)?) {
        self.file = file
        self.keeper = keeper
    }

    init() {
        file = nil
        keeper = nil
    }

    /// Returns the cached value, or computes and caches it.
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

    /// The cached bytes of a part.
    private func kept(_ part: String) -> [UInt8]? {
        guard let keeper, let file else { return nil }
        return keeper.kept(part, of: file)
    }

    /// Stores bytes unless the file has changed.
    private func keep(_ bytes: [UInt8], as part: String) {
        guard let keeper, let file, (try? FileIdentity(ofFileAt: file.path)) == file else { return }
        keeper.keep(bytes, as: part, of: file)
    }
}
