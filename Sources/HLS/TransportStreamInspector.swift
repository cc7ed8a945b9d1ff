internal import Timeline

/// Looks into MPEG-2 transport streams (ISO/IEC 13818-1).
struct TransportStreamInspector {
    private static let packetSize = 188
    private static let syncByte: UInt8 = 0x47
    private static let clock: Int64 = 90_000
    private static let wrap: Int64 = 1 << 33

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

    /// The offset of the first packet: the first sync byte within two packets that is followed by others in rhythm.
    static func firstPacket(in bytes: ArraySlice<UInt8>) -> Int? {
        let limit = min(bytes.endIndex, bytes.startIndex + 2 * packetSize)
        return (bytes.startIndex..<limit).first { start in
            guard bytes[start] == syncByte, bytes.endIndex - start >= packetSize else { return false }
            return stride(from: start, to: min(bytes.endIndex, start + 4 * packetSize), by: packetSize)
                .allSatisfy { bytes[$0] == syncByte }
        }
    }

    /// Looks into packets that begin at the first byte.
    ///
    /// The tables may stand in the initialization section instead (RFC 8216, sections 3.2 and 4.3.3.6).
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

    /// An inspector that knows the streams that tables elsewhere have named.
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

    private mutating func readPacket(_ packet: ArraySlice<UInt8>) {
        var reader = ByteReader(packet.dropFirst())
        guard let header = reader.integer(2), let control = reader.byte(), header & 0x8000 == 0 else { return }
        let startsUnit = header & 0x4000 != 0
        let pid = header & 0x1FFF
        if control & 0x20 != 0 {
            guard let length = reader.byte(), reader.skip(length) else { return }
        }
        guard control & 0x10 != 0, pid != 0x1FFF else { return }
        let payload = reader.rest()
        if pid == 0 {
            if let section = programTable.add(payload, startsUnit: startsUnit) { readProgramTable(section) }
        } else if programs[pid] != nil {
            if let section = programs[pid]?.add(payload, startsUnit: startsUnit) { readMap(section) }
        } else if startsUnit, streams[pid] != nil {
            readPESHeader(payload, pid)
        }
    }

    private mutating func readProgramTable(_ section: ArraySlice<UInt8>) {
        var reader = ByteReader(section)
        guard reader.byte() == 0x00, reader.skip(7) else { return }
        while reader.count >= 8, let number = reader.integer(2), let pid = reader.integer(2) {
            let pid = pid & 0x1FFF
            if number != 0, programs[pid] == nil { programs[pid] = SectionAssembler() }
        }
    }

    private mutating func readMap(_ section: ArraySlice<UInt8>) {
        var reader = ByteReader(section)
        guard reader.byte() == 0x02, reader.skip(9), let programInfo = reader.integer(2),
            reader.skip(programInfo & 0xFFF)
        else { return }
        while reader.count >= 9, let type = reader.byte(), let pid = reader.integer(2), let length = reader.integer(2),
            let descriptors = reader.slice(length & 0xFFF)
        {
            let pid = pid & 0x1FFF
            guard streams[pid] == nil, programs[pid] == nil else { continue }
            streams[pid] = Stream(track: Self.track(type, pid, Descriptors(descriptors)))
            order.append(pid)
        }
    }

    private mutating func readPESHeader(_ payload: ArraySlice<UInt8>, _ pid: Int) {
        var reader = ByteReader(payload)
        guard reader.integer(3) == 1, reader.skip(3), let marks = reader.byte(), marks & 0xC0 == 0x80,
            let flags = reader.byte(), reader.skip(1), flags & 0x80 != 0, let time = Self.timestamp(&reader)
        else { return }
        let decode = flags & 0x40 != 0 ? Self.timestamp(&reader) ?? time : time
        streams[pid]?.add(time: time, decode: decode, wrap: Self.wrap)
    }

    private static func timestamp(_ reader: inout ByteReader) -> Int64? {
        guard let high = reader.byte(), let middle = reader.integer(2), let low = reader.integer(2) else { return nil }
        return Int64(high >> 1 & 7) << 30 | Int64(middle >> 1) << 15 | Int64(low >> 1)
    }

    private static func finished(_ stream: Stream) -> SegmentTrack {
        var track = stream.track
        track.samples = stream.count
        guard let first = stream.first, let decode = stream.firstDecode else { return track }
        track.decodeStart = Rational(decode, clock)
        track.start = Rational(first + stream.least, clock)
        track.last = Rational(first + stream.greatest, clock)
        return track
    }

    private static func track(_ type: Int, _ pid: Int, _ descriptors: Descriptors) -> SegmentTrack {
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
    /// Counts a PES packet; times are kept relative to the first, so that the clock may wrap.
    fileprivate mutating func add(time: Int64, decode: Int64, wrap: Int64) {
        count += 1
        guard let first else {
            (first, firstDecode) = (time, decode)
            return
        }
        var difference = (time - first) % wrap
        if difference < -wrap / 2 { difference += wrap }
        if difference >= wrap / 2 { difference -= wrap }
        least = min(least, difference)
        greatest = max(greatest, difference)
    }
}

/// Puts the sections of one PID together from packets; tables may run over several.
private struct SectionAssembler {
    private static let greatestSize = 4096
    private var pending: [UInt8] = []
    private var isCollecting = false

    /// Takes a packet's payload; a section when it is complete.
    mutating func add(_ payload: ArraySlice<UInt8>, startsUnit: Bool) -> ArraySlice<UInt8>? {
        var payload = payload
        if startsUnit {
            guard let pointer = payload.first, payload.count > Int(pointer) + 1 else { return nil }
            payload = payload.dropFirst(Int(pointer) + 1)
            pending = []
            isCollecting = true
        }
        guard isCollecting else { return nil }
        pending += payload
        guard pending.count >= 3 else { return nil }
        let size = 3 + (Int(pending[1] & 0x0F) << 8 | Int(pending[2]))
        guard pending.count >= size || pending.count > Self.greatestSize else { return nil }
        isCollecting = false
        defer { pending = [] }
        return pending.count >= size ? pending[..<size] : nil
    }
}

/// What a stream's descriptors say.
private struct Descriptors {
    private(set) var language: String?
    private(set) var privateStream: (SegmentTrack.Kind, String) = (.other, "private")

    init(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        while let tag = reader.byte(), let length = reader.byte(), let body = reader.slice(length) {
            var body = ByteReader(body)
            switch tag {
            case 0x05: register(body.code() ?? "")
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

    private mutating func register(_ format: String) {
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
