package import SegueData

/// Fields that lie together in a file: a section, or a part of one.
package protocol FieldGroup: Sendable, Equatable {
    /// A group whose fields have not been read.
    init()

    /// The rules that involve several fields or the contents of one.
    func check(_ reader: FieldReader) throws(HarnessError)
}

/// A group that profiles share: copying a profile retains one object, not one for each field.
///
/// The fields are set once, by the initializer of the profile that owns the group, before any other code can reach them.
package protocol FieldSection: AnyObject, FieldGroup {}

extension FieldSection {
    package static func == (one: Self, other: Self) -> Bool {
        let (ours, theirs) = (one.fields, other.fields)
        return ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0.isEqual(to: $1) }
    }
}

extension FieldGroup {
    package func check(_ reader: FieldReader) throws(HarnessError) {}
}

extension FieldGroup {
    /// The fields, in the order of their declarations, with those of the groups inside this one.
    var fields: [any AnyProfileField] { members.flatMap(\.fields) }

    /// The sections, in the order of their declarations.
    var sections: [any AnyProfileSection] {
        Mirror(reflecting: self).children.compactMap { $0.value as? any AnyProfileSection }
    }

    /// Reads each field, then checks the rules of this group and those inside it.
    func read(from reader: inout FieldReader) throws(HarnessError) {
        for member in members {
            switch member {
            case .field(let field): try field.read(from: &reader)
            case .group(let group): try group.read(from: &reader)
            }
        }
        try check(reader)
    }

    private var members: [FieldGroupMember] {
        Mirror(reflecting: self).children.compactMap { child in
            if let field = child.value as? any AnyProfileField { return .field(field) }
            return (child.value as? any FieldGroup).map { .group($0) }
        }
    }
}

private enum FieldGroupMember {
    case field(any AnyProfileField)
    case group(any FieldGroup)

    var fields: [any AnyProfileField] {
        switch self {
        case .field(let field): [field]
        case .group(let group): group.fields
        }
    }
}
