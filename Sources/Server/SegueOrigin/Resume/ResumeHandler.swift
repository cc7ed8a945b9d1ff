import Foundation
import HTTPTypes

/// The handler of `/api/resume` and `/api/resume/ID`.
struct ResumeHandler: Sendable {
    let points: any ResumePoints
    let library: Library
    /// The clock, in milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// Responds with the visitor's positions in items that they may see, the newest first.
    func respond(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        let since = try asked.query.text("since").map { (text: String) throws(OriginFailure) -> Int64 in
            guard let time = TimeText.milliseconds(text) else {
                throw .badQuery("since", "'\(text)' is not a time such as 2024-05-01T12:00:00Z")
            }
            return time
        }
        let visitor = asked.request.visitor
        let shown = try points(of: visitor).filter { point in
            guard let item = library.item(point.id), visitor.sees(item) else { return false }
            return since.map { point.changed > $0 } ?? true
        }
        return try OriginResponse.json(ListDocument(points: shown.map(PointDocument.init))).document(asked.request)
    }

    /// The visitor's last playback times by item id, in milliseconds since 1970.
    func played(by visitor: Visitor) throws(OriginFailure) -> [String: Int64] {
        Dictionary(try points(of: visitor).map { ($0.id, $0.at) }, uniquingKeysWith: max)
    }

    /// Stores or removes the position in an item.
    func respond(_ asked: ResourceRequest, _ item: LibraryItem) throws(OriginFailure) -> OriginResponse {
        let identity = asked.request.visitor.identity
        if asked.request.method == "DELETE" {
            try kept { () throws in try points.forget(item.id, of: identity) }
            return OriginResponse(status: 204, headers: [.cacheControl: "no-store"], body: .empty)
        }
        let time = now()
        let body = try ResumeBody(asked.request)
        let point = ResumePoint(
            id: item.id,
            position: body.position,
            duration: body.duration,
            isFinished: body.finished,
            // A client's fast clock must not keep out later positions.
            at: min(body.at ?? time, time),
            changed: time
        )
        let left = try kept { () throws in try points.keep(point, of: identity) }
        var response = OriginResponse.json(PointDocument(left))
        response.headers[.cacheControl] = OriginResponse.Freshness.none.rawValue
        response.headers[.eTag] = nil
        return response
    }

    private func points(of visitor: Visitor) throws(OriginFailure) -> [ResumePoint] {
        let (all, now) = (try kept { () throws in try points.points(of: visitor.identity) }, now())
        guard all.contains(where: { $0.at > now || $0.changed > now }) else { return all }
        return all.map { $0.notAfter(now) }.sorted(by: ResumePoint.isBefore)
    }

    private func kept<Value>(_ work: () throws -> Value) throws(OriginFailure) -> Value {
        do {
            return try work()
        } catch {
            throw OriginFailure.unavailable("notKept", retryAfter: 10, "cannot access resume positions: \(error)")
        }
    }

    private struct ListDocument: Encodable {
        var points: [PointDocument]
    }

    private struct PointDocument: Encodable {
        var id: String
        var position: Double
        var duration: Double
        var finished: Bool
        var at: String
        var changed: String

        init(_ point: ResumePoint) {
            (id, position, duration, finished) = (point.id, point.position, point.duration, point.isFinished)
            at = TimeText.iso8601(milliseconds: point.at)
            changed = TimeText.iso8601(milliseconds: point.changed)
        }
    }
}

/// The body of a request that stores a position.
struct ResumeBody: Sendable, Equatable {
    /// The position in seconds.
    var position: Double
    /// The duration in seconds.
    var duration: Double
    var finished: Bool
    /// Milliseconds since 1970; nil for the current time.
    var at: Int64?

    /// The maximum duration in seconds.
    private static let longest = 1e7

    private struct Written: Decodable {
        var position: Double
        var duration: Double?
        var finished: Bool?
        var at: String?
    }

    /// Parses a body.
    ///
    /// - Throws: ``OriginFailure`` with 415 if the content type is not JSON, or with 400 if the JSON is malformed or a
    ///   number is out of range.
    init(_ request: OriginRequest) throws(OriginFailure) {
        let type = request.headers[.contentType] ?? ""
        let name = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        guard name == "application/json" else {
            throw OriginFailure(
                status: 415,
                code: "notJSON",
                message: "the body must be JSON with the Content-Type application/json",
                headers: [.accept: "application/json"]
            )
        }
        guard let written = try? JSONDecoder().decode(Written.self, from: Data(request.body)) else {
            throw Self.bad(#"the body must be like {"position":12.5,"duration":60,"finished":false}"#)
        }
        let duration = written.duration ?? 0
        guard (0...Self.longest).contains(written.position), (0...Self.longest).contains(duration) else {
            throw Self.bad("position and duration are seconds, from 0 to 10000000")
        }
        (position, self.duration, finished) = (written.position, duration, written.finished ?? false)
        if let text = written.at {
            guard let time = TimeText.milliseconds(text) else {
                throw Self.bad("at: '\(text.prefix(40))' is not a time such as 2024-05-01T12:00:00Z")
            }
            at = time
        }
    }

    private static func bad(_ message: ErrorSentence) -> OriginFailure {
        OriginFailure(status: 400, code: "badBody", message: message)
    }
}
