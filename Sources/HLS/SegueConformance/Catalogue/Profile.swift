/// The texts whose requirements count.
public enum Profile: String, Sendable, CaseIterable {
    /// RFC 8216, the draft of its successor, and the standards that they build on.
    case rfc
    /// Apple's authoring specification, which includes the requirements of the RFC.
    case apple
    /// All texts that the catalog knows.
    case all

    /// The profile unless another one is chosen: the requirements of a catalog for Apple devices, such as several bit
    /// rates, break no playback.
    package static let usual = Profile.rfc

    /// Returns true if the requirements of a text count.
    func includes(_ text: Clause.Text) -> Bool {
        switch self {
        case .rfc: text != .apple
        case .apple, .all: true
        }
    }
}
