internal import SegueConcurrency
import CSegueFFmpeg

package enum Checksum {
    /// The SHA-256 in hexadecimal.
    package static func sha256(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { sha256($0) }
    }

    /// The SHA-256 in hexadecimal.
    package static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
        guard let state = av_sha_alloc() else { endWithoutMemory() }
        defer { av_free(UnsafeMutableRawPointer(state)) }
        // Only an unsupported length can fail, and 256 is supported.
        guard av_sha_init(state, 256) >= 0 else { fatalError("libavutil has no SHA-256") }
        if let base = bytes.baseAddress {
            av_sha_update(state, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(state, &digest)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The Adler-32: fast, for comparison, not for security.
    package static func adler32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let base = bytes.baseAddress else { return 1 }
        return av_adler32_update(1, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
}
