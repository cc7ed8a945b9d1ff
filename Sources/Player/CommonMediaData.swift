internal import Fetch
internal import HLS
internal import Timeline

/// The request headers of CMCD (CTA-5004), by which a server can check what the player believed.
struct CommonMediaData: Sendable {
    /// What is asked for.
    enum Object: Sendable {
        case playlist
        case initialization
        case media(ItemTracks?, Duration)
        /// A file of its own, or a part of one.
        case file(ItemTracks?)
    }

    /// Names the session for the server.
    let session: String

    /// The header fields of one request; keys in alphabetical order, as the specification wants.
    func headers(
        _ object: Object,
        bitrate: Double?,
        ahead: Duration?,
        throughput: Double?,
        rate: Double,
        isStarting: Bool
    ) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        var about: [String] = []
        if let bitrate, case .media = object { about.append("br=\(Int((bitrate / 1000).rounded()))") }
        if case .media(_, let duration) = object { about.append("d=\(duration.wholeNanoseconds / 1_000_000)") }
        about.append("ot=\(kind(of: object))")
        headers.append(("CMCD-Object", about.joined(separator: ",")))
        var wishes: [String] = []
        if let ahead, case .media = object { wishes.append("bl=\(hundreds(ahead.seconds * 1000))") }
        if let throughput { wishes.append("mtp=\(hundreds(throughput / 1000))") }
        if isStarting { wishes.append("su") }
        if !wishes.isEmpty { headers.append(("CMCD-Request", wishes.joined(separator: ","))) }
        let speed = rate == 1 ? "" : "pr=\(rate),"
        var format = "h"
        if case .file = object { format = "o" }
        headers.append(("CMCD-Session", "\(speed)sf=\(format),sid=\"\(session)\",st=v"))
        return headers
    }

    private func kind(of object: Object) -> String {
        switch object {
        case .playlist: "m"
        case .initialization: "i"
        case .media(let tracks, _), .file(let tracks):
            switch (tracks?.hasVideo, tracks?.hasAudio) {
            case (true, true): "av"
            case (true, _): "v"
            case (_, true): "a"
            default: "o"
            }
        }
    }

    /// The specification rounds these to the nearest 100.
    private func hundreds(_ value: Double) -> Int { Int((value / 100).rounded()) * 100 }
}

/// Makes the requests of a client at one moment.
struct RequestMaker {
    let cmcd: CommonMediaData
    let patience: Duration
    let rate: Double
    let isStarting: Bool

    func playlist(_ id: FetchID, _ url: String) -> FetchRequest {
        FetchRequest(
            id: id,
            url: url,
            headers: cmcd.headers(
                .playlist,
                bitrate: nil,
                ahead: nil,
                throughput: nil,
                rate: rate == 0 ? 1 : rate,
                isStarting: isStarting
            ),
            patience: patience,
            limit: PlaylistLimits().bytes
        )
    }

    func media(
        _ id: FetchID,
        _ url: String,
        _ range: FetchRange?,
        _ object: CommonMediaData.Object,
        ahead: Duration,
        speed: LoadSpeed
    ) -> FetchRequest {
        FetchRequest(
            id: id,
            url: url,
            range: range,
            headers: cmcd.headers(
                object,
                bitrate: speed.mediaBitrate,
                ahead: ahead,
                throughput: speed.bitsPerSecond,
                rate: rate == 0 ? 1 : rate,
                isStarting: isStarting
            ),
            patience: patience
        )
    }
}
