import Foundation
import HTTPTypes
import SegueAccess
import SegueOrigin
import SegueStores
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueServer

/// A server with keys, people, and a clock that the test sets.
struct Guarded {
    static let start: Int64 = 1_800_000_000

    let folder: TestFolder
    let store: AccessStore
    let door: AccessGate
    let time: Time
    let news: News

    let house = AccessKey.make()
    let films = AccessKey.make()
    let brief = AccessKey.make()
    let revoked = AccessKey.make()
    let televisions = AccessKey.make()

    final class Time: Sendable {
        private let now = Mutex(Guarded.start)
        var value: Int64 { now.withLock { $0 } }
        func pass(_ seconds: Int64) { now.withLock { $0 += seconds } }
    }

    final class News: Sendable {
        private let all = Mutex<[AccessGate.News]>([])
        var value: [AccessGate.News] { all.withLock { $0 } }
        func add(_ news: AccessGate.News) { all.withLock { $0.append(news) } }
    }

    init(origins: CrossOrigin = .none) throws {
        folder = try TestFolder()
        store = try AccessStore(folder: folder.file("data"))
        let now = Self.start
        try store.add(house, name: "house", grant: KeyGrant(isShown: true), now: now)
        try store.add(films, name: "films", grant: KeyGrant(folders: ["films"]), now: now)
        try store.add(brief, name: "brief", grant: KeyGrant(until: now + 60), now: now)
        try store.add(revoked, name: "revoked", grant: KeyGrant(), now: now)
        _ = try store.removeKey("revoked")
        try store.addPerson("Änne", password: .make(of: "s3cret:ü", cost: .least), folders: nil, now: now)
        (time, news) = (Time(), News())
        door = try AccessGate(
            AccessGate.Rules(isOpen: false, origins: origins, televisions: televisions.digest),
            guarded: (store, PageFolder.files()),
            now: { [time] in time.value },
            clock: { [time] in Double(time.value) },
            news: { [news] in news.add($0) }
        )
    }

    /// Responds with the visitor.
    static let who: OriginServer.Respond = { request, _ in
        let visitor = request.visitor
        let secrets = request.headers.filter { [.authorization, .cookie].contains($0.name) }
        let text = "\(visitor.identity)|\(visitor.name)|\(visitor.folders ?? ["*"])|\(request.mount)|\(request.target)"
        return OriginResponse(
            status: 200,
            headers: [
                .contentLength: "\((text + "\(secrets.count)").utf8.count)",
                .cacheControl: "public, max-age=31536000, immutable",
            ],
            body: .bytes(Array((text + "\(secrets.count)").utf8))
        )
    }
}

extension OriginServer.Address {
    /// Sends a request on a connection of its own.
    func ask(
        _ target: String,
        _ fields: [String] = [],
        method: String = "GET",
        body: String? = nil
    ) async throws -> (status: Int, head: String, body: String) {
        var request = "\(method) \(target) HTTP/1.1\r\nHost: \(self)\r\n"
        for field in fields { request += "\(field)\r\n" }
        if let body { request += "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)" }
        let text: String
        if body != nil {
            text = try await wholeExchange(request)
        } else {
            let answer = try await exchange(request)
            text = answer.head + String(decoding: answer.body, as: UTF8.self)
        }
        let end = try #require(text.range(of: "\r\n\r\n"))
        let head = String(text[..<end.lowerBound])
        return (Int(head.split(separator: " ")[1]) ?? 0, head, String(text[end.upperBound...]))
    }
}

extension OriginServer.Address {
    /// The body only.
    func body(_ target: String, _ fields: [String] = []) async throws -> String {
        try await ask(target, fields).body
    }
}

/// An Authorization field with a name and a password.
func basicField(_ name: String, _ password: String) -> String {
    "Authorization: Basic \(Data("\(name):\(password)".utf8).base64EncodedString())"
}

/// The head without the date.
func undated(_ head: String) -> String {
    head.split(separator: "\r\n").filter { !$0.hasPrefix("Date:") }.joined(separator: "\n")
}
