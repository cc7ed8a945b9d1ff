/// A writer of MPEG transport stream segments (ISO/IEC 13818-1) that can be joined in any order.
///
/// Table counters are the segment number modulo 16. Each stream's last packets are split until their count is a
/// multiple of 16, so its counter is 0 at every segment start.
struct TransportWriter {
    private let tracks: [TrackSamples]
    private var packets: TransportPackets
    /// A buffer for PES and frame headers.
    private var header: [UInt8] = []

    private static let tablePID: UInt16 = 0x1000
    private static let firstPID: UInt16 = 0x100
    /// The maximum size of a PES packet with several audio frames, in bytes.
    static let greatestAudioPES = 2800
    /// The maximum duration of a PES packet with several audio frames, in units of 90 kHz.
    static let longestAudioPES: Int64 = 27000

    private init(_ tracks: [TrackSamples], _ packets: TransportPackets) {
        self.tracks = tracks
        self.packets = packets
    }

    /// Writes a segment with the given tracks.
    static func segment(number: Int, tracks: [TrackSamples]) -> [UInt8] {
        var queues = tracks.indices.map { Queue(units: ElementaryUnits(tracks[$0]), pid: firstPID + UInt16($0)) }
        let clock = firstPID + UInt16(tracks.firstIndex { $0.format.isVideo } ?? 0)
        let steps = TransportWriter.steps(queues, tracks, clock: clock)
        let count = steps.reduce(2 + 15 * tracks.count) { $0 + $1.clocksBefore.count + $1.greatestPacketCount }
        return ByteWriter.bytes(capacity: count * TransportPackets.size) { output in
            var writer = TransportWriter(tracks, TransportPackets(output))
            writer.appendTables(number: number, clock: clock)
            for step in steps {
                for time in step.clocksBefore {
                    let place = Int(clock - firstPID)
                    writer.packets.append(clock: time, pid: clock, counter: queues[place].counter + 15)
                }
                guard let track = step.track else { continue }
                writer.appendFirst(of: &queues[track], track: track, clocks: step.clocks)
            }
            output = writer.packets.written
        }
    }

    /// The rest of a track.
    private struct Queue {
        let units: ElementaryUnits
        let pid: UInt16
        var next = 0
        var counter = 0

        var isEmpty: Bool { next >= units.units.count }
        var first: ElementaryUnits.Unit { units.units[next] }
    }

    /// A unit in decode order with its clock references; at the end, references alone.
    private struct Step {
        var clocksBefore: [Int64]
        var track: Int?
        var size = 0
        var clocks: [Int64] = []

        var greatestPacketCount: Int {
            guard track != nil else { return 0 }
            return TransportPackets.greatestCount(forBytes: size + ElementaryUnits.greatestHeader + 8 * clocks.count)
        }
    }

    private static func steps(_ queues: [Queue], _ tracks: [TrackSamples], clock: UInt16) -> [Step] {
        var queues = queues
        guard let first = queues.filter({ !$0.isEmpty }).map(\.first.dts).min() else { return [] }
        let next = tracks.compactMap { track in track.next.map { ElementaryUnits.ticks($0, track.timescale) } }.min()
        var clocks = TransportClock(first: first, next: next)
        var steps: [Step] = []
        while let track = queues.indices.filter({ !queues[$0].isEmpty }).min(by: {
            queues[$0].first.dts < queues[$1].first.dts
        }) {
            let unit = queues[track].first
            let hasOwn = queues[track].pid == clock
            let own = queues.first { $0.pid == clock && !$0.isEmpty }?.first.dts
            queues[track].next += 1
            var step = Step(clocksBefore: clocks.due(before: unit.dts, own: own), track: track, size: unit.size)
            if hasOwn {
                let span = tracks.count == 1 ? unit.span : 0
                step.clocks = clocks.own(at: unit.dts, span: span, most: 1 + unit.size / TransportPackets.room)
            }
            steps.append(step)
        }
        return steps + [Step(clocksBefore: clocks.dueAtEnd())]
    }

    private mutating func appendFirst(of queue: inout Queue, track: Int, clocks: [Int64]) {
        let unit = queue.first
        queue.next += 1
        unit.writeHeader(to: &header)
        queue.counter = packets.begin(
            size: header.count + unit.size,
            pid: queue.pid,
            counter: queue.counter,
            clocks: clocks,
            isKey: !clocks.isEmpty && unit.isKey,
            fillsCounter: queue.isEmpty
        )
        append(header)
        switch tracks[track].format {
        case .h264(let configuration):
            appendFrame(unit, units: queue.units, configuration: configuration, samples: tracks[track].samples)
        case .hevc, .flac, .alac, .opus: break
        case .aac(let configuration):
            for sample in unit.samples {
                let payload = tracks[track].samples[sample].payload
                header.removeAll(keepingCapacity: true)
                ADTSHeader.write(configuration, payload: payload.count, into: &header)
                append(header)
                payload.withBytes { packets.append($0) }
            }
        case .mp3, .ac3, .eac3:
            for sample in unit.samples { tracks[track].samples[sample].payload.withBytes { packets.append($0) } }
        }
    }

    private mutating func appendFrame(
        _ unit: ElementaryUnits.Unit,
        units: ElementaryUnits,
        configuration: VideoConfiguration,
        samples: [MediaSample]
    ) {
        append(ElementaryUnits.delimiter)
        if unit.needsParameterSets {
            for set in configuration.parameterSets {
                append(ElementaryUnits.startCode)
                append(set)
            }
        }
        samples[unit.samples.lowerBound].payload.withBytes { bytes in
            for slice in units.slices[unit.slices] {
                append(ElementaryUnits.startCode)
                packets.append(UnsafeRawBufferPointer(rebasing: bytes[slice]))
            }
        }
    }

    private mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { packets.append($0) } }
}

extension TransportWriter {
    private mutating func appendTables(number: Int, clock: UInt16) {
        var programs: [UInt8] = [0x00, 0x01, 0xc1, 0x00, 0x00, 0x00, 0x01]
        programs.appendBigEndian(0xe000 | TransportWriter.tablePID)
        packets.append(section: TransportWriter.section(id: 0, programs), pid: 0, counter: number)
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
        packets.append(section: TransportWriter.section(id: 2, map), pid: TransportWriter.tablePID, counter: number)
    }

    /// The stream type, with format descriptors if the type is not specific.
    private static func kind(of format: TrackFormat) -> (type: UInt8, descriptors: [UInt8]) {
        switch format {
        case .h264: (0x1b, [])
        case .hevc: (0x24, [])
        case .flac, .alac, .opus: (0x06, [])
        case .aac: (0x0f, [])
        case .mp3(let lowRate): (lowRate ? 0x04 : 0x03, [])
        case .ac3: (0x81, [5, 4] + Array("AC-3".utf8))
        case .eac3: (0x87, [5, 4] + Array("EAC3".utf8))
        }
    }

    private static func section(id: UInt8, _ body: [UInt8]) -> [UInt8] {
        var section: [UInt8] = [id]
        section.appendBigEndian(0xb000 | UInt16(body.count + 4))
        section.append(contentsOf: body)
        section.appendBigEndian(checksum(section))
        return section
    }

    /// The CRC-32 of MPEG tables.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xffff_ffff
        for byte in bytes {
            crc ^= UInt32(byte) << 24
            for _ in 0..<8 { crc = crc & 0x8000_0000 != 0 ? crc << 1 ^ 0x04c1_1db7 : crc << 1 }
        }
        return crc
    }
}
