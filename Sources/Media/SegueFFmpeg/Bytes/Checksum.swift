internal import SegueConcurrency
import CSegueFFmpeg

/// Checksums of bytes.
package enum Checksum {
    /// The SHA-256 of some bytes, in hexadecimal.
    package static func sha256(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { sha256($0) }
    }

    /// The SHA-256 of some bytes, in hexadecimal.
    package static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
        guard let state = av_sha_alloc() else { endWithoutMemory() }
        defer { av_free(UnsafeMutableRawPointer(state)) }
        // 256 is one of the three lengths that it knows, and the length is all that it can refuse.
        guard av_sha_init(state, 256) >= 0 else { fatalError("libavutil has no SHA-256") }
        if let base = bytes.baseAddress {
            av_sha_update(state, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(state, &digest)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The Adler-32 of some bytes: quick, for comparing, not for trust.
    package static func adler32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.baseAddress else { return 1 }
        return av_adler32_update(1, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
}
