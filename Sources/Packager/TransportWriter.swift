/// Writes segments of MPEG transport stream (ISO/IEC 13818-1) that fit together in any order.
///
/// The tables' counters are the segment's number, modulo 16. Each elementary stream's last packets are split until the
/// number of its packets is a multiple of 16, so that its counter starts every segment at 0.
struct TransportWriter {
    private var output: [UInt8] = []
    private let number: Int
    private var counters: [UInt16: Int] = [:]

    private static let tablePID: UInt16 = 0x1000
    private static let firstPID: UInt16 = 0x100
    /// How long before its decoding a byte arrives at the latest, in units of 90 kHz.
    private static let delay: Int64 = 63000
    /// Frames of sound share a PES packet up to this many bytes.
    static let greatestAudioPES = 2800
    /// Frames of sound share a PES packet for less than this long, in units of 90 kHz.
    static let longestAudioPES: Int64 = 27000

    private init(number: Int) { self.number = number }

    /// A segment with the given tracks.
    static func segment(number: Int, tracks: [TrackSamples]) -> [UInt8] {
        var writer = TransportWriter(number: number)
        let content = tracks.reduce(0) { $0 + $1.samples.reduce(0) { $0 + $1.bytes.count + 64 } }
        writer.output.reserveCapacity(content + content / 20 + 2 * 188)
        let clock = firstPID + UInt16(tracks.firstIndex { $0.format.isVideo } ?? 0)
        writer.appendTables(tracks, clock: clock)
        var queues = tracks.enumerated().map { place, track in
            Queue(pid: firstPID + UInt16(place), units: units(of: track), hasClock: firstPID + UInt16(place) == clock)
        }
        guard let first = queues.compactMap({ $0.units.first?.dts }).min() else { return writer.output }
        let next = tracks.compactMap { track in track.next.map { ticks($0, track.timescale) } }.min()
        var clocks = TransportClock(first: first, next: next)
        while let place = queues.indices.filter({ !queues[$0].isEmpty }).min(by: {
            queues[$0].units[queues[$0].next].dts < queues[$1].units[queues[$1].next].dts
        }) {
            let unit = queues[place].units[queues[place].next]
            queues[place].next += 1
            let hasClock = queues[place].hasClock
            for time in clocks.due(before: unit.dts, hasOwn: hasClock) { writer.appendClock(time, pid: clock) }
            let times =
                hasClock
                ? clocks.own(at: unit.dts, span: tracks.count == 1 ? unit.span : 0, most: 1 + unit.bytes.count / 184)
                : []
            writer.append(unit, pid: queues[place].pid, clocks: times, isLast: queues[place].isEmpty)
        }
        for time in clocks.dueAtEnd() { writer.appendClock(time, pid: clock) }
        return writer.output
    }

    /// A time in units of 90 kHz.
    private static func ticks(_ time: Int64, _ scale: Int64) -> Int64 {
        Int64(clamping: (Int128(time) * 90000 + Int128(scale) / 2) / Int128(scale))
    }

    private struct Queue {
        let pid: UInt16
        let units: [Unit]
        let hasClock: Bool
        var next = 0
        var isEmpty: Bool { next >= units.count }
    }

    /// What goes into one PES packet; times in units of 90 kHz.
    private struct Unit {
        var streamID: UInt8
        var pts: Int64
        var dts: Int64
        var isKey: Bool
        /// How long its content lasts; 0 for pictures.
        var span: Int64 = 0
        var bytes: [UInt8]
    }

