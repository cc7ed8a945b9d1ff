import Foundation
import SegueAccess
import SegueTestSupport
import Testing

@testable import SegueStores

@Suite struct `Access store` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func store(_ name: String = "data") throws -> AccessStore { try AccessStore(folder: folder.file(name)) }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `only its owner may read it, even if it was readable by others before`() throws {
        _ = try store()
        let path = folder.file("data/access.sqlite")
        #expect(try mode(path) == 0o600 && mode(folder.file("data")) == 0o700)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = try store()
        #expect(try mode(path) == 0o600)
    }

    @Test func `the content survives a reopening`() throws {
        let (house, key) = (AccessKey.make(), AccessKey.make())
        do {
            let store = try store()
            try store.add(house, name: "house", grant: KeyGrant(isShown: true), now: 5)
            try store.add(key, name: "anna", grant: KeyGrant(folders: ["films", "a/b"], until: 90), now: 6)
            try store.addPerson("ben", password: .make(of: "secret", cost: .least), folders: ["songs"], now: 7)
        }
        let book = try store().book()
        #expect(book.keys.map(\.name) == ["house", "anna"] && book.keys.map(\.shown) == [house.text, nil])
        let found = try #require(book.key(key, at: 89))
        #expect(found.folders == ["films", "a/b"] && found.until == 90 && found.made == 6)
        #expect(book.key(key, at: 90) == nil)
        let person = try #require(book.person("ben"))
        #expect(person.password.matches("secret") && person.folders == ["songs"])
        // The key itself is stored only if it is to be shown again.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("data/access.sqlite")))
        #expect(bytes.range(of: Data(house.text.utf8)) != nil && bytes.range(of: Data(key.text.utf8)) == nil)
        #expect(bytes.range(of: Data("secret".utf8)) == nil)
    }

    @Test func `a file that replaces it is read, and changes to it are seen`() throws {
        let (house, backup) = (AccessKey.make(), AccessKey.make())
        let (server, path) = (try store(), folder.file("data/access.sqlite"))
        try server.add(house, name: "house", grant: KeyGrant(), now: 1)
        let first = try #require(try server.book(since: nil))
        try store("backup").add(backup, name: "house", grant: KeyGrant(), now: 1)
        let copy = folder.file("data/copy")
        try FileManager.default.copyItem(atPath: folder.file("backup/access.sqlite"), toPath: copy)
        #expect(rename(copy, path) == 0)
        let second = try #require(try server.book(since: first.state))
        #expect(second.book.key(house, at: 2) == nil && second.book.key(backup, at: 2) != nil)
        #expect(try server.book(since: second.state) == nil)
        // Another process revokes it.
        #expect(try store().removeKey("house"))
        #expect(try server.book(since: second.state)?.book.keys.isEmpty == true)
        // The server's own changes go to the new file, too.
        try server.add(house, name: "new", grant: KeyGrant(), now: 3)
        #expect(try store().book().key(house, at: 4) != nil)
    }

    @Test func `a file that was removed is an error until it is back`() throws {
        let (key, path) = (AccessKey.make(), folder.file("data/access.sqlite"))
        let server = try store()
        try server.add(key, name: "house", grant: KeyGrant(), now: 1)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        #expect(throws: AccessFailure.self) { try server.book(since: nil) }
        #expect(throws: AccessFailure.self) { try server.removeKey("house") }
        #expect(!FileManager.default.fileExists(atPath: path))
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        #expect(try server.book().key(key, at: 2) != nil)
    }

    @Test func `a change by another connection is seen, and nothing is read without a change`() throws {
        let (one, other) = (try store(), try store())
        let empty = try #require(try one.book(since: nil))
        #expect(try one.book(since: empty.state) == nil)
        let key = AccessKey.make()
        try other.add(key, name: "new", grant: KeyGrant(), now: 1)
        let full = try #require(try one.book(since: empty.state))
        #expect(full.book.key(key, at: 2) != nil)
        #expect(try one.book(since: full.state) == nil)
        let own = try #require(try other.book(since: nil))
        #expect(try other.removeKey("new"))
        #expect(try other.book(since: own.state)?.book.keys.isEmpty == true)
        #expect(try one.book(since: full.state)?.book.keys.isEmpty == true)
    }

    @Test func `names are unique, and removing a missing one reports that`() throws {
        let store = try store()
        try store.add(.make(), name: "anna", grant: KeyGrant(), now: 1)
        #expect(throws: AccessFailure("key 'anna'", "the name is already in use")) {
            try store.add(.make(), name: "anna", grant: KeyGrant(), now: 1)
        }
        try store.addPerson("ben", password: .make(of: "x", cost: .least), folders: nil, now: 1)
        #expect(throws: AccessFailure("person 'ben'", "the name is already in use")) {
            try store.addPerson("ben", password: .make(of: "x", cost: .least), folders: nil, now: 1)
        }
        #expect(try !store.removeKey("nobody"))
        #expect(try !store.removePerson("nobody"))
        #expect(try !store.setPassword(.make(of: "x", cost: .least), of: "nobody"))
    }

    @Test func `ids are never reused`() throws {
        let store = try store()
        try store.add(.make(), name: "anna", grant: KeyGrant(), now: 1)
        let first = try #require(try store.book().keys.first?.id)
        _ = try store.removeKey("anna")
        try store.add(.make(), name: "anna", grant: KeyGrant(), now: 1)
        #expect(try #require(try store.book().keys.first?.id) > first)
    }

    @Test(arguments: ["password", "removal"])
    func `sessions end with a new password, and with the person`(how: String) throws {
        let store = try store()
        try store.addPerson("ben", password: .make(of: "x", cost: .least), folders: nil, now: 1)
        let person = try #require(try store.book().person("ben"))
        let token = AccessKey.make()
        try store.begin(Session(digest: token.digest, person: person.id, begun: 10, used: 10))
        #expect(try store.book().session(token, at: 11)?.person.name == "ben")
        if how == "password" {
            #expect(try store.setPassword(.make(of: "y", cost: .least), of: "ben"))
        } else {
            #expect(try store.removePerson("ben"))
        }
        #expect(try store.book().session(token, at: 11) == nil)
    }

    @Test func `sessions of a person are limited, and expired ones are removed`() throws {
        try expectBoundedSessions(in: try store())
    }

    @Test func `the last use and the end of a session are stored`() throws {
        let store = try store()
        try store.addPerson("ben", password: .make(of: "x", cost: .least), folders: nil, now: 1)
        let id = try #require(try store.book().person("ben")?.id)
        let token = AccessKey.make()
        let session = Session(digest: token.digest, person: id, begun: 0, used: 0)
        try store.begin(session)
        try store.note(session, usedAt: 5000)
        #expect(try store.book().session(token, at: Session.idleLimit + 1)?.session.used == 5000)
        try store.end(session.digest)
        #expect(try store.book().session(token, at: 1) == nil)
    }

    @Test func `another program's file is an error that names it`() throws {
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: true)
        _ = try folder.write(
            Array("no database, but long enough to be taken for one; ".utf8) + [UInt8](repeating: 1, count: 500),
            to: "data/access.sqlite"
        )
        let failure = #expect(throws: AccessFailure.self) { try store() }
        #expect(failure?.subject == folder.file("data/access.sqlite"))
    }
}
