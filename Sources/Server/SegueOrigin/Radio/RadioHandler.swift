import HTTPTypes

/// The handler of `/radio`: the audio of a folder's files as an endless stream.
struct RadioHandler: Sendable {
    let library: Library
    let stations: RadioStations

    func respond(_ asked: ResourceRequest) throws(OriginFailure) -> OriginResponse {
        let format = try asked.query.choice("format", of: RadioFormat.self) ?? .mp3
        let folder = try asked.query.text("folder") ?? ""
        let seed = try asked.query.integer("shuffle", in: 0...Int(Int32.max))
        let station = try stations.station(
            folder: folder,
            format: format,
            seed: seed,
            in: library,
            for: asked.request.visitor,
            client: asked.request.addressRange
        )
        if let failure = station.prepare(asked.cancellation) {
            throw .unservable("noSound", "the station cannot play: \(failure)")
        }
        let wantsTitles = asked.request.headers[.icyMetaData] == "1"
        var headers: HTTPFields = [
            .contentType: format.contentType, .cacheControl: "no-store", .acceptRanges: "none",
            .icyName: Self.plain(station.name), .icyGenre: "various", .icyPublic: "0",
            .icyBitRate: "\(format.bitRate / 1000)",
        ]
        if wantsTitles { headers[.icyMetaInterval] = "\(IcyWriter.interval)" }
        let body = EndlessBody { RadioReading(station: station, wantsTitles: wantsTitles) }
        return OriginResponse(status: 200, headers: headers, body: .endless(body))
    }

    /// A header field's value, with question marks for characters outside printable ASCII.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? $0 : "?" }))
    }
}

private struct RadioReading: EndlessReading {
    private let station: RadioStation
    private var listener: RadioStation.Listener

    init(station: RadioStation, wantsTitles: Bool) {
        self.station = station
        listener = station.join(wantsTitles: wantsTitles)
    }

    mutating func next() async -> [UInt8]? { await station.next(&listener) }

    func close() { station.leave() }
}
