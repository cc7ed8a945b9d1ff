import SeguePackager

extension FileIdentity {
    /// Returns the result of reading the file, if the file is unchanged afterwards.
    ///
    /// A file that is overwritten while it is read would yield a mixture of old and new bytes under the old name.
    ///
    /// - Returns: The result of `make`.
    /// - Throws: The error of `make`; ``PackagingError`` with `.changed`, or with `.unreadable` if the file is gone.
    func whileUnchanged<Value>(_ make: () throws -> Value) throws -> Value {
        let value = try make()
        guard try isCurrent() else {
            throw PackagingError(.changed, file: path, "the file changed while it was being read")
        }
        return value
    }
}
