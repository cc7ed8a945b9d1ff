/// A cache of facts about files.
///
/// Cached data changes only the time to open a file, not its output. An exception are the addresses of files that grow: their
/// first tag is cached.
package protocol IndexKeeping: Sendable {
    /// Returns cached data of a file; nil if there is none for its current state.
    func kept(_ part: String, of file: FileIdentity) -> [UInt8]?

    /// Stores data of a file, replacing earlier data under the same name.
    func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity)
}
