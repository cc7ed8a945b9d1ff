internal import SegueEvents
internal import SegueNetworkModel

extension LinkProfile {
    /// How many times faster than the peak of what is played the network is; infinite where nothing is known of either.
    ///
    /// - Parameters:
    ///   - peakBandwidth: The peak in bits a second; nil for what the segments that came say.
    func headroom(over peakBandwidth: Int?, of log: EventLog) -> Double {
        let rate = down.rate.mean ?? .infinity
        if let peakBandwidth { return rate / Double(peakBandwidth) }
        var peak = 0.0
        for event in log.events {
            if case .segmentLoaded(_, _, _, let bytes, _, let duration, _) = event.kind, duration > 0 {
                peak = max(peak, Double(bytes) * 8 / duration)
            }
        }
        return peak > 0 ? rate / peak : .infinity
    }
}
