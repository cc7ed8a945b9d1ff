internal import SegueEvents
internal import SegueNetworkModel

extension LinkProfile {
    /// The ratio of the network's rate to the peak bit rate of the content; infinite if either is unknown.
    ///
    /// `peakBandwidth` is the peak in bits per second; nil for that of the loaded segments.
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
