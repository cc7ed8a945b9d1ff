import Foundation
import SegueAccess
import SegueOrigin
import Testing

@testable import SegueStores

@Suite(
    .serialized,
    .enabled(if: PostgresServer.programs != nil, "there is no PostgreSQL in /usr/lib/postgresql")
)
struct `Shared stores` {
    private let address: String

    init() throws { address = try PostgresServer.shared.get().database() }

    private func access() throws -> SharedAccess { SharedAccess(try SharedDatabase(address)) }
    private func points() throws -> SharedPoints { SharedPoints(try SharedDatabase(address)) }

    @Test func `one server reads the content that another one wrote`() throws {
        let (one, other) = (try access(), try access())
        let (house, key) = (AccessKey.make(), AccessKey.make())
        try one.add(house, name: "house", grant: KeyGrant(isShown: true), now: 5)
        try one.add(key, name: "it's \"ännä\\", grant: KeyGrant(folders: ["films", "a/b"], until: 90), now: 6)
        try one.addPerson("ben", password: .make(of: "secret", cost: .least), folders: ["songs"], now: 7)
        let book = try other.book()
        #expect(book.keys.map(\.name) == ["house", "it's \"ännä\\"] && book.keys.map(\.shown) == [house.text, nil])
        let found = try #require(book.key(key, at: 89))
        #expect(found.folders == ["films", "a/b"] && found.until == 90 && found.made == 6)
        #expect(book.key(key, at: 90) == nil)
        let person = try #require(book.person("ben"))
        #expect(person.password.matches("secret") && person.folders == ["songs"])
    }

    @Test func `a change by either server is seen by both, and nothing is read without a change`() throws {
        let (one, other) = (try access(), try access())
        let empty = try #require(try one.book(since: nil))
        #expect(try one.book(since: empty.state) == nil)
        let key = AccessKey.make()
        try other.add(key, name: "new", grant: KeyGrant(), now: 1)
        let full = try #require(try one.book(since: empty.state))
        #expect(full.book.key(key, at: 2) != nil)
        #expect(try one.book(since: full.state) == nil && other.book(since: full.state) == nil)
        #expect(try other.removeKey("new"))
        #expect(try other.book(since: full.state)?.book.keys.isEmpty == true)
        #expect(try one.book(since: full.state)?.book.keys.isEmpty == true)
    }

