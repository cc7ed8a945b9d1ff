internal import SegueConcurrency
import CSegueFFmpeg

/// A packet of a stream: coded bytes with timestamps in the stream's time base.
package final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    /// Creates an empty packet, for an input or an encoder to fill.
    package init() {
        guard let made = av_packet_alloc() else { endWithoutMemory() }
        pointer = made
    }

    package convenience init(bytes: [UInt8], stream: Int = 0) {
        self.init(count: bytes.count, stream: stream) { bytes.withUnsafeBytes($0.copyMemory) }
    }

    /// Creates a packet of `count` bytes that `fill` writes.
    package convenience init(count: Int, stream: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        self.init()
        guard av_new_packet(pointer, Int32(count)) >= 0 else { endWithoutMemory() }
        fill(UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: count))
        streamIndex = stream
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }

    package var streamIndex: Int {
        get { Int(pointer.pointee.stream_index) }
        set { pointer.pointee.stream_index = Int32(newValue) }
    }

    /// The presentation timestamp; nil if the container has none.
    package var pts: Int64? {
        get { pointer.pointee.pts == ffs_no_timestamp ? nil : pointer.pointee.pts }
        set { pointer.pointee.pts = newValue ?? ffs_no_timestamp }
    }

    /// The decode timestamp; nil if the container has none.
    package var dts: Int64? {
        get { pointer.pointee.dts == ffs_no_timestamp ? nil : pointer.pointee.dts }
        set { pointer.pointee.dts = newValue ?? ffs_no_timestamp }
    }

    /// The duration; 0 if the container has none.
    package var duration: Int64 {
        get { pointer.pointee.duration }
        set { pointer.pointee.duration = newValue }
    }

    /// The byte position in the file; -1 if unknown.
    package var position: Int64 {
        get { pointer.pointee.pos }
        set { pointer.pointee.pos = newValue }
    }

    /// True for a keyframe.
    package var isKey: Bool {
        get { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
        set {
            if newValue { pointer.pointee.flags |= AV_PKT_FLAG_KEY } else { pointer.pointee.flags &= ~AV_PKT_FLAG_KEY }
        }
    }

    /// True if the packet is needed for decoding but not displayed.
    package var isDiscarded: Bool {
        get { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
        set {
            if newValue {
                pointer.pointee.flags |= AV_PKT_FLAG_DISCARD
            } else {
                pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD
            }
        }
    }

    package var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

    package var size: Int { Int(pointer.pointee.size) }

    package var bytes: [UInt8] { withBytes { [UInt8]($0) } }

    /// Passes the bytes to `body`.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: size))
    }

    /// A sum of the size and the bytes at both ends, to recognize a packet.
    package var fingerprint: UInt32 {
        withBytes { bytes in
            let end = min(bytes.count, 256)
            var sum = av_adler32_update(UInt32(bytes.count & 0x7fff) &+ 1, pointer.pointee.data, end)
            if bytes.count > 256 {
                let tail = min(bytes.count - 256, 64)
                sum = av_adler32_update(sum, pointer.pointee.data + (bytes.count - tail), tail)
            }
            return sum
        }
    }

    /// The samples that a decoder discards at both ends of the packet; nil if not declared.
    package var skippedSamples: (start: Int, end: Int)? {
        var size = 0
        guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 10 else {
            return nil
        }
        let words = UnsafeRawPointer(data)
        let start = Int(UInt32(littleEndian: words.loadUnaligned(as: UInt32.self)))
        let end = Int(UInt32(littleEndian: words.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        return (start, end)
    }

    /// Declares the samples that a decoder discards at both ends; nil removes the declaration.
    package func setSkippedSamples(_ skipped: (start: Int, end: Int)?) {
        ffs_remove_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES)
        guard let skipped, let data = av_packet_new_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, 10) else { return }
        let words = UnsafeMutableRawPointer(data)
        words.initializeMemory(as: UInt8.self, repeating: 0, count: 10)
        words.storeBytes(of: UInt32(clamping: skipped.start).littleEndian, as: UInt32.self)
        words.storeBytes(of: UInt32(clamping: skipped.end).littleEndian, toByteOffset: 4, as: UInt32.self)
    }

    /// The codec configuration that takes effect with this packet, if the container changes it in-stream.
    package var newExtradata: [UInt8]? {
        var size = 0
        guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size) else { return nil }
        return [UInt8](UnsafeBufferPointer(start: data, count: size))
    }

    /// Sets the codec configuration that takes effect with this packet.
    package func setNewExtradata(_ bytes: [UInt8]) {
        ffs_remove_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA)
        guard let data = av_packet_new_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, bytes.count) else { return }
        data.update(from: bytes, count: bytes.count)
    }

    /// True if the packet is encrypted with an external key.
    package var isEncrypted: Bool {
        av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
    }

    /// Converts the timestamps to another unit.
    func rescale(from: AVRational, to: AVRational) { av_packet_rescale_ts(pointer, from, to) }
}

extension Packet {
    /// Returns a packet with the same content that survives reuse of this one.
    package func copy() -> Packet {
        let other = Packet()
        guard av_packet_ref(other.pointer, pointer) >= 0 else { endWithoutMemory() }
        return other
    }
}