    private static func units(of track: TrackSamples) -> [Unit] {
        let ticks = { (time: Int64) -> Int64 in TransportWriter.ticks(time, track.timescale) }
        var result: [Unit] = []
        var expected: Int64?
        for sample in track.samples {
            let isNext = expected == sample.dts
            expected = sample.dts + sample.duration
            switch track.format {
            case .h264(let configuration):
                let bytes = AccessUnit.h264(sample.bytes, isKey: sample.isKey, configuration: configuration)
                result.append(
                    Unit(
                        streamID: 0xe0,
                        pts: ticks(sample.pts),
                        dts: ticks(sample.dts),
                        isKey: sample.isKey,
                        bytes: bytes
                    )
                )
            case .hevc: break
            case .aac, .mp3, .ac3, .eac3:
                let end = ticks(sample.pts + sample.duration)
                if isNext, let last = result.last, last.bytes.count + sample.bytes.count < greatestAudioPES,
                    end - last.pts < longestAudioPES
                {
                    append(sample.bytes, as: track.format, to: &result[result.count - 1].bytes)
                    result[result.count - 1].span = end - last.pts
                } else {
                    var unit = Unit(
                        streamID: isPrivate(track.format) ? 0xbd : 0xc0,
                        pts: ticks(sample.pts),
                        dts: ticks(sample.pts),
                        isKey: true,
                        span: end - ticks(sample.pts),
                        bytes: []
                    )
                    append(sample.bytes, as: track.format, to: &unit.bytes)
                    result.append(unit)
                }
            }
        }
        return result
    }

    private static func isPrivate(_ format: TrackFormat) -> Bool {
        switch format {
        case .ac3, .eac3: true
        default: false
        }
    }

    private static func append(_ bytes: [UInt8], as format: TrackFormat, to output: inout [UInt8]) {
        if case .aac(let configuration) = format {
            ADTSHeader.write(configuration, payload: bytes.count, into: &output)
        }
        output.append(contentsOf: bytes)
    }
}

extension TransportWriter {
    private mutating func appendTables(_ tracks: [TrackSamples], clock: UInt16) {
        var programs: [UInt8] = [0x00, 0x01, 0xc1, 0x00, 0x00, 0x00, 0x01]
        programs.appendBigEndian(0xe000 | TransportWriter.tablePID)
        appendTable(id: 0, programs, pid: 0)
        var map: [UInt8] = [0x00, 0x01, 0xc1, 0x00, 0x00]
        map.appendBigEndian(0xe000 | clock)
        map.appendBigEndian(UInt16(0xf000))
        for (place, track) in tracks.enumerated() {
            let (type, descriptors) = TransportWriter.kind(of: track.format)
            map.append(type)
            map.appendBigEndian(0xe000 | (TransportWriter.firstPID + UInt16(place)))
            map.appendBigEndian(0xf000 | UInt16(descriptors.count))
            map.append(contentsOf: descriptors)
        }
        appendTable(id: 2, map, pid: TransportWriter.tablePID)
    }

    /// The stream type, and descriptors that name the format where the type alone does not.
    private static func kind(of format: TrackFormat) -> (type: UInt8, descriptors: [UInt8]) {
        switch format {
        case .h264: (0x1b, [])
        case .hevc: (0x24, [])
        case .aac: (0x0f, [])
        case .mp3(let lowRate): (lowRate ? 0x04 : 0x03, [])
        case .ac3: (0x81, [5, 4] + Array("AC-3".utf8))
        case .eac3: (0x87, [5, 4] + Array("EAC3".utf8))
        }
    }

    private mutating func appendTable(id: UInt8, _ body: [UInt8], pid: UInt16) {
        var section: [UInt8] = [id]
        section.appendBigEndian(0xb000 | UInt16(body.count + 4))
        section.append(contentsOf: body)
        section.appendBigEndian(TransportWriter.checksum(section))
        output.append(0x47)
        output.appendBigEndian(0x4000 | pid)
        output.append(0x10 | UInt8(number & 15))
        output.append(0)
        output.append(contentsOf: section)
        output.append(contentsOf: repeatElement(0xff, count: 188 - 5 - section.count))
    }

