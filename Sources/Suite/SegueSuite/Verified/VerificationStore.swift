/// A persistent store for facts from content verification.
///
/// It may lose any entry, which is then computed again.
package protocol VerificationStore {
    /// The value of a key; nil without one.
    func kept(_ key: String) -> [UInt8]?

    /// Stores a value, replacing an existing one.
    func keep(_ bytes: [UInt8], as key: String)
}
