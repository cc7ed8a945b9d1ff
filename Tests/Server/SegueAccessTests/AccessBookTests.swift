import Testing

@testable import SegueAccess

@Suite struct `Access book` {
    private let key = AccessKey.make()

    private func book(until: Int64?) -> AccessBook {
        var entry = KeyEntry(id: 1, name: "a", digest: key.digest, made: 0)
        entry.until = until
        return AccessBook(keys: [entry])
    }

    @Test(arguments: [(nil, 99, true), (100, 99, true), (100, 100, false), (100, 101, false), (0, 0, false)])
    func `a key is valid until its expiry`(until: Int64?, now: Int64, isOpen: Bool) {
        #expect((book(until: until).key(key, at: now) != nil) == isOpen)
    }

    @Test func `an unknown key is rejected`() {
        #expect(book(until: nil).key(.make(), at: 0) == nil && AccessBook().key(key, at: 0) == nil)
    }

    @Test func `colliding lookup keys are distinguished`() throws {
        var near = key.digest.bytes
        near[31] ^= 1
        let other = KeyEntry(id: 2, name: "b", digest: try #require(SecretDigest(bytes: near)), made: 0)
        let own = KeyEntry(id: 1, name: "a", digest: key.digest, made: 0)
        #expect(other.digest.place == own.digest.place)
        #expect(AccessBook(keys: [other, own]).key(key, at: 0)?.id == 1)
        #expect(AccessBook(keys: [other]).key(key, at: 0) == nil)
    }

    @Test(
        arguments: [
            (0, 0, true), (Session.idleLimit - 1, 0, true), (Session.idleLimit, 0, false),
            (Session.limit - 1, Session.limit - 2, true), (Session.limit, Session.limit - 1, false),
            // The clock was ahead when the session began or was used.
            (-86_400, -86_400, true), (-86_401, -86_401, false), (10, 10 + 86_401, false),
        ] as [(Int64, Int64, Bool)]
    )
    func `a session lasts while it is used, up to its maximum`(now: Int64, used: Int64, holds: Bool) {
        let person = Person(id: 7, name: "ben", password: .make(of: "x", cost: .least), made: 0)
        let session = Session(digest: key.digest, person: 7, begun: 0, used: used)
        #expect((AccessBook(people: [person], sessions: [session]).session(key, at: now) != nil) == holds)
        #expect(AccessBook(people: [], sessions: [session]).session(key, at: now) == nil)
    }
}
