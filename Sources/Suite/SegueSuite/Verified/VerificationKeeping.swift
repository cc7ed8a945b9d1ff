/// Keeps what was found out by verifying content, past the end of this process.
///
/// It may forget anything, which then is found out again.
package protocol VerificationKeeping {
    /// What is kept under a key; nil where nothing is.
    func kept(_ key: String) -> [UInt8]?

    /// Keeps something, in place of what is kept under the key.
    func keep(_ bytes: [UInt8], as key: String)
}
