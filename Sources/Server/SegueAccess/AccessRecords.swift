/// Where keys, people and sessions are kept, by whatever database; several processes share it.
///
/// All calls may block.
package protocol AccessRecords: Sendable {
    /// All that is kept; nil where nothing has changed since it was in a state.
    func book(since state: AccessState?) throws -> (book: AccessBook, state: AccessState)?

    /// Keeps a new key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - name: What it is called; no other has this name.
    ///   - isShown: Whether it is kept so that it can be shown again.
    ///   - folders: The folders that it opens; nil for all.
    ///   - until: When it ends, in seconds since 1970; nil for never.
    ///   - now: The time, in seconds since 1970.
    /// - Throws: ``AccessFailure`` where the name is taken.
    func add(_ key: AccessKey, name: String, isShown: Bool, folders: [String]?, until: Int64?, now: Int64) throws

    /// Forgets a key; false where there is none of this name.
    func removeKey(_ name: String) throws -> Bool

    /// Keeps somebody new.
    ///
    /// - Throws: ``AccessFailure`` where the name is taken.
    func addPerson(_ name: String, password: PasswordHash, folders: [String]?, now: Int64) throws

    /// Gives somebody another password, and ends their sessions; false where there is nobody of this name.
    func setPassword(_ password: PasswordHash, of name: String) throws -> Bool

    /// Forgets somebody and their sessions; false where there is nobody of this name.
    func removePerson(_ name: String) throws -> Bool

    /// Keeps a new session; those that hold no longer are forgotten, and so are the oldest of somebody's where they have
    /// very many.
    func begin(_ session: Session) throws

    /// Writes down that a session is used.
    func note(_ session: Session, usedAt now: Int64) throws

    /// Forgets a session.
    func end(_ session: SecretDigest) throws
}

extension AccessRecords {
    /// All that is kept.
    package func book() throws -> AccessBook { try book(since: nil)?.book ?? AccessBook() }
}

/// The state of what is kept, which is another after each change; of use to those alone who gave it.
package struct AccessState: Sendable, Equatable {
    /// The changes of this process.
    private var own: Int
    /// What stands for those of others.
    private var others: Int64

    /// A state.
    package init(own: Int, others: Int64) { (self.own, self.others) = (own, others) }
}

/// Why something cannot be kept, in one line for a person.
package struct AccessFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What it is about.
    package var subject: String
    /// What is wrong with it, and what to do.
    package var reason: String

    /// A failure.
    package init(_ subject: String, _ reason: String) { (self.subject, self.reason) = (subject, reason) }

    /// One line for a person.
    package var description: String { "\(subject): \(reason)" }
}
