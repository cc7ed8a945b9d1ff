internal import SegueConcurrency
import CSegueFFmpeg

/// Where an input reads from: all that libav may read.
protocol InputBytes: AnyObject {
    /// libav's view of the bytes; nil once closed.
    var context: UnsafeMutablePointer<AVIOContext>? { get }
    /// Frees the context, after the input that used it is closed.
    func close()
}

/// A file that libav's own reader of files reads.
final class PlainFile: InputBytes {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    // What the context's callback points to.
    private let interrupt: InterruptBox

    init(_ path: String, _ interrupt: InterruptBox) throws(MediaError) {
        self.interrupt = interrupt
        var callback = interrupt.callback
        let code = avio_open2(&context, "file:" + path, AVIO_FLAG_READ, &callback, nil)
        guard code >= 0 else {
            throw MediaError(call: "avio_open2", file: path, code: interrupt.isCancelled ? ffs_error_exit : code)
        }
    }

    func close() { avio_closep(&context) }

    deinit { close() }
}

/// Bytes in memory that an input reads in place of a file.
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

/// Bytes that stand in place of some of a file's.
package struct FilePatch: Sendable, Equatable {
    /// Where the first stands.
    package var position: Int64
    /// The bytes, sixteen at most.
    package var bytes: [UInt8]

    /// A number of 32 bits in place of another.
    ///
    /// - Parameters:
    ///   - position: Where it stands.
    ///   - number: The number, written with the most significant byte first.
    package init(position: Int64, number: UInt32) {
        self.position = position
        bytes = withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
    }
}

/// A file that can be told to give zeros in place of its content.
final class HollowFile: InputBytes {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    init?(_ path: String, patches: [FilePatch] = []) {
        context = ffs_open_file(path)
        if context == nil { return nil }
        for patch in patches where ffs_patch_file(context, patch.position, patch.bytes, Int32(patch.bytes.count)) < 0 {
            endWithoutMemory()
        }
    }

    /// The number of bytes of the file, zeros in place of its content not counted, have been read.
    var bytesRead: Int64 { ffs_file_bytes_read(context) }

    func stopReading() { ffs_hollow_file(context) }

    func close() { ffs_close_file(&context) }

    deinit { close() }
}
