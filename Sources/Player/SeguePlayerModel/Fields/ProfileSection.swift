internal import SegueData

/// A section of a file: a key with fields below it.
@propertyWrapper
package struct ProfileSection<Group: FieldGroup>: Sendable, Equatable {
    package let wrappedValue = Group()
    let key: String
    let meaning: String
    /// The present fields for each key of earlier versions.
    private let replaced: [String: String]

    init(_ key: String, meaning: String, replaced: [String: String] = [:]) {
        (self.key, self.meaning, self.replaced) = (key, meaning, replaced)
    }
}

/// A section whose type of fields is erased.
protocol AnyProfileSection: Sendable {
    var key: String { get }
    var meaning: String { get }
    var fields: [any AnyProfileField] { get }

    func read(from reader: inout FieldReader) throws(HarnessError)
}

extension ProfileSection: AnyProfileSection {
    var fields: [any AnyProfileField] { wrappedValue.fields }

    func read(from reader: inout FieldReader) throws(HarnessError) {
        try reader.section(key, keys: fields.map(\.key), replaced: replaced) { section throws(HarnessError) in
            try wrappedValue.read(from: &section)
        }
    }
}
