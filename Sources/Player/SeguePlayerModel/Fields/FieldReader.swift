internal import SegueData

/// A reader of one mapping in a file, whose fields are written `{ value: …, source: … }`.
package struct FieldReader {
    /// The source of each field read so far, by its full key, such as `service.lingers`.
    private(set) var sources: [String: String] = [:]

    private var fields: HarnessFields
    private let keys: [String]
    private let example: () -> HarnessFields?

    /// A reader that uses the keys of the mapping to tell a misspelled key from a missing one.
    ///
    /// - Parameters:
    ///   - fields: The mapping.
    ///   - keys: All valid keys of the mapping.
    ///   - example: Returns the fields of a file with all keys, from which errors quote the values of missing ones.
    init(_ fields: HarnessFields, keys: [String], example: @escaping () -> HarnessFields?) {
        (self.fields, self.keys, self.example) = (fields, keys, example)
    }

    /// Reads a text that has no source.
    mutating func text(_ key: String) throws(HarnessError) -> String {
        guard let text = try fields.text(key) else { throw fields.missing(key, among: keys) }
        return text
    }

    /// Reads a field, and keeps its source.
    mutating func value<Value>(_ key: String, _ form: FieldForm<Value>) throws(HarnessError) -> Value {
        guard let pair = try fields.fields(key) else { throw missing(key) }
        var inside = pair
        guard let value = try form.read(&inside, "value") else {
            throw pair.missing("value", among: ["value", "source"])
        }
        guard let source = try inside.text("source") else { throw pair.missing("source", among: ["value", "source"]) }
        try inside.finish()
        sources[pair.path] = source
        return value
    }

    /// Reads a mapping inside this one, and keeps its sources.
    mutating func section(
        _ key: String,
        keys: [String],
        replaced: [String: String] = [:],
        read: (inout FieldReader) throws(HarnessError) -> Void
    ) throws(HarnessError) {
        guard let inside = try fields.fields(key) else { throw missing(key) }
        var section = FieldReader(inside, keys: keys, example: example)
        try read(&section)
        for (key, present) in replaced {
            try section.require(!inside.has(key), of: key, "is no longer a field; use \(present)")
        }
        try section.finish()
        sources.merge(section.sources) { first, _ in first }
    }

    /// Throws an error about the key if the condition is false.
    func require(_ condition: Bool, of key: String, _ message: String) throws(HarnessError) {
        guard condition else { throw fields.error(key, message) }
    }

    /// Throws an error about a key that has not been read.
    func finish() throws(HarnessError) { try fields.finish() }

    private func missing(_ key: String) -> HarnessError {
        fields.missing(key, among: keys, advice: example().map { fields.advice(for: key, from: $0) } ?? "")
    }
}
