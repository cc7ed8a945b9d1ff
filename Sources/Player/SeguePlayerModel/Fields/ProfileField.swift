internal import SegueData

/// One field of a platform or an app policy.
///
/// The declaration is the only one: the reader, the known keys, and the reference page follow from it. A file writes
/// the field as `{ value: …, source: … }`; the source states how the value is known.
@propertyWrapper
package final class ProfileField<Value: Sendable & Equatable>: Equatable {
    let key: String
    let meaning: String
    private let form: FieldForm<Value>
    private var value: Value?

    /// A field that has not been read; the meaning goes into the reference page.
    init(_ key: String, _ form: FieldForm<Value>, meaning: String) {
        (self.key, self.form, self.meaning) = (key, form, meaning)
    }

    package var wrappedValue: Value {
        guard let value else { preconditionFailure("the field \(key) has not been read") }
        return value
    }

    package static func == (one: ProfileField, other: ProfileField) -> Bool {
        one.key == other.key && one.value == other.value
    }
}

// The value is set once, by the initializer of the profile that owns the field, before any other code can reach it.
extension ProfileField: @unchecked Sendable {}

/// A field whose type of value is erased.
protocol AnyProfileField: AnyObject, Sendable {
    var key: String { get }
    var meaning: String { get }
    var notation: String { get }
    var words: [FieldWord] { get }

    /// The words of the value: one, or those of a list; empty for a value that is not a word.
    var texts: [String] { get }

    /// The words that a scenario may require; empty for a field whose value is not a word.
    var requirable: [String] { get }

    /// Reads the value from the fields of a file.
    func read(from reader: inout FieldReader) throws(HarnessError)

    func isEqual(to other: any AnyProfileField) -> Bool
}

extension ProfileField: AnyProfileField {
    var notation: String { form.notation }
    var words: [FieldWord] { form.words }

    var texts: [String] { form.texts(wrappedValue) }
    var requirable: [String] { form.requirable }

    func read(from reader: inout FieldReader) throws(HarnessError) { value = try reader.value(key, form) }

    func isEqual(to other: any AnyProfileField) -> Bool { (other as? ProfileField<Value>).map { self == $0 } ?? false }
}
