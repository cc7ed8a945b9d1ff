/// Keeps what was found out about files by reading them, so that it need not be found out again.
///
/// What is kept changes nothing but the time that opening takes: the same bytes come of a file with it and without.
package protocol IndexKeeping: Sendable {
    /// What was kept.
    ///
    /// - Parameters:
    ///   - part: What it is.
    ///   - file: The file, as it is now.
    /// - Returns: The bytes; nil where nothing was kept of this file as it is.
    func kept(_ part: String, of file: FileIdentity) -> [UInt8]?

    /// Keeps something, in place of what was kept of the file under that name.
    ///
    /// - Parameters:
    ///   - bytes: What to keep.
    ///   - part: What it is.
    ///   - file: The file, as it was when it was read.
    func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity)
}
