internal import SegueNetworkModel

extension LinkProfile {
    /// True if the network delays, loses, and changes nothing, so that its bytes need no inspection.
    var isTransparent: Bool {
        [down, up].allSatisfy(\.isTransparent) && radio.isEmpty && outages.isEmpty && handovers.isEmpty
            && portals.isEmpty && changes.isEmpty && faults.isEmpty
    }

    /// The maximum rate of any direction at any time, in bits per second; nil if one is unlimited.
    var greatestRate: Double? {
        let rates = [down.rate, up.rate] + changes.flatMap { [$0.down.rate, $0.up.rate] }.compactMap { $0 }
        var greatest = 0.0
        for rate in rates {
            switch rate {
            case .unlimited: return nil
            case .constant(let bitsPerSecond): greatest = max(greatest, Double(bitsPerSecond))
            case .changing(let course):
                greatest = course.steps.reduce(greatest) { max($0, Double($1.bitsPerSecond)) }
            }
        }
        return greatest
    }
}

extension LinkProfile.Direction {
    fileprivate var isTransparent: Bool {
        rate == .unlimited && delay.upperBound == .zero && jitter == nil && !isLossy
    }
}
