import Foundation
import SegueContainers
import SegueCurl
import SegueTestSupport
import Synchronization

@testable import SegueConformance

/// A correct server of a stream, with other responses for the paths that a test selects.
final class Site: Sendable {
    typealias Step = LoopbackServer.Step

    /// The response to a request; nil for the correct one.
    typealias Fault = @Sendable (_ path: String, _ request: LoopbackServer.Request) -> [Step]?

    static let stream = MadeStream(seconds: 12, segmentSeconds: 4, bitrate: 100_000, hasVideo: true)

    private let server: LoopbackServer

    init(_ fault: @escaping Fault = { _, _ in nil }) throws {
        server = try LoopbackServer.answering { request in
            let target = request.head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            return fault(target, request) ?? Self.good(target, request)
        }
    }

    func url(_ target: String) -> String { server.url(target) }

    /// The heads of the requests so far.
    var requests: [String] { server.requests }

    func stop() { server.stop() }

    /// The names of the rules that the presentation breaks.
    func rules(
        _ target: String = "/index.m3u8",
        _ change: (inout ValidationOptions) -> Void = { _ in }
    ) throws -> Set<String> {
        Set(try report(target, change).found.map(\.rule.id))
    }

    func report(
        _ target: String = "/index.m3u8",
        _ change: (inout ValidationOptions) -> Void = { _ in }
    ) throws -> ValidationReport {
        var options = ValidationOptions()
        change(&options)
        let place = target.hasPrefix("/") ? url(target) : target
        return try PresentationLoader(place, by: BlockingFetcher(), options: options).report()
    }

    /// The playlist of the stream.
    static var text: String { stream.playlist() }

    /// A redirect.
    static func redirect(_ target: String) -> [Step] { answer(302, [], "Location: \(target)") }

    /// The bytes of a path; nil without a resource.
    static func bytes(_ path: String) -> [UInt8]? {
        if path == "/index.m3u8" { return Array(stream.playlist().utf8) }
        guard let number = path.split(separator: "/").last?.split(separator: ".").first.flatMap({ Int($0) }) else {
            return nil
        }
        return stream.segment(number)
    }

    /// The response of a correct server.
    static func good(_ target: String, _ request: LoopbackServer.Request) -> [Step] {
        let path = String(target.prefix { $0 != "?" })
        let open = "Access-Control-Allow-Origin: *"
        guard let bytes = bytes(path) else { return answer(404, [], open) }
        return answer(
            200,
            bytes,
            type: path.hasSuffix(".ts") ? "video/mp2t" : "application/vnd.apple.mpegurl",
            open,
            to: request
        )
    }

    /// A response; to a range request the requested range.
    static func answer(
        _ status: Int,
        _ bytes: [UInt8] = [],
        type: String = "text/plain",
        _ fields: String...,
        to request: LoopbackServer.Request? = nil
    ) -> [Step] {
        var (status, body, fields) = (status, bytes[...], fields)
        if let range = request?.header("range"), let numbers = single(range) {
            if numbers.lowerBound >= bytes.count {
                (status, body) = (416, [])
            } else if request?.header("if-range") == nil {
                let last = min(numbers.upperBound, bytes.count - 1)
                (status, body) = (206, bytes[numbers.lowerBound...last])
                fields.append("Content-Range: bytes \(numbers.lowerBound)-\(last)/\(bytes.count)")
            }
        }
        let isHead = request?.head.hasPrefix("HEAD") == true
        let head =
            ["HTTP/1.1 \(status) x", "Content-Type: \(type)", "Content-Length: \(body.count)"] + fields + ["", ""]
        return [.send(Array(head.joined(separator: "\r\n").utf8) + (isHead ? [] : Array(body)))]
    }

    private static func single(_ range: String) -> ClosedRange<Int>? {
        let numbers = range.replacing("bytes=", with: "").split(separator: "-").compactMap { Int($0) }
        return numbers.count == 2 && !range.contains(",") && numbers[0] <= numbers[1] ? numbers[0]...numbers[1] : nil
    }

    /// A response without its body.
    static func head(_ lines: String...) -> Step { .send(Array((lines + ["", ""]).joined(separator: "\r\n").utf8)) }
}
