/// Counts the packets that ``TransportWriter`` fills, from times and sizes alone.
enum TransportCount {
    /// A PES packet.
    struct Unit {
        /// When it is decoded, in units of 90 kHz.
        var dts: Int64
        /// Its bytes, the header included.
        var size: Int
        /// The bytes behind the header.
        var content: Int
        /// How long its audio lasts; 0 for frames.
        var span: Int64 = 0

        init(dts: Int64, pts: Int64, content: Int) {
            (self.dts, self.content) = (dts, content)
            size = content + (dts == pts ? 14 : 19)
        }

        init(_ unit: ElementaryUnits.Unit) {
            self.init(dts: unit.dts, pts: unit.pts, content: unit.size)
            span = unit.span
        }
    }

    /// A track's part of a segment.
    struct Track {
        /// In the order of decoding.
        var units: [Unit]
        /// When the first unit after the segment is decoded, in units of 90 kHz; nil when there is none.
        var next: Int64?
    }

    /// The bytes of a segment of tracks, of which the first carries the program's clock.
    static func size(_ tracks: [Track]) -> Int {
        var packets = 2
        guard let first = tracks.compactMap(\.units.first?.dts).min() else { return packets * TransportPackets.size }
        var clocks = TransportClock(first: first, next: tracks.compactMap(\.next).min())
        var places = tracks.map { _ in 0 }
        var counters = tracks.map { _ in 0 }
        while let track = next(tracks, places) {
            let unit = tracks[track].units[places[track]]
            let own = places[0] < tracks[0].units.count ? tracks[0].units[places[0]].dts : nil
            packets += clocks.due(before: unit.dts, own: own).count
            places[track] += 1
            var references = 0
            if track == 0 {
                let most = 1 + unit.content / TransportPackets.room
                references = clocks.own(at: unit.dts, span: tracks.count == 1 ? unit.span : 0, most: most).count
            }
            let count = TransportPackets.count(
                size: unit.size,
                clocks: references,
                counter: counters[track],
                fillsCounter: places[track] == tracks[track].units.count
            )
            counters[track] += count
            packets += count
        }
        return (packets + clocks.dueAtEnd().count) * TransportPackets.size
    }

    /// The track whose next unit is decoded first.
    private static func next(_ tracks: [Track], _ places: [Int]) -> Int? {
        var result: (track: Int, time: Int64)?
        for track in tracks.indices where places[track] < tracks[track].units.count {
            let time = tracks[track].units[places[track]].dts
            if let found = result, found.time <= time { continue }
            result = (track, time)
        }
        return result?.track
    }
}
