internal import SegueNetworkModel

/// A scheduled change of a link's network.
struct ScheduledChange: Sendable {
    let number: Int
    let link: String
    let network: LinkProfile
}
