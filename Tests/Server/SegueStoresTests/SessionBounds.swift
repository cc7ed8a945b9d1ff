package import SegueAccess
import Testing

/// Checks that the sessions of a person are limited, and that expired ones are removed.
///
/// - Parameter store: An empty store.
/// - Throws: The error of the store.
package func expectBoundedSessions(in store: some AccessRecords) throws {
    try store.addPerson("ben", password: .make(of: "x", cost: .least), folders: nil, now: 1)
    let id = try #require(try store.book().person("ben")?.id)
    let tokens = (0..<60).map { _ in AccessKey.make() }
    for (index, token) in tokens.enumerated() {
        try store.begin(Session(digest: token.digest, person: id, begun: Int64(index), used: Int64(index)))
    }
    let book = try store.book()
    #expect(tokens.map { book.session($0, at: 60) != nil } == (0..<60).map { $0 >= 10 })
    let (late, end) = (AccessKey.make(), 60 + Session.idleLimit)
    try store.begin(Session(digest: late.digest, person: id, begun: end, used: end))
    let after = try store.book()
    #expect(tokens.allSatisfy { after.session($0, at: 60) == nil } && after.session(late, at: end + 1) != nil)
}
