internal import Foundation
public import SegueFetch
public import SegueXML

/// A server's response, with conversions of its body.
public struct FetchAnswer: Sendable {
    /// The HTTP status.
    public let status: Int

    /// The header fields, with names in lower case.
    public let headers: [(name: String, value: String)]

    /// The URL of the response, after redirects.
    public let url: String

    /// The body of the response.
    public let bytes: [UInt8]

    /// Returns the value of the first header field with a name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The value; nil without such a field.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name == name }?.value
    }

    /// Returns the body as text: UTF-8, or Latin-1 if the server declares it.
    ///
    /// - Returns: The text.
    /// - Throws: ``HTTPFailure`` for any other encoding.
    public func text() throws(HTTPFailure) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        if header("content-type")?.lowercased().contains("iso-8859-1") ?? false {
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        throw HTTPFailure(.unreadable, "the response is not UTF-8 text: \(url)", answer: self)
    }

    /// Decodes the body from JSON.
    ///
    /// - Parameter type: The type to decode.
    /// - Returns: The value.
    /// - Throws: ``HTTPFailure`` with the position of the mismatch.
    public func json<Value: Decodable>(_ type: Value.Type) throws(HTTPFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw HTTPFailure(
                .unreadable,
                "the JSON of the response has another structure (\(error.place)): \(url)",
                answer: self
            )
        } catch {
            throw HTTPFailure(.unreadable, "the response is not JSON: \(url)", answer: self)
        }
    }

    /// Parses the body as XML, for queries with XPath.
    ///
    /// - Parameter recovering: True to repair a malformed document; `document.errors` of the result contains the errors.
    /// - Returns: The document.
    /// - Throws: ``HTTPFailure`` for malformed XML that is not repaired, for declarations in a document type, and for more
    ///   than ``XMLAnswer/limit`` bytes.
    public func xml(recovering: Bool = false) throws(HTTPFailure) -> XMLAnswer {
        do throws(MarkupError) {
            return try XMLAnswer(bytes, recovering: recovering)
        } catch {
            throw HTTPFailure(.unreadable, "the response is not readable XML (\(error)): \(url)", answer: self)
        }
    }

    /// Parses the body as HTML, and repairs what is malformed.
    ///
    /// - Returns: The document.
    /// - Throws: ``HTTPFailure`` for a body without elements, and for more than ``XMLAnswer/limit`` bytes.
    public func html() throws(HTTPFailure) -> MarkupDocument {
        do throws(MarkupError) {
            var options = MarkupOptions()
            options.byteLimit = XMLAnswer.limit
            return try MarkupDocument(html: bytes, encoding: charset, options: options)
        } catch {
            throw HTTPFailure(.unreadable, "the response is not readable HTML (\(error)): \(url)", answer: self)
        }
    }

    /// The encoding that the server declares; nil without one.
    private var charset: String? {
        let parameters = (header("content-type") ?? "").split(separator: ";").dropFirst()
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map {
                $0.filter { !$0.isWhitespace && $0 != "\"" }
            }
            if parts.count == 2, parts[0].lowercased() == "charset", !parts[1].isEmpty { return parts[1] }
        }
        return nil
    }
}

extension DecodingError {
    /// The position in the document, and the problem.
    fileprivate var place: String {
        let context =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: Context(codingPath: [], debugDescription: "\(self)")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}

/// The failure of a fetch.
public struct HTTPFailure: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Equatable {
        /// The server answered with an error status.
        case status(Int)
        /// There was no complete response.
        case transport(FetchError.Reason)
        /// The response has another format than requested.
        case unreadable
    }

    /// The kind of failure.
    public let kind: Kind

    /// A one-line description of the failure, with the URL and the cause.
    public let description: String

    /// The description without the URL if that is known apart.
    package let cause: String

    /// The server's response; nil without one.
    public let answer: FetchAnswer?

    init(_ kind: Kind, _ description: String, answer: FetchAnswer?) {
        (self.kind, self.description, cause, self.answer) = (kind, description, description, answer)
    }

    init(_ error: FetchError, answer: FetchAnswer?) {
        (kind, description, cause) = (.transport(error.reason), error.description, error.cause)
        self.answer = answer
    }
}
