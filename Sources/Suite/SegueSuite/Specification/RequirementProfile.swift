internal import SegueConformance

/// The specifications whose requirements fail a case.
package enum RequirementProfile: String, Sendable, Codable, CaseIterable {
    /// RFC 8216, the draft of its successor, and the standards that they build on.
    case rfc
    /// Also Apple's authoring specification.
    case apple
    /// All texts that the catalog knows.
    case all
    /// None: delivered content is not checked by the rules of HLS.
    case none

    package static let usual = RequirementProfile.rfc

    /// The texts; nil for none.
    var texts: Profile? {
        switch self {
        case .rfc: .rfc
        case .apple: .apple
        case .all: .all
        case .none: nil
        }
    }
}
