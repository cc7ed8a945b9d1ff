internal import CSegueLibCrypto
internal import Glibc

/// A SHA-256 over bytes that come one after the other, with what the processor has for it.
package final class LongChecksum {
    /// Why a file has no checksum.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private let context: OpaquePointer

    /// The sum over no bytes.
    ///
    /// - Throws: ``Failure`` where OpenSSL has no memory, or no SHA-256.
    package init() throws(Failure) {
        guard let context = EVP_MD_CTX_new() else { throw Failure(description: "there is no memory for a checksum") }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw Failure(description: "OpenSSL has no SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    package func add(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw Failure(description: "OpenSSL cannot go on with a SHA-256")
        }
    }

    /// Ends the sum, in hexadecimal; nothing can be added any more.
    package func digits() throws(Failure) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else {
            throw Failure(description: "OpenSSL cannot end a SHA-256")
        }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The SHA-256 of all bytes of a file, in hexadecimal; no more than a mebibyte of them is in memory at a time.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - progress: Called for each mebibyte that was read.
    /// - Returns: 64 digits.
    /// - Throws: ``Failure`` where the file cannot be read to its end.
    package static func ofFile(at path: String, _ progress: () -> Void = {}) throws(Failure) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(description: "\(path): open: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let sum = try LongChecksum()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(file, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(description: "\(path): read: \(String(cString: strerror(errno)))") }
            guard count > 0 else { return try sum.digits() }
            try sum.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            progress()
        }
    }
}
