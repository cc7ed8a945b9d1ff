internal import SegueBase

/// A part of a run's time, scaled to the width of the drawing.
struct TimelinePanel {
    /// The seconds since the run began.
    let window: ClosedRange<Double>

    let left: Double
    let right: Double

    var length: Double { max(window.upperBound - window.lowerBound, 0.001) }

    /// Pixels per second.
    var scale: Double { (right - left) / length }

    func x(_ seconds: Double) -> Double {
        left + (min(max(seconds, window.lowerBound), window.upperBound) - window.lowerBound) * scale
    }

    /// Returns whether any part of a range is visible.
    func shows(_ from: Double, _ to: Double) -> Bool { to >= window.lowerBound && from <= window.upperBound }

    /// The visible part of a range, at least `least` pixels wide.
    func place(_ from: Double, _ to: Double, least: Double = 0) -> (x: Double, width: Double)? {
        guard shows(from, to) else { return nil }
        let start = x(from)
        return (min(start, right - least), max(least, x(to) - start))
    }

    /// Round times, at most `most`.
    func ticks(_ most: Int) -> [Double] {
        let steps = [
            0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 36000, 86400,
        ]
        let step = steps.first { length / $0 <= Double(most) } ?? length
        let first = (window.lowerBound / step).rounded(.up)
        let last = (window.upperBound / step + 1e-9).rounded(.down)
        guard last >= first else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    /// A time as the axis shows it: in seconds, or in minutes for long runs.
    static func time(_ seconds: Double, in length: Double) -> String {
        guard length > 180 else {
            let rounded = (seconds * 100).rounded() / 100
            return rounded == rounded.rounded()
                ? "\(Int(rounded)) s" : "\(DecimalText.fixed(rounded, places: length < 1 ? 2 : 1)) s"
        }
        return clock(seconds)
    }

    static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }

    /// A duration in words.
    static func span(_ seconds: Double) -> String {
        if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
        if seconds < 100 { return "\(DecimalText.fixed(seconds, places: 1)) s" }
        return clock(seconds)
    }
}

/// A vertical scale for the values of a graph.
struct TimelineScale {
    let top: Double
    let y: Double
    let height: Double

    /// A scale up to the next round value.
    init(most: Double, y: Double, height: Double) {
        var step = 1.0
        while step < most { step *= 10 }
        while step > most, step > 0.001 { step /= 10 }
        top = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map { $0 * step }.first { $0 >= most } ?? max(most, 1)
        self.y = y
        self.height = height
    }

    /// A scale up to exactly a value.
    init(exactly top: Double, y: Double, height: Double) { (self.top, self.y, self.height) = (top, y, height) }

    func place(_ value: Double) -> Double { y + height - min(max(value, 0), top) / top * height }
}