    /// CRC-32 as MPEG's tables have it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xffff_ffff
        for byte in bytes {
            crc ^= UInt32(byte) << 24
            for _ in 0..<8 { crc = crc & 0x8000_0000 != 0 ? crc << 1 ^ 0x04c1_1db7 : crc << 1 }
        }
        return crc
    }

    /// One packet with a clock reference and nothing else; it does not count for continuity.
    private mutating func appendClock(_ time: Int64, pid: UInt16) {
        appendPacket([], pid: pid, isFirst: false, counter: counters[pid, default: 0] + 15, clock: time - TransportWriter.delay, isKey: false)
    }

    private mutating func append(_ unit: Unit, pid: UInt16, clocks: [Int64], isLast: Bool) {
        let pes = TransportWriter.header(unit) + unit.bytes
        var packets = (pes.count + 8 * clocks.count + 183) / 184
        let counter = counters[pid, default: 0]
        let extra = isLast ? (16 - (counter + packets) % 16) % 16 : 0
        packets = min(packets + extra, pes.count)
        var place = 0
        var given = 0
        for packet in 0..<packets {
            // The references are spread evenly over the packets, from the first on.
            let hasClock = given < clocks.count && packet * clocks.count >= given * packets
            let count = min(184 - (hasClock ? 8 : 0), pes.count - place - (packets - packet - 1))
            appendPacket(
                pes[place..<place + count],
                pid: pid,
                isFirst: packet == 0,
                counter: counter + packet,
                clock: hasClock ? clocks[given] - TransportWriter.delay : nil,
                isKey: packet == 0 && unit.isKey && !clocks.isEmpty
            )
            place += count
            given += hasClock ? 1 : 0
        }
        counters[pid] = counter + packets
    }

    private mutating func appendPacket(
        _ payload: ArraySlice<UInt8>,
        pid: UInt16,
        isFirst: Bool,
        counter: Int,
        clock: Int64?,
        isKey: Bool
    ) {
        let adaptation = 184 - payload.count
        output.append(0x47)
        output.appendBigEndian((isFirst ? 0x4000 : 0) | pid)
        output.append((adaptation > 0 ? 0x20 : 0) | (payload.isEmpty ? 0 : 0x10) | UInt8(counter & 15))
        if adaptation > 0 {
            output.append(UInt8(adaptation - 1))
            var written = 1
            if adaptation > 1 {
                output.append((isKey ? 0x40 : 0) | (clock != nil ? 0x10 : 0))
                written += 1
            }
            if let clock {
                let base = UInt64(bitPattern: clock) & 0x1_ffff_ffff
                output.appendBigEndian(UInt32(base >> 1))
                output.append(UInt8(base & 1) << 7 | 0x7e)
                output.append(0)
                written += 6
            }
            output.append(contentsOf: repeatElement(0xff, count: adaptation - written))
        }
        output.append(contentsOf: payload)
    }

    private static func header(_ unit: Unit) -> [UInt8] {
        let hasDTS = unit.dts != unit.pts
        var header: [UInt8] = [0, 0, 1, unit.streamID]
        let length = unit.bytes.count + 3 + (hasDTS ? 10 : 5)
        header.appendBigEndian(UInt16(unit.streamID == 0xe0 || length > 0xffff ? 0 : length))
        header.append(contentsOf: [0x84, hasDTS ? 0xc0 : 0x80, hasDTS ? 10 : 5])
        appendTime(unit.pts, mark: hasDTS ? 3 : 2, to: &header)
        if hasDTS { appendTime(unit.dts, mark: 1, to: &header) }
        return header
    }

    private static func appendTime(_ time: Int64, mark: UInt8, to output: inout [UInt8]) {
        let time = UInt64(bitPattern: time) & 0x1_ffff_ffff
        output.append(mark << 4 | UInt8(time >> 30 & 7) << 1 | 1)
        output.appendBigEndian(UInt16(time >> 15 & 0x7fff) << 1 | 1)
        output.appendBigEndian(UInt16(time & 0x7fff) << 1 | 1)
    }
}

/// Makes access units ready for a transport stream.
enum AccessUnit {
    /// One picture with start codes, a delimiter in front, and on keyframes the parameter sets if it has none.
    static func h264(_ bytes: [UInt8], isKey: Bool, configuration: PictureConfiguration) -> [UInt8] {
        bytes.withUnsafeBytes { buffer in
            let units = configuration.units(of: buffer)
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count + 64)
            output.append(contentsOf: [0, 0, 0, 1, 9, 0xf0])
            let types = units.map { buffer[$0.lowerBound] & 31 }
            if isKey, !types.contains(7) {
                for set in configuration.parameterSets {
                    output.append(contentsOf: [0, 0, 0, 1])
                    output.append(contentsOf: set)
                }
            }
            for (unit, type) in zip(units, types) where type != 9 {
                output.append(contentsOf: [0, 0, 0, 1])
                output.append(contentsOf: buffer[unit])
            }
            return output
        }
    }
}
