/// An issued key.
package struct KeyEntry: Sendable {
    /// The id, which is never reused.
    package var id: Int64
    /// The name that its issuer chose.
    package var name: String
    package var digest: SecretDigest
    /// The key itself if it can be shown again, as the default key is at each start.
    package var shown: String?
    /// The folders that it opens, as paths in the library; nil for all.
    package var folders: [String]?
    /// The expiry in seconds since 1970; nil for none.
    package var until: Int64?
    /// The creation time in seconds since 1970.
    package var made: Int64

    package init(id: Int64, name: String, digest: SecretDigest, made: Int64) {
        (self.id, self.name, self.digest, self.made) = (id, name, digest, made)
    }
}

/// A person with a name and a password.
package struct Person: Sendable {
    /// The id, which is never reused.
    package var id: Int64
    package var name: String
    package var password: PasswordHash
    /// The folders that they may see, as paths in the library; nil for all.
    package var folders: [String]?
    /// The creation time in seconds since 1970.
    package var made: Int64

    package init(id: Int64, name: String, password: PasswordHash, folders: [String]? = nil, made: Int64) {
        (self.id, self.name, self.password, self.folders, self.made) = (id, name, password, folders, made)
    }
}

/// A person's login in a browser.
package struct Session: Sendable {
    /// The digest of its token.
    package var digest: SecretDigest
    /// The id of the person.
    package var person: Int64
    /// The start and the last recorded use, in seconds since 1970.
    package var begun: Int64
    package var used: Int64

    package init(digest: SecretDigest, person: Int64, begun: Int64, used: Int64) {
        (self.digest, self.person, self.begun, self.used) = (digest, person, begun, used)
    }

    /// The maximum time without use and the maximum duration, in seconds: two weeks and three months.
    package static let idleLimit: Int64 = 14 * 86_400
    package static let limit: Int64 = 90 * 86_400

    /// The maximum number of sessions of a person; the oldest end.
    package static let most = 50

    /// The age in seconds at which `used` is stored again.
    package static let noteInterval: Int64 = 3600

    /// The maximum lead of the clock that began a session, in seconds; one that is further ahead would last too long.
    private static let lead: Int64 = 86_400

    package func holds(at now: Int64) -> Bool {
        (-Self.lead..<Self.idleLimit).contains(now - used) && (-Self.lead..<Self.limit).contains(now - begun)
    }
}

/// A snapshot of the keys, people, and sessions.
package struct AccessBook: Sendable {
    /// The keys in the order of their creation.
    package let keys: [KeyEntry]
    /// The people by name.
    package let people: [Person]

    private let keysByPlace: [UInt64: [KeyEntry]]
    private let sessionsByPlace: [UInt64: [Session]]
    private let peopleByName: [String: Person]
    private let peopleByNumber: [Int64: Person]

    package init(keys: [KeyEntry] = [], people: [Person] = [], sessions: [Session] = []) {
        (self.keys, self.people) = (keys, people)
        keysByPlace = Dictionary(grouping: keys, by: \.digest.place)
        sessionsByPlace = Dictionary(grouping: sessions, by: \.digest.place)
        peopleByName = Dictionary(people.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        peopleByNumber = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The entry of a valid key; nil for one that is unknown, revoked, or expired, without a distinction.
    package func key(_ key: AccessKey, at now: Int64) -> KeyEntry? {
        let digest = key.digest
        let known = (keysByPlace[digest.place] ?? []).first { $0.digest.matches(digest) }
        guard let known, known.until.map({ now < $0 }) ?? true else { return nil }
        return known
    }

    /// The valid session of a token and its person.
    package func session(_ token: AccessKey, at now: Int64) -> (session: Session, person: Person)? {
        let digest = token.digest
        let known = (sessionsByPlace[digest.place] ?? []).first { $0.digest.matches(digest) }
        guard let known, known.holds(at: now), let person = peopleByNumber[known.person] else { return nil }
        return (known, person)
    }

    package func person(_ name: String) -> Person? { peopleByName[name] }
}
