/// The packets that libav refuses, and the audio around them.
struct RefusedPackets {
    /// The libav errors, up to a limit.
    private(set) var complaints: [String] = []
    /// The number of refused packets.
    private(set) var count = 0
    private let rate: Int
    /// Sections around refused packets, extended until audio can be in sync again, in which decoders may bridge the
    /// loss differently.
    private var marred: [ClosedRange<Int64>] = []

    /// Creates an empty list; `rate` is the output sample rate, in hertz.
    init(rate: Int) { self.rate = rate }

    /// Adds an error before an output sample.
    mutating func add(_ error: any Error, at sample: Int64) {
        if complaints.count < 100 { complaints.append("\(error)") }
        count += 1
        let end = sample + Int64(2 * rate)
        let start = max(0, sample - Int64(rate / 4))
        if let last = marred.last, start <= last.upperBound {
            marred[marred.count - 1] = last.lowerBound...end
        } else {
            marred.append(start...end)
        }
    }

    /// True if a sample is at or shortly after a refused packet.
    func isNear(_ sample: Int64) -> Bool {
        marred.last { $0.lowerBound <= sample }.map { $0.contains(sample) } ?? false
    }
}
