internal import Foundation
internal import SegueBase
public import SegueFetch

/// What a server answered, in the form that is wanted.
public struct FetchAnswer: Sendable {
    /// The HTTP status.
    public let status: Int

    /// Header fields, names in lower case.
    public let headers: [(name: String, value: String)]

    /// Where the answer came from, redirects followed.
    public let url: String

    /// The body.
    public let bytes: [UInt8]

    /// The first header field of a name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The field's value; nil where there is none.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name == name }?.value
    }

    /// The body as text: UTF-8, or Latin-1 where the server says so.
    ///
    /// - Returns: The text.
    /// - Throws: ``HTTPFailure`` for bytes that are neither.
    public func text() throws(HTTPFailure) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        if header("content-type")?.lowercased().contains("iso-8859-1") ?? false {
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        throw HTTPFailure(.unreadable, "the answer is no text in UTF-8: \(url)", answer: self)
    }

    /// The body as a value, from JSON.
    ///
    /// - Parameter type: What it is to be.
    /// - Returns: The value.
    /// - Throws: ``HTTPFailure`` that says what is wrong where.
    public func json<Value: Decodable>(_ type: Value.Type) throws(HTTPFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw HTTPFailure(
                .unreadable,
                "the answer is not the JSON that is wanted (\(error.place)): \(url)",
                answer: self
            )
        } catch {
            throw HTTPFailure(.unreadable, "the answer is no JSON: \(url)", answer: self)
        }
    }

    /// The body as XML, to be asked with XPath.
    ///
    /// - Returns: The document.
    /// - Throws: ``HTTPFailure`` for what is no XML, declares entities, or has more bytes than ``XMLAnswer/limit``.
    public func xml() throws(HTTPFailure) -> XMLAnswer {
        do throws(XMLDocument.Failure) {
            return try XMLAnswer(bytes)
        } catch {
            let reason = "byte \(error.offset): \(error.message)"
            throw HTTPFailure(.unreadable, "the response is not readable XML (\(reason)): \(url)", answer: self)
        }
    }
}

extension DecodingError {
    /// Where in the document, and what is wrong there.
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

/// Why a fetch brought nothing of use.
public struct HTTPFailure: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Equatable {
        /// The server refused, with this status.
        case status(Int)
        /// There was no whole answer.
        case transport(FetchError.Reason)
        /// The answer is not in the form that is wanted.
        case unreadable
    }

    /// The kind of failure.
    public let kind: Kind

    /// One line that says what, where and why.
    public let description: String

    /// What the server answered; nil where it did not.
    public let answer: FetchAnswer?

    init(_ kind: Kind, _ description: String, answer: FetchAnswer?) {
        (self.kind, self.description, self.answer) = (kind, description, answer)
    }
}
