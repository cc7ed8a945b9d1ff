internal import SegueConcurrency
import CSegueFFmpeg
internal import Foundation

/// A non-seekable source of byte chunks, each requested once and discarded after it is read.
final class StreamedBytes: InputBytes {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    private let next: () -> [UInt8]?
    private var piece: [UInt8] = []
    private var place = 0

    init(_ next: @escaping () -> [UInt8]?) {
        self.next = next
        let size: Int32 = 32768
        guard let buffer = av_malloc(Int(size)) else { endWithoutMemory() }
        context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self),
            size,
            0,
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes else { return ffs_error_eof }
                return Unmanaged<StreamedBytes>.fromOpaque(opaque).takeUnretainedValue().read(into: bytes, count)
            },
            nil,
            nil
        )
        guard context != nil else { endWithoutMemory() }
    }

    private func read(into bytes: UnsafeMutablePointer<UInt8>, _ most: Int32) -> Int32 {
        while place == piece.count {
            guard let more = next() else { return ffs_error_eof }
            (piece, place) = (more, 0)
        }
        let count = min(Int(most), piece.count - place)
        piece.withUnsafeBufferPointer { piece in
            guard let base = piece.baseAddress else { return }
            bytes.update(from: base + place, count: count)
        }
        place += count
        return Int32(count)
    }

    func close() {
        guard let context else { return }
        av_freep(&context.pointee.buffer)
        avio_context_free(&self.context)
    }

    deinit { close() }
}
