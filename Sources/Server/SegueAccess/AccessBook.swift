/// A key that was given out.
package struct KeyEntry: Sendable {
    /// Its number, never given twice.
    package var id: Int64
    /// What it is called by whoever gave it out.
    package var name: String
    /// What is kept of it.
    package var digest: SecretDigest
    /// The key itself, where it is to be shown again: that of the house, which is printed at each start.
    package var shown: String?
    /// The folders that it opens, as paths in the library; nil for all of it.
    package var folders: [String]?
    /// When it ends, in seconds since 1970; nil for never.
    package var until: Int64?
    /// When it was made, in seconds since 1970.
    package var made: Int64

    /// A key.
    package init(
        id: Int64,
        name: String,
        digest: SecretDigest,
        shown: String? = nil,
        folders: [String]? = nil,
        until: Int64? = nil,
        made: Int64
    ) {
        (self.id, self.name, self.digest, self.shown) = (id, name, digest, shown)
        (self.folders, self.until, self.made) = (folders, until, made)
    }
}

/// Somebody with a name and a password.
package struct Person: Sendable {
    /// Their number, never given twice.
    package var id: Int64
    /// Their name.
    package var name: String
    /// What is kept of their password.
    package var password: PasswordHash
    /// The folders that they may see, as paths in the library; nil for all of it.
    package var folders: [String]?
    /// Since when they are known, in seconds since 1970.
    package var made: Int64

    /// Somebody.
    package init(id: Int64, name: String, password: PasswordHash, folders: [String]? = nil, made: Int64) {
        (self.id, self.name, self.password, self.folders, self.made) = (id, name, password, folders, made)
    }
}

/// Somebody's being logged in at a browser.
package struct Session: Sendable {
    /// What is kept of its token.
    package var digest: SecretDigest
    /// The number of the one who is logged in.
    package var person: Int64
    /// When it began, and when it was last used as far as is written down, in seconds since 1970.
    package var begun: Int64
    package var used: Int64

    /// A session.
    package init(digest: SecretDigest, person: Int64, begun: Int64, used: Int64) {
        (self.digest, self.person, self.begun, self.used) = (digest, person, begun, used)
    }

    /// How long one lasts that is not used, and at most, in seconds: two weeks and three months.
    package static let idleLimit: Int64 = 14 * 86_400
    package static let limit: Int64 = 90 * 86_400

    /// How many somebody may have; the oldest go.
    package static let most = 50

    /// How old `used` may become before it is written down anew, in seconds.
    package static let noteInterval: Int64 = 3600

    /// Whether it still holds.
    package func holds(at now: Int64) -> Bool { now - used < Self.idleLimit && now - begun < Self.limit }
}

/// All that is known of who may come in, at one moment.
package struct AccessBook: Sendable {
    /// The keys, in the order in which they were made.
    package let keys: [KeyEntry]
    /// The people, by name.
    package let people: [Person]

    private let keysByPlace: [UInt64: [KeyEntry]]
    private let sessionsByPlace: [UInt64: [Session]]
    private let peopleByName: [String: Person]
    private let peopleByNumber: [Int64: Person]

    /// What was read.
    package init(keys: [KeyEntry] = [], people: [Person] = [], sessions: [Session] = []) {
        (self.keys, self.people) = (keys, people)
        keysByPlace = Dictionary(grouping: keys, by: \.digest.place)
        sessionsByPlace = Dictionary(grouping: sessions, by: \.digest.place)
        peopleByName = Dictionary(people.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        peopleByNumber = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What a key opens at a time; nil for one that is unknown, revoked or over, which cannot be told apart.
    package func key(_ key: AccessKey, at now: Int64) -> KeyEntry? {
        let digest = key.digest
        let known = (keysByPlace[digest.place] ?? []).first { $0.digest.matches(digest) }
        guard let known, known.until.map({ now < $0 }) ?? true else { return nil }
        return known
    }

    /// Whose session a token is at a time; nil for none that holds.
    package func session(_ token: AccessKey, at now: Int64) -> (session: Session, person: Person)? {
        let digest = token.digest
        let known = (sessionsByPlace[digest.place] ?? []).first { $0.digest.matches(digest) }
        guard let known, known.holds(at: now), let person = peopleByNumber[known.person] else { return nil }
        return (known, person)
    }

    /// The person of a name.
    package func person(_ name: String) -> Person? { peopleByName[name] }
}
