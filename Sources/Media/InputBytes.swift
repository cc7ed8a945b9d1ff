internal import CFFmpeg

/// Where an input reads from, when libav does not open the file itself.
protocol InputBytes: AnyObject {
    /// libav's view of the bytes; nil once closed.
    var context: UnsafeMutablePointer<AVIOContext>? { get }
    /// Frees the context, after the input that used it is closed.
    func close()
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

/// A file that can be told to give zeros in place of its content.
final class HollowFile: InputBytes {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    init?(_ path: String) {
        context = ffs_open_file(path)
        if context == nil { return nil }
    }

    /// How many bytes of the file, zeros in place of its content not counted, have been read.
    var bytesRead: Int64 { ffs_file_bytes_read(context) }

    func stopReading() { ffs_hollow_file(context) }

    func close() { ffs_close_file(&context) }

    deinit { close() }
}
