internal import SegueBase
internal import SegueContainers

/// Inspects MPEG-2 transport streams (ISO/IEC 13818-1).
struct TransportStreamInspector {
    private static let packetSize = TransportPacket.size
    private static let syncByte = TransportPacket.syncByte

    private var programs: [Int: SectionAssembler] = [:]
    private var programTable = SectionAssembler()
    private var streams: [Int: Stream] = [:]
    private var order: [Int] = []
    private var syncLosses = 0

    fileprivate struct Stream {
        var track: SegmentTrack
        var firstDecode: Int64?
        var first: Int64?
        var least: Int64 = 0
        var greatest: Int64 = 0
        var count = 0
    }

    /// Returns the offset of the first packet: the first aligned sync byte within two packets.
    static func firstPacket(in bytes: ArraySlice<UInt8>) -> Int? {
        let limit = min(bytes.endIndex, bytes.startIndex + 2 * packetSize)
        return (bytes.startIndex..<limit).first { start in
            guard bytes[start] == syncByte, bytes.endIndex - start >= packetSize else { return false }
            return stride(from: start, to: min(bytes.endIndex, start + 4 * packetSize), by: packetSize)
                .allSatisfy { bytes[$0] == syncByte }
        }
    }

    /// Inspects packets from the first byte.
    ///
    /// The tables may be in the initialization section instead (RFC 8216, sections 3.2 and 4.3.3.6).
    static func inspect(_ bytes: ArraySlice<UInt8>, initialization: SegmentInspection?) throws(SegmentError)
        -> SegmentInspection
    {
        var inspector = TransportStreamInspector()
        inspector.readPackets(bytes)
        if inspector.order.isEmpty, let initialization, initialization.layout == .transportStream {
            inspector = TransportStreamInspector(knowing: initialization.tracks)
            inspector.readPackets(bytes)
        } else if inspector.programs.isEmpty {
            throw SegmentError("the transport stream has no PAT")
        }
        guard !inspector.order.isEmpty else { throw SegmentError("the transport stream has no PMT") }
        let tracks = inspector.order.compactMap { inspector.streams[$0].map(finished) }
        return SegmentInspection(
            layout: .transportStream,
            tracks: tracks,
            hasInitialization: true,
            hasMedia: tracks.contains { $0.samples != 0 },
            syncLosses: inspector.syncLosses
        )
    }

    private init() {}

    /// An inspector with the streams of an initialization section.
    private init(knowing tracks: [SegmentTrack]) {
        for track in tracks where streams[track.number] == nil {
            var known = SegmentTrack(number: track.number, kind: track.kind, codec: track.codec)
            (known.isEncrypted, known.language) = (track.isEncrypted, track.language)
            streams[track.number] = Stream(track: known)
            order.append(track.number)
        }
    }

    private mutating func readPackets(_ bytes: ArraySlice<UInt8>) {
        var position = bytes.startIndex
        while bytes.endIndex - position >= Self.packetSize {
            guard bytes[position] == Self.syncByte else {
                syncLosses += 1
                // The search is over the rest, and the position only ever goes on: linear in all.
                guard let next = Self.resync(in: bytes, after: position) else { return }
                position = next
                continue
            }
            readPacket(bytes[position..<position + Self.packetSize])
            position += Self.packetSize
        }
    }

    private static func resync(in bytes: ArraySlice<UInt8>, after position: Int) -> Int? {
        (position + 1..<bytes.endIndex).first { candidate in
            guard bytes[candidate] == syncByte, bytes.endIndex - candidate >= packetSize else { return false }
            let next = candidate + packetSize
            return next >= bytes.endIndex || bytes[next] == syncByte
        }
    }

    private mutating func readPacket(_ bytes: ArraySlice<UInt8>) {
        guard let packet = TransportPacket(bytes), packet.hasPayload, !packet.isDamaged,
            packet.pid != TransportPacket.null
        else { return }
        let (pid, startsUnit) = (packet.pid, packet.startsUnit)
        if pid == 0 {
            guard let payload = packet.payload else { return }
            if let section = programTable.add(payload, startsUnit: startsUnit) { readProgramTable(section) }
        } else if programs[pid] != nil {
            guard let payload = packet.payload else { return }
            if let section = programs[pid]?.add(payload, startsUnit: startsUnit) { readMap(section) }
        } else if startsUnit, streams[pid] != nil, let head = packet.payload.flatMap({ PESHead($0) }), head.isMarked,
            let time = head.presentation
        {
            streams[pid]?.add(time: time, decode: head.decode ?? time)
        }
    }

