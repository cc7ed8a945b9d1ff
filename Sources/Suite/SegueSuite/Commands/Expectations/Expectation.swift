/// An expectation about a response.
package struct Expectation: Sendable {
    /// The expectation in a few words.
    package var text: String

    /// Returns the actual value if it differs; nil if the expectation is met.
    package var check: @Sendable (CommandResponse) -> String?

    package init(_ text: String, _ check: @escaping @Sendable (CommandResponse) -> String?) {
        (self.text, self.check) = (text, check)
    }

    /// The description of the first unmet expectation; nil if all are met.
    static func first(of all: [Expectation], notIn answer: CommandResponse) -> String? {
        all.lazy.compactMap { $0.check(answer) }.first
    }

    /// The status code.
    package static func status(_ status: Int) -> Expectation {
        Expectation("\(status)") { answer in
            answer.status == status ? nil : answer.failure ?? "the status is \(answer.status)"
        }
    }

    /// The value of a header field.
    static func header(_ name: String, _ value: String) -> Expectation {
        Expectation("\(name): \(value)") { answer in
            let came = answer.header(name.lowercased())
            return came == value ? nil : "\(name) is \(came.map { "'\($0)'" } ?? "missing")"
        }
    }

    /// The beginning of a header field.
    static func header(_ name: String, startsWith start: String) -> Expectation {
        Expectation("\(name): \(start)…") { answer in
            let came = answer.header(name.lowercased())
            return came?.hasPrefix(start) ?? false ? nil : "\(name) is \(came.map { "'\($0)'" } ?? "missing")"
        }
    }

    /// The members of a header field with a list.
    static func header(_ name: String, lists words: [String]) -> Expectation {
        Expectation("\(name): \(words.joined(separator: ", "))") { answer in
            let came = (answer.header(name.lowercased()) ?? "").split { $0 == "," || $0 == " " }.map(String.init)
            let missing = words.filter { !came.contains($0) }
            return missing.isEmpty ? nil : "\(name) lacks \(missing.joined(separator: ", "))"
        }
    }

    /// The header field is present.
    static func hasHeader(_ name: String) -> Expectation {
        Expectation(name) { $0.header(name.lowercased()) == nil ? "\(name) is missing" : nil }
    }

    /// The response has a strong entity tag (RFC 9110, 8.8.3).
    static let strongTag = Expectation("a strong ETag") { answer in
        guard let tag = answer.header("etag") else { return "ETag is missing" }
        return tag.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? nil : "ETag is \(tag)"
    }

    /// The body has the declared length.
    static let wholeLength = Expectation("its length") { answer in
        // Content-Length is that of the compressed body.
        guard answer.header("content-encoding") == nil else { return nil }
        guard let length = answer.header("content-length") else { return "Content-Length is missing" }
        return length == "\(answer.body.count)"
            ? nil : "Content-Length is \(length), \(answer.body.count) bytes received"
    }

    /// The body is empty.
    static let noBody = Expectation("no body") { answer in
        answer.body.isEmpty ? nil : "a body of \(answer.body.count) bytes received"
    }

    /// The body has exactly these bytes.
    static func body(_ bytes: [UInt8], _ what: String) -> Expectation {
        Expectation(what) { answer in
            if answer.body == bytes { return nil }
            let place = zip(answer.body, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            return "\(answer.body.count) bytes received, expected \(bytes.count)"
                + (place.map { "; the first difference is at byte \($0)" } ?? "")
        }
    }

    /// The body is text that contains these words.
    static func text(_ words: String) -> Expectation {
        Expectation("'\(words)'") { answer in
            guard let text = answer.text else { return "the body is not UTF-8 text" }
            return text.contains(words) ? nil : "the body does not contain '\(words)'"
        }
    }
}
