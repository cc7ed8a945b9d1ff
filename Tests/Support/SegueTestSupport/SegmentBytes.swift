/// Makes the bytes of small segments by hand, so that tests know what is in them.
package enum SegmentBytes {
    package static func big(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    // ISO base media.

    package static func box(_ type: String, _ body: [UInt8]...) -> [UInt8] {
        let body = body.flatMap { $0 }
        return big(body.count + 8, 4) + Array(type.utf8) + body
    }

    package static func full(_ type: String, version: Int = 0, flags: Int = 0, _ body: [UInt8]...) -> [UInt8] {
        box(type, big(version << 24 | flags, 4), body.flatMap { $0 })
    }

    package static func track(_ number: Int, handler: String, entry: [UInt8], scale: Int, edits: [UInt8] = [])
        -> [UInt8]
    {
        box(
            "trak",
            full("tkhd", big(0, 8), big(number, 4), big(0, 68)),
            edits,
            box(
                "mdia",
                full("mdhd", big(0, 8), big(scale, 4), big(0, 4), big(0x55C4, 2), big(0, 2)),
                full("hdlr", big(0, 4), Array(handler.utf8), big(0, 12)),
                box("minf", box("stbl", full("stsd", big(1, 4), entry), full("stts", big(0, 4))))
            )
        )
    }

    package static let avcEntry = box("avc1", [UInt8](repeating: 0, count: 78), box("avcC", [1, 0x64, 0, 0x1F]))

    package static let aacEntry = box(
        "mp4a",
        [UInt8](repeating: 0, count: 28),
        full("esds", [3, 25, 0, 1, 0, 4, 17, 0x40] + [UInt8](repeating: 0, count: 12))
    )

    /// An initialization: AVC as track 1 whose edit list starts at 2 frames, AAC as track 2.
    package static let initialization =
        box("ftyp", Array("iso6".utf8), big(0, 4))
        + box(
            "moov",
            full("mvhd", big(0, 8), big(1000, 4), big(0, 80)),
            track(
                1,
                handler: "vide",
                entry: avcEntry,
                scale: 24000,
                edits: box("edts", full("elst", big(1, 4), big(0, 4), big(2002, 4), big(0x10000, 4)))
            ),
            track(2, handler: "soun", entry: aacEntry, scale: 48000),
            box("mvex", trex(1, duration: 1001), trex(2, duration: 1024))
        )

    package static func trex(_ number: Int, duration: Int) -> [UInt8] {
        full("trex", big(number, 4), big(1, 4), big(duration, 4), big(0, 8))
    }

    /// A fragment of 3 frames of track 1 that are shown in the order 0, 2, 1, and 5 frames of track 2.
    package static let fragment =
        box(
            "moof",
            full("mfhd", big(1, 4)),
            box(
                "traf",
                full("tfhd", flags: 0x020000, big(1, 4)),
                full("tfdt", version: 1, big(240_240, 8)),
                full("trun", version: 1, flags: 0x800, big(3, 4), big(2002, 4), big(3003, 4), big(1001, 4))
            ),
            box(
                "traf",
                full("tfhd", flags: 0x020008, big(2, 4), big(1024, 4)),
                full("tfdt", big(480_000, 4)),
                full("trun", big(5, 4))
            )
        ) + box("mdat", [1, 2, 3])

    // Transport streams.

    package static func packet(_ pid: Int, starts: Bool = true, _ payload: [UInt8]) -> [UInt8] {
        let stuffing = 184 - payload.count
        let adaptation =
            stuffing == 0
            ? [] : [UInt8(stuffing - 1)] + (stuffing > 1 ? [0] + [UInt8](repeating: 0xFF, count: stuffing - 2) : [])
        return [0x47] + big((starts ? 0x4000 : 0) | pid, 2) + [stuffing == 0 ? 0x10 : 0x30] + adaptation + payload
    }

    package static func section(_ table: Int, _ body: [UInt8]) -> [UInt8] {
        [0, UInt8(table)] + big(0xB000 | (body.count + 9), 2) + [0, 1, 0xC1, 0, 0] + body + [0, 0, 0, 0]
    }

    package static func programMap(_ streams: [(type: Int, pid: Int, descriptors: [UInt8])]) -> [UInt8] {
        section(
            2,
            big(0xE100, 2) + big(0xF000, 2)
                + streams.flatMap { stream in
                    [UInt8(stream.type)] + big(0xE000 | stream.pid, 2) + big(0xF000 | stream.descriptors.count, 2)
                        + stream.descriptors
                }
        )
    }

    package static func time(_ ticks: Int, mark: Int) -> [UInt8] {
        [UInt8(mark << 4 | (ticks >> 30) << 1 | 1)] + big((ticks >> 15 & 0x7FFF) << 1 | 1, 2)
            + big((ticks & 0x7FFF) << 1 | 1, 2)
    }

    package static func pes(_ stream: Int, presentation: Int, decode: Int? = nil) -> [UInt8] {
        let times = time(presentation, mark: decode == nil ? 2 : 3) + (decode.map { time($0, mark: 1) } ?? [])
        return [0, 0, 1, UInt8(stream), 0, 0, 0x80, decode == nil ? 0x80 : 0xC0, UInt8(times.count)] + times
    }

    /// A transport stream with H.264, AAC in German and ID3, whose clock wraps within the segment.
    package static let transportStream =
        packet(0, section(0, big(1, 2) + big(0xE020, 2)))
        + packet(
            0x20,
            programMap([
                (0x1B, 0x100, []), (0x0F, 0x101, [0x0A, 4] + Array("deu".utf8) + [0]), (0x15, 0x102, []),
            ])
        )
        + packet(0x100, pes(0xE0, presentation: (1 << 33) - 3000, decode: (1 << 33) - 6000))
        + packet(0x101, pes(0xC0, presentation: (1 << 33) - 9000))
        + packet(0x100, pes(0xE0, presentation: 6000, decode: 0))
        + packet(0x100, pes(0xE0, presentation: 3000, decode: 0))
        + packet(0x101, pes(0xC0, presentation: 1800))

    // Packed audio.

    package static func timestampTag(_ ticks: Int) -> [UInt8] {
        let body = Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + big(ticks, 8)
        let frame = Array("PRIV".utf8) + big(body.count, 4) + [0, 0] + body
        return Array("ID3".utf8) + [4, 0, 0] + big(frame.count, 4) + frame
    }

    /// ADTS frames of 20 bytes at 44.1 kHz.
    package static func adts(frames: Int) -> [UInt8] {
        let frame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x9F, 0xFC] + [UInt8](repeating: 0, count: 13)
        return (0..<frames).flatMap { _ in frame }
    }
}
