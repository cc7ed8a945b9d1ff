internal import SegueBase

extension RequestFault {
    /// A short description of the fault and its requests.
    package var summary: String {
        var words = effect.summary
        if !kinds.isEmpty { words = kinds.map(\.rawValue).joined(separator: ", ") + ": " + words }
        if let url { words = "\(url): " + words }
        if let count { words += count == 1 ? ", once" : ", \(count) times" }
        if share < 1 { words += ", \((share * 1000).rounded() / 10) %" }
        return words
    }
}

extension RequestFault.Effect {
    /// A short description, which logs contain as well.
    package var summary: String {
        switch self {
        case .status(let status): "answered with \(status)"
        case .reset(let place): "reset after \(place) bytes"
        case .stall(let place, let length): "stalls for \(length.seconds) s after \(place) bytes"
        case .truncation(let place): "cut off after \(place) bytes"
        case .wrongLength(let difference): "its length is announced wrong by \(difference) bytes"
        case .slowClose(let length): "closed \(length.seconds) s late"
        case .corruption(let bytes, let place): "\(bytes) bytes corrupt after \(place)"
        case .wrongRange(let difference): "its range is wrong by \(difference) bytes"
        case .slices(let bytes, let pause): "in slices of \(bytes) bytes every \(pause.seconds) s"
        case .limit(let bytes): "closed after \(bytes) bytes on the connection"
        case .portal: "answered by a captive portal"
        }
    }
}