    private mutating func readProgramTable(_ section: ArraySlice<UInt8>) {
        guard section.first == 0x00 else { return }
        for pid in ProgramAssociation.maps(section) where programs[pid] == nil { programs[pid] = SectionAssembler() }
    }

    private mutating func readMap(_ section: ArraySlice<UInt8>) {
        guard let map = ProgramMap(section) else { return }
        for stream in map where streams[stream.pid] == nil && programs[stream.pid] == nil {
            let track = Self.track(stream.type, pid: stream.pid, descriptors: Descriptors(stream.descriptors))
            streams[stream.pid] = Stream(track: track)
            order.append(stream.pid)
        }
    }

    private static func finished(_ stream: Stream) -> SegmentTrack {
        var track = stream.track
        track.samples = stream.count
        guard let first = stream.first, let decode = stream.firstDecode else { return track }
        track.decodeStart = Rational(decode, TransportTime.scale)
        track.start = Rational(first + stream.least, TransportTime.scale)
        track.last = Rational(first + stream.greatest, TransportTime.scale)
        return track
    }

    private static func track(_ type: Int, pid: Int, descriptors: Descriptors) -> SegmentTrack {
        let (kind, codec): (SegmentTrack.Kind, String) =
            switch type {
            case 0x01: (.video, "mpeg1video")
            case 0x02: (.video, "mpeg2video")
            case 0x03, 0x04: (.audio, "mp3")
            case 0x0F: (.audio, "aac")
            case 0x10: (.video, "mpeg4")
            case 0x11: (.audio, "aac_latm")
            case 0x15: (.metadata, "id3")
            case 0x1B, 0xDB: (.video, "h264")
            case 0x24: (.video, "hevc")
            case 0x33: (.video, "vvc")
            case 0x81, 0xC1: (.audio, "ac3")
            case 0x82, 0x85, 0x86, 0x8A: (.audio, "dts")
            case 0x84, 0x87, 0xC2: (.audio, "eac3")
            case 0xCF: (.audio, "aac")
            case 0x06: descriptors.privateStream
            default: (.other, "stream type 0x" + String(type, radix: 16))
            }
        var track = SegmentTrack(number: pid, kind: kind, codec: codec)
        // Sample encryption has stream types of its own.
        track.isEncrypted = [0xDB, 0xCF, 0xC1, 0xC2].contains(type)
        track.language = descriptors.language
        return track
    }
}

extension TransportStreamInspector.Stream {
    /// Counts a PES packet.
    ///
    /// Times are relative to the first one, so that the clock may wrap.
    fileprivate mutating func add(time: Int64, decode: Int64) {
        count += 1
        guard let first else {
            (first, firstDecode) = (time, decode)
            return
        }
        let difference = TransportTime.distance(from: first, to: time)
        least = min(least, difference)
        greatest = max(greatest, difference)
    }
}

/// The information in the descriptors of a stream.
private struct Descriptors {
    private(set) var language: String?
    private(set) var privateStream: (SegmentTrack.Kind, String) = (.other, "private")

    init(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        while let tag = reader.byte(), let length = reader.byte(), let body = reader.slice(length) {
            var body = ByteReader(body)
            switch tag {
            case 0x05: register(body.code())
            case 0x0A:
                guard let letters = body.slice(3), letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { continue }
                language = String(decoding: letters, as: UTF8.self)
            case 0x56: privateStream = (.text, "teletext")
            case 0x59: privateStream = (.text, "dvbsub")
            case 0x6A: privateStream = (.audio, "ac3")
            case 0x7A: privateStream = (.audio, "eac3")
            case 0x7B: privateStream = (.audio, "dts")
            default: break
            }
        }
    }

    private mutating func register(_ format: FourCC?) {
        switch format {
        case "AC-3": privateStream = (.audio, "ac3")
        case "EAC3": privateStream = (.audio, "eac3")
        case "Opus": privateStream = (.audio, "opus")
        case "HEVC": privateStream = (.video, "hevc")
        case "AV01": privateStream = (.video, "av1")
        case "ID3 ": privateStream = (.metadata, "id3")
        default: break
        }
    }
}
