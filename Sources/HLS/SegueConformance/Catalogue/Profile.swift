/// The texts whose demands count.
public enum Profile: String, Sendable, CaseIterable {
    /// RFC 8216, its successor's draft, and what they build on.
    case rfc
    /// Apple's authoring specification, which demands what the RFC does besides.
    case apple
    /// All of them.
    case all

    /// Whether a text's demands count.
    func includes(_ text: Clause.Text) -> Bool {
        switch self {
        case .rfc: text != .apple
        case .apple, .all: true
        }
    }
}
