/// A counter of ``TransportWriter`` packets from times and sizes.
enum TransportCount {
    /// A PES packet.
    struct Unit {
        /// The decode time, in units of 90 kHz.
        var dts: Int64
        /// The size with the header, in bytes.
        var size: Int
        /// The payload size, in bytes.
        var content: Int
        /// The duration of its audio; 0 for video.
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
        /// The PES packets, in decode order.
        var units: [Unit]
        /// The decode time of the first unit after the segment, in units of 90 kHz; nil at the end.
        var next: Int64?
    }

    /// The size of a segment, in bytes; the first track carries the program clock.
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
