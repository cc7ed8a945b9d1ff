internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

// Size: one property for each key of the specification.
/// The common media client data of a request (CMCD, CTA-5004), by which a server can check the player's beliefs.
///
/// A key that does not apply is nil. A key whose value is the default is omitted, as the specification requires.
struct CommonMediaData: Sendable, Equatable {
    /// The kind of object that is requested.
    enum ObjectType: String, Sendable {
        case manifest = "m"
        case audio = "a"
        case video = "v"
        case muxed = "av"
        case initialization = "i"
        case captions = "c"
        case key = "k"
        case other = "o"
    }

    /// The kind of stream that the object belongs to.
    enum StreamType: String, Sendable {
        case onDemand = "v"
        case live = "l"
    }

    // CMCD-Object
    var objectType = ObjectType.other
    /// The encoded bit rate of the object, in bits per second.
    var bitrate: Double?
    /// The playback duration of the object.
    var duration: Duration?
    /// The highest bit rate of any playable rendition, in bits per second.
    var topBitrate: Int?

    // CMCD-Request
    var bufferLength: Duration?
    /// The time until the object is needed.
    var deadline: Duration?
    /// The measured throughput, in bits per second.
    var throughput: Double?
    /// The next object, relative to this one.
    var nextObject: String?
    var nextRange: FetchRange?
    /// True if the object is needed immediately: at the start, after a seek, or after a stall.
    var isStartup = false

    // CMCD-Status
    /// True if the buffer ran out since the previous request.
    var isStarved = false
    /// The throughput that would suffice, in bits per second.
    var requestedThroughput: Double?

    // CMCD-Session
    var contentID = ""
    var rate = 1.0
    var session = ""
    var streamType: StreamType?

    // The strings are built without interpolation, which takes several times as long, because this happens for each
    // request.

    /// The header fields with values, each with its keys in alphabetical order.
    var headers: [(name: String, value: String)] {
        [("CMCD-Object", object), ("CMCD-Request", request), ("CMCD-Session", ofSession), ("CMCD-Status", status)]
            .filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1.joined(separator: ",")) }
    }

    /// The value of the query parameter `CMCD`, percent-encoded.
    var query: String {
        let all = (object + request + ofSession + status).sorted()
        return PercentCoding.encode(all.joined(separator: ","))
    }

    private var object: [String] {
        var keys: [String] = []
        if let bitrate { keys.append("br=" + String(Int((min(bitrate, 1e15) / 1000).rounded()))) }
        if let duration { keys.append("d=" + String(duration.wholeNanoseconds / 1_000_000)) }
        keys.append("ot=" + objectType.rawValue)
        if let topBitrate { keys.append("tb=" + String((topBitrate + 500) / 1000)) }
        return keys
    }

    private var request: [String] {
        var keys: [String] = []
        if let bufferLength { keys.append("bl=" + String(hundreds(bufferLength.seconds * 1000))) }
        if let deadline { keys.append("dl=" + String(hundreds(deadline.seconds * 1000))) }
        if let throughput { keys.append("mtp=" + String(hundreds(throughput / 1000))) }
        if let nextObject { keys.append("nor=\"" + PercentCoding.encode(nextObject) + "\"") }
        if let nextRange { keys.append("nrr=\"\(nextRange.offset)-\(nextRange.offset + nextRange.length - 1)\"") }
        if isStartup { keys.append("su") }
        return keys
    }

    private var ofSession: [String] {
        var keys: [String] = []
        if !contentID.isEmpty { keys.append("cid=\"" + contentID + "\"") }
        if rate != 1 { keys.append("pr=" + decimal(rate)) }
        keys.append("sf=h")
        keys.append("sid=\"" + session + "\"")
        if let streamType { keys.append("st=" + streamType.rawValue) }
        return keys
    }

    private var status: [String] {
        var keys: [String] = []
        if isStarved { keys.append("bs") }
        if let requestedThroughput { keys.append("rtp=" + String(max(100, hundreds(requestedThroughput / 1000)))) }
        return keys
    }

    /// Rounds to the nearest 100, as the specification requires.
    private func hundreds(_ value: Double) -> Int { Int((min(value, 1e12) / 100).rounded()) * 100 }

    /// Formats a number without unnecessary decimals.
    private func decimal(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}

extension CommonMediaData {
    /// Returns an ID of the content that is the same in every session: the FNV-1a hash of its URL.
    static func contentID(of url: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in url.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let text = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    /// Returns a URL relative to another one of the same server; nil for another server, and for the same URL.
    static func relative(_ url: String, to base: String) -> String? {
        let (target, from) = (Array(url.utf8), Array(base.utf8))
        guard target != from else { return nil }
        // `http://` has two slashes, and the host ends at the third.
        var slashes = 0
        guard
            let host = target.firstIndex(where: { byte in
                if byte == 0x2F { slashes += 1 }
                return slashes == 3
            })
        else { return nil }
        var common = 0
        var shared = 0
        while shared < target.count, shared < from.count, target[shared] == from[shared], target[shared] != 0x3F {
            shared += 1
            if target[shared - 1] == 0x2F { common = shared }
        }
        guard common > host else { return nil }
        let up = from[common...].prefix { $0 != 0x3F }.count { $0 == 0x2F }
        return String(repeating: "../", count: up) + String(decoding: target[common...], as: UTF8.self)
    }
}
