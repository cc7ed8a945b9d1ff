internal import SegueNetworkModel

/// A change of a link that is to come.
struct ScheduledChange: Sendable {
    let number: Int
    let link: String
    let network: LinkProfile
}
