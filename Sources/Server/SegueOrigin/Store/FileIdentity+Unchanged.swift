import SeguePackager

extension FileIdentity {
    /// What was made of the file, if the file is still the same afterwards.
    ///
    /// One that is overwritten while it is read would give a mixture of old and new, kept under the old name.
    ///
    /// - Parameter make: Reads the file.
    /// - Returns: What `make` returned.
    /// - Throws: What `make` throws; ``PackagingError`` with `.changed`, or `.unreadable` when the file is gone.
    func whileUnchanged<Value>(_ make: () throws -> Value) throws -> Value {
        let value = try make()
        guard try FileIdentity(ofFileAt: path) == self else {
            throw PackagingError(.changed, file: path, "the file changed while it was read")
        }
        return value
    }
}
