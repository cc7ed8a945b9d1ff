package import SegueNetworkModel

/// A kept-alive connection through a fault filter: what both ends say, what the requests meet and how the bytes are cut.
///
/// Texts stand for bytes, a scalar below 256 for each, so that a case is legible as JSON and can be cut down by hand.
package struct FaultCase: Codable, Sendable, Equatable {
    /// A request, what it meets, and its answer.
    package struct Exchange: Codable, Sendable, Equatable {
        /// How an answer's body is framed.
        package enum Framing: String, Codable, Sendable, CaseIterable { case length, chunked, close }

        /// The request's method.
        package var method = "GET"
        /// The request's fields, a line each.
        package var requestFields: [String] = []
        /// The range that it asks for; an end of nil is left open.
        package var range: Range?
        /// The request's body.
        package var requestBody = ""
        /// What the request meets.
        package var fault: Fault?
        /// The answer's status.
        package var status = 200
        /// The answer's fields, a line each, but those that frame it.
        package var fields: [String] = []
        /// The pieces of the answer's content: chunks, where it comes in such.
        package var content: [String] = []
        /// How its content is framed.
        package var framing = Framing.length

        /// Plain: a request without a fault and an answer without a body.
        package init() {}
    }

    /// A range of bytes.
    package struct Range: Codable, Sendable, Equatable {
        package var first: Int
        package var last: Int?
    }

    /// What a request meets; a case's own form, since the filter's has none in JSON.
    package struct Fault: Codable, Sendable, Equatable {
        /// What it does.
        package enum Kind: String, Codable, Sendable, CaseIterable {
            case status, reset, stall, truncation, wrongLength, slowClose, corruption, wrongRange, slices, limit, portal
        }

        package var kind: Kind
        /// The status, place, difference or size.
        package var number: Int
        /// Of a corruption, how many bytes; of what waits, the milliseconds.
        package var count: Int
    }

    /// A text put over or into what an end says, so that it says something else than it means.
    package struct Damage: Codable, Sendable, Equatable {
        /// Whether the server's bytes are meant.
        package var isAnswer: Bool
        /// Where, in thousandths of the whole.
        package var place: Int
        /// How many bytes go.
        package var removed: Int
        /// What comes in their place.
        package var text: String
    }

    /// The requests in their order.
    package var exchanges: [Exchange] = []
    /// What is done to the bytes.
    package var damages: [Damage] = []
    /// The sizes of the pieces in which the bytes come, over and over.
    package var pieces: [Int] = [1 << 20]
    /// Whether all requests are sent before the first answer.
    package var isPipelined = false
    /// Whether the server ends the connection.
    package var ends = false

    /// A case without requests.
    package init() {}
}

extension FaultCase.Fault {
    /// What the filter is told.
    package var effect: RequestFault.Effect {
        switch kind {
        case .status: .status(number)
        case .reset: .reset(after: number)
        case .stall: .stall(after: number, length: .milliseconds(count))
        case .truncation: .truncation(after: number)
        case .wrongLength: .wrongLength(by: number)
        case .slowClose: .slowClose(.milliseconds(count))
        case .corruption: .corruption(bytes: count, after: number)
        case .wrongRange: .wrongRange(by: number)
        case .slices: .slices(bytes: number, pause: .milliseconds(count))
        case .limit: .limit(bytes: number)
        case .portal: .portal
        }
    }

    /// Whether the filter answers in the server's place.
    package var isLocal: Bool { kind == .status || kind == .portal }
}

extension FaultCase.Exchange {
    /// The request as it is sent.
    package var request: [UInt8] { request(movedBy: 0) }

    /// The request with its range moved.
    package func request(movedBy difference: Int) -> [UInt8] {
        var lines = ["\(method) /a.ts HTTP/1.1"] + requestFields
        if let range {
            let last = range.last.map { "\(Self.moved($0, difference))" } ?? ""
            lines.append("Range: bytes=\(Self.moved(range.first, difference))-\(last)")
        }
        if !requestBody.isEmpty { lines.append("Content-Length: \(requestBody.unicodeScalars.count)") }
        return (lines.joined(separator: "\r\n") + "\r\n\r\n" + requestBody).latin
    }

    /// The sum, from nothing to the greatest number that there is.
    package static func moved(_ number: Int, _ difference: Int) -> Int {
        let (sum, isTooLarge) = number.addingReportingOverflow(difference)
        return isTooLarge ? .max : max(0, sum)
    }

    /// Whether the answer has no body, whatever it says.
    package var isBodiless: Bool { method == "HEAD" || status == 204 || status == 304 }

    /// How many bytes of content it has.
    package var length: Int { content.reduce(0) { $0 + $1.unicodeScalars.count } }

    /// The answer's head.
    ///
    /// - Parameters:
    ///   - length: What it says of its length, where its framing is that.
    ///   - isFramed: True if it says where it ends.
    /// - Returns: The head with its empty line.
    package func head(saying length: Int, isFramed: Bool = true) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) Fine"] + fields
        if isFramed, framing == .length { lines.append("Content-Length: \(length)") }
        if isFramed, framing == .chunked { lines.append("Transfer-Encoding: chunked") }
        if !isFramed { lines.append("connection: close") }
        return (lines.joined(separator: "\r\n") + "\r\n\r\n").latin
    }

    /// The body as it comes: what is content of it, and what frames that.
    package var body: [(bytes: [UInt8], isContent: Bool)] {
        guard !isBodiless else { return [] }
        guard framing == .chunked else { return content.map { ($0.latin, true) } }
        let chunks = content.filter { !$0.isEmpty }.map(\.latin).flatMap { chunk in
            [
                (bytes: "\(String(chunk.count, radix: 16));a=b\r\n".latin, isContent: false),
                (bytes: chunk, isContent: true), (bytes: "\r\n".latin, isContent: false),
            ]
        }
        return chunks + [(bytes: "0\r\nX: y\r\n\r\n".latin, isContent: false)]
    }

    /// The whole answer as the server sends it.
    package var answer: [UInt8] { head(saying: length) + body.flatMap(\.bytes) }
}

extension String {
    /// The bytes that the text stands for.
    package var latin: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
