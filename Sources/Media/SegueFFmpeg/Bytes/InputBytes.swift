internal import SegueConcurrency
import CSegueFFmpeg

/// A byte source for a libav input.
protocol InputBytes: AnyObject {
    /// libav's I/O context; nil once closed.
    var context: UnsafeMutablePointer<AVIOContext>? { get }
    /// True if packets are parsed into frames where the container does not separate them.
    var isParsed: Bool { get }
    /// Frees the context; call it after closing the input.
    func close()
}

extension InputBytes {
    var isParsed: Bool { true }
}

/// A file read through libav's file protocol.
final class PlainFile: InputBytes {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    // The callback's opaque pointer.
    private let interrupt: InterruptBox

    /// Opens a file, or its first bytes up to an end.
    init(_ path: String, upTo end: Int64?, _ interrupt: InterruptBox) throws(MediaError) {
        self.interrupt = interrupt
        var callback = interrupt.callback
        let url = "file:" + path
        let code = avio_open2(
            &context,
            end.map { "subfile,,start,0,end,\($0),,:\(url)" } ?? url,
            AVIO_FLAG_READ,
            &callback,
            nil
        )
        guard code >= 0 else {
            throw MediaError(call: "avio_open2", file: path, code: interrupt.isCancelled ? ffs_error_exit : code)
        }
    }

    func close() { avio_closep(&context) }

    deinit { close() }
}

/// An in-memory byte source.
final class MemoryBytes: InputBytes {
    private let storage: UnsafeMutableBufferPointer<UInt8>
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    init(_ bytes: [UInt8]) {
        storage = .allocate(capacity: max(1, bytes.count))
        _ = storage.initialize(from: bytes)
        context = ffs_open_memory(storage.baseAddress, Int64(bytes.count))
    }

    func close() { ffs_close_memory(&context) }

    deinit {
        close()
        storage.deallocate()
    }
}

/// A replacement for some bytes of a file.
package struct FilePatch: Sendable, Equatable {
    /// The byte position in the file.
    package var position: Int64
    /// The replacement, at most 16 bytes.
    package var bytes: [UInt8]

    /// Replaces a 32-bit big-endian number.
    package init(position: Int64, number: UInt32) {
        self.position = position
        bytes = withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    }

    private init(position: Int64, bytes: [UInt8]) { (self.position, self.bytes) = (position, bytes) }

    /// Replaces any number of bytes.
    static func all(position: Int64, _ bytes: [UInt8]) -> [FilePatch] {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let piece = Array(bytes[start..<Swift.min(bytes.count, start + 16)])
            return FilePatch(position: position + Int64(start), bytes: piece)
        }
    }
}

/// A file source that can return zeros instead of the content.
final class HollowFile: InputBytes {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    let isParsed: Bool

    init?(_ path: String, patches: [FilePatch] = [], isParsed: Bool) {
        self.isParsed = isParsed
        context = ffs_open_file(path)
        if context == nil { return nil }
        for patch in patches where ffs_patch_file(context, patch.position, patch.bytes, Int32(patch.bytes.count)) < 0 {
            endWithoutMemory()
        }
    }

    /// The number of file bytes read, excluding substituted zeros.
    var bytesRead: Int64 { ffs_file_bytes_read(context) }

    func stopReading() { ffs_hollow_file(context) }

    func close() { ffs_close_file(&context) }

    deinit { close() }
}
