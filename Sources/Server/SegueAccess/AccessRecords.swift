/// A database of keys, people, and sessions, which several processes may share.
///
/// All calls may block.
package protocol AccessRecords: Sendable {
    /// The content, or nil if it is unchanged since a state.
    func book(since state: AccessState?) throws -> (book: AccessBook, state: AccessState)?

    /// Adds a key.
    ///
    /// - Parameters:
    ///   - grant: The access that it gives.
    ///   - now: The time in seconds since 1970.
    /// - Throws: ``AccessFailure`` if the name is in use.
    func add(_ key: AccessKey, name: String, grant: KeyGrant, now: Int64) throws

    /// Revokes a key; false if there is none of this name.
    func removeKey(_ name: String) throws -> Bool

    /// Adds a person.
    ///
    /// - Throws: ``AccessFailure`` if the name is in use.
    func addPerson(_ name: String, password: PasswordHash, folders: [String]?, now: Int64) throws

    /// Replaces a person's password and ends their sessions; false if there is none of this name.
    func setPassword(_ password: PasswordHash, of name: String) throws -> Bool

    /// Removes a person and their sessions; false if there is none of this name.
    func removePerson(_ name: String) throws -> Bool

    /// Adds a session, and removes expired ones and the oldest above the person's limit.
    func begin(_ session: Session) throws

    /// Stores the last use of a session.
    func note(_ session: Session, usedAt now: Int64) throws

    func end(_ session: SecretDigest) throws
}

/// The access that a new key gives.
package struct KeyGrant: Sendable {
    /// True to store the key itself, so that it can be shown again.
    package var isShown: Bool
    /// The folders that it opens; nil for all.
    package var folders: [String]?
    /// The expiry in seconds since 1970; nil for none.
    package var until: Int64?

    package init(isShown: Bool = false, folders: [String]? = nil, until: Int64? = nil) {
        (self.isShown, self.folders, self.until) = (isShown, folders, until)
    }
}

extension AccessRecords {
    package func book() throws -> AccessBook { try book(since: nil)?.book ?? AccessBook() }
}

/// The state of a database, which differs after each change; comparable only to states of the same connection.
package struct AccessState: Sendable, Equatable {
    private var own: Int
    /// The state of other connections' changes.
    private var others: Int64
    /// The number of the file, which others may replace.
    private var file: Int

    package init(own: Int, others: Int64, file: Int = 0) { (self.own, self.others, self.file) = (own, others, file) }
}

/// A failed access to the database or its files.
package struct AccessFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The affected file, key, or person.
    package var subject: String
    /// The problem and its remedy.
    package var reason: String

    package init(_ subject: String, _ reason: String) { (self.subject, self.reason) = (subject, reason) }

    /// One line for people.
    package var description: String { "\(subject): \(reason)" }
}
