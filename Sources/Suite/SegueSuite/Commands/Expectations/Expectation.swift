/// Something that an answer must be.
package struct Expectation: Sendable {
    /// What it must be, in a few words.
    package var text: String

    /// What it is instead; nil where it is as it must be.
    package var check: @Sendable (CommandAnswer) -> String?

    /// An expectation.
    package init(_ text: String, _ check: @escaping @Sendable (CommandAnswer) -> String?) {
        (self.text, self.check) = (text, check)
    }

    /// What the first of some expectations says that an answer does not meet; nil where it meets all.
    static func first(of all: [Expectation], notIn answer: CommandAnswer) -> String? {
        all.lazy.compactMap { $0.check(answer) }.first
    }

    /// The status is this one.
    package static func status(_ status: Int) -> Expectation {
        Expectation("\(status)") { answer in
            answer.status == status ? nil : answer.failure ?? "the status is \(answer.status)"
        }
    }

    /// A header field has this value.
    static func header(_ name: String, _ value: String) -> Expectation {
        Expectation("\(name): \(value)") { answer in
            let came = answer.header(name.lowercased())
            return came == value ? nil : "\(name) is \(came.map { "'\($0)'" } ?? "missing")"
        }
    }

    /// A header field begins so.
    static func header(_ name: String, startsWith start: String) -> Expectation {
        Expectation("\(name): \(start)…") { answer in
            let came = answer.header(name.lowercased())
            return came?.hasPrefix(start) ?? false ? nil : "\(name) is \(came.map { "'\($0)'" } ?? "missing")"
        }
    }

    /// A header field, a list, names all of these.
    static func header(_ name: String, lists words: [String]) -> Expectation {
        Expectation("\(name): \(words.joined(separator: ", "))") { answer in
            let came = (answer.header(name.lowercased()) ?? "").split { $0 == "," || $0 == " " }.map(String.init)
            let missing = words.filter { !came.contains($0) }
            return missing.isEmpty ? nil : "\(name) lacks \(missing.joined(separator: ", "))"
        }
    }

    /// There is such a header field.
    static func hasHeader(_ name: String) -> Expectation {
        Expectation(name) { $0.header(name.lowercased()) == nil ? "\(name) is missing" : nil }
    }

    /// There is a strong tag, in quotes (RFC 9110, 8.8.3).
    static let strongTag = Expectation("a strong ETag") { answer in
        guard let tag = answer.header("etag") else { return "ETag is missing" }
        return tag.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? nil : "ETag is \(tag)"
    }

    /// There are as many bytes as the head says.
    static let wholeLength = Expectation("its length") { answer in
        // A packed body is as long as it was before it was unpacked.
        guard answer.header("content-encoding") == nil else { return nil }
        guard let length = answer.header("content-length") else { return "Content-Length is missing" }
        return length == "\(answer.body.count)" ? nil : "Content-Length is \(length), \(answer.body.count) bytes came"
    }

    /// There is no body.
    static let noBody = Expectation("no body") { answer in
        answer.body.isEmpty ? nil : "a body of \(answer.body.count) bytes came"
    }

    /// The body is this.
    static func body(_ bytes: [UInt8], _ what: String) -> Expectation {
        Expectation(what) { answer in
            if answer.body == bytes { return nil }
            let place = zip(answer.body, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            return "\(answer.body.count) bytes came where \(bytes.count) were due"
                + (place.map { ", other ones from byte \($0) on" } ?? "")
        }
    }

    /// The body is text that has this in it.
    static func text(_ words: String) -> Expectation {
        Expectation("'\(words)'") { answer in
            guard let text = answer.text else { return "the body is no text in UTF-8" }
            return text.contains(words) ? nil : "the body has no '\(words)'"
        }
    }
}