    @Test func `names are unique across servers, and removing a missing one reports that`() throws {
        let (one, other) = (try access(), try access())
        try one.add(.make(), name: "anna", grant: KeyGrant(), now: 1)
        #expect(throws: AccessFailure("key 'anna'", "the name is already in use")) {
            try other.add(.make(), name: "anna", grant: KeyGrant(), now: 1)
        }
        let first = try #require(try one.book().keys.first?.id)
        #expect(try !other.removeKey("nobody") && other.removeKey("anna"))
        try one.add(.make(), name: "anna", grant: KeyGrant(), now: 1)
        #expect(try #require(try one.book().keys.first?.id) > first)
        try one.addPerson("ben", password: .make(of: "x", cost: .least), folders: nil, now: 1)
        #expect(throws: AccessFailure("person 'ben'", "the name is already in use")) {
            try other.addPerson("ben", password: .make(of: "x", cost: .least), folders: nil, now: 1)
        }
        #expect(try !other.removePerson("nobody") && !other.setPassword(.make(of: "x", cost: .least), of: "nobody"))
    }

    @Test(arguments: ["password", "removal", "end"])
    func `a session that ends on one server ends on all`(how: String) throws {
        let (one, other) = (try access(), try access())
        try one.addPerson("ben", password: .make(of: "x", cost: .least), folders: nil, now: 1)
        let person = try #require(try one.book().person("ben"))
        let token = AccessKey.make()
        let session = Session(digest: token.digest, person: person.id, begun: 10, used: 10)
        try one.begin(session)
        #expect(try other.book().session(token, at: 11)?.person.name == "ben")
        try other.note(session, usedAt: 5000)
        #expect(try one.book().session(token, at: Session.idleLimit + 11)?.session.used == 5000)
        switch how {
        case "password": #expect(try other.setPassword(.make(of: "y", cost: .least), of: "ben"))
        case "removal": #expect(try other.removePerson("ben"))
        default: try other.end(session.digest)
        }
        #expect(try one.book().session(token, at: 11) == nil)
    }

    @Test func `sessions of a person are limited, and expired ones are removed`() throws {
        try expectBoundedSessions(in: try access())
    }

    @Test func `the newest resume position counts, whichever server received it`() throws {
        let (one, other) = (try points(), try points())
        func point(_ id: String, _ position: Double, at: Int64) -> ResumePoint {
            ResumePoint(
                id: id,
                position: position,
                duration: 100.25,
                isFinished: position > 90,
                at: at,
                changed: at + 1
            )
        }
        _ = try one.keep(point("a", 1.125, at: 10), of: "anna")
        _ = try other.keep(point("b", 95, at: 20), of: "anna")
        _ = try other.keep(point("a", 7, at: 30), of: "")
        #expect(try one.points(of: "anna") == [point("b", 95, at: 20), point("a", 1.125, at: 10)])
        #expect(try other.keep(point("a", 2, at: 9), of: "anna") == point("a", 1.125, at: 10))
        #expect(try other.keep(point("a", 3, at: 10), of: "anna") == point("a", 3, at: 10))
        try one.forget("b", of: "anna")
        #expect(try other.points(of: "anna") == [point("a", 3, at: 10)])
        #expect(try one.points(of: "") == [point("a", 7, at: 30)])
    }

    @Test func `the resume positions of a person are limited`() throws {
        let database = try SharedDatabase(address)
        let store = SharedPoints(database)
        _ = try database.database.transaction {
            try $0.run(
                "INSERT INTO segue_points SELECT 'anna', 'i' || n, 1, 2, false, n, n FROM generate_series(1, $1::int) n",
                PostgresValue(ResumePoint.most)
            ).changed
        }
        let new = ResumePoint(id: "new", position: 1, duration: 2, isFinished: false, at: 1_000_000, changed: 1)
        _ = try store.keep(new, of: "anna")
        let kept = try store.points(of: "anna")
        #expect(kept.count == ResumePoint.most && kept.first == new && !kept.contains { $0.id == "i1" })
    }

    @Test func `ids of files are shared, also in a database of an earlier segue`() throws {
        let (one, other) = (SharedItems(try SharedDatabase(address)), SharedItems(try SharedDatabase(address)))
        let samples = `The store of items`.samples
        try one.store(.init(records: samples))
        #expect(try other.records().count == 2 && samples.allSatisfy(try other.records().contains))
        try other.store(.init(removed: [samples[0].place]))
        #expect(try one.records() == [samples[1]])
        try PostgresDatabase(address).transaction { try $0.execute("DROP TABLE segue_items") }
        #expect(try SharedItems(SharedDatabase(address)).records().isEmpty)
    }

    @Test func `the connection is reopened after a restart of the database`() throws {
        let (store, points) = (try access(), try points())
        try store.add(.make(), name: "house", grant: KeyGrant(), now: 1)
        let server = try PostgresServer.shared.get()
        try server.stop()
        let failure = #expect(throws: AccessFailure.self) { _ = try store.book() }
        #expect(failure?.reason.contains("\n") == false)
        #expect(throws: PostgresError.self) { _ = try points.points(of: "anna") }
        try server.start()
        #expect(try store.book().keys.map(\.name) == ["house"])
        #expect(try points.points(of: "anna") == [])
    }

    @Test func `concurrent starts create the tables and the default key once`() async throws {
        let names = try await withThrowingTaskGroup(of: Bool.self) { [address] group in
            for _ in 0..<8 {
                group.addTask {
                    let store = SharedAccess(try SharedDatabase(address))
                    do {
                        try store.add(.make(), name: "house", grant: KeyGrant(isShown: true), now: 1)
                        return true
                    } catch let error as AccessFailure where error.reason.hasPrefix("the name is already") {
                        return false
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names.count { $0 } == 1)
        #expect(try access().book().keys.count == 1)
    }

    @Test func `a database of another version stays unchanged, and an unreachable address is an error`() throws {
        let database = try PostgresDatabase(address)
        try database.transaction { try $0.execute("CREATE TABLE segue_state (version BIGINT, changes BIGINT)") }
        let other = #expect(throws: SharedDatabaseError.self) { try SharedDatabase(address) }
        #expect(other?.description.contains("version ?") == true)
        let nowhere = "postgresql://anna:geheim@127.0.0.1:1/segue"
        let failure = #expect(throws: PostgresError.self) { try SharedDatabase(nowhere) }
        #expect(
            failure?.description.contains("127.0.0.1:1") == true && failure?.description.contains("geheim") == false
        )
    }
}
